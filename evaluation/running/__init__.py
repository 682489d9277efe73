"""How a run is worked on: shards are claimed, units asked, answers written, the end noted.

`execution` is the loop; it reads `units` of the `shards` it claims, has them answered (`answering`)
through `callers`, and writes `results`, whose columns `columns` names. `endings` says when a run is over;
`progress` looks on, and `rereading` reads again what is stored.
"""
