"""Judges against people, as pure functions: what can be drawn, the draw, agreement, corrected results.

`records` says what a sample is as plain data. `units` finds in a run what can be drawn, `offers` counts it,
`drawing` draws it. `answers` and `reference` say what each rater answers and what people say together;
`agreement` lays each two raters and all of them side by side, `against_people` each judge beside people, with
`errors`, `baseline` and `alternative`; `disagreements` lists what to read again, `counts` what was answered.
`card` says what one sample tells of a judge in short, `judge` what all samples of the same judge do.

`correction` carries the judges' errors into the rates of the run: `message_rates` and `pair_rates` lay what
each rate is taken over, a `population`, beside people's labels, which `labelled` reads from samples;
`difference` takes one rate from another, `label_planner` tells how many labels more an interval takes.
"""
