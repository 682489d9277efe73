"""Judges against people, as pure functions: what can be drawn, the draw, agreement, corrected results.

`records` says what a sample is as plain data. `units` finds in a run what can be drawn, `drawing` draws it.
`answers` and `reference` say what each rater answers and what people say together; `agreement` lays each two
raters and all of them side by side, `against_people` each judge beside people, with `errors`, `baseline` and
`alternative`; `disagreements` lists what to read again, `counts` what was answered. `correction` carries the
judges' errors into the rates of the run.
"""
