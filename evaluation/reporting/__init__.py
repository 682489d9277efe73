"""What a run found, computed from its record alone: the same from the database and from an archive.

`report` is the frame that all benchmarks share; `benchpres`, `pairpref`, `construction` and `validation_run`
hold the parts that each has of its own, `comparison` lays two runs beside each other.
"""
