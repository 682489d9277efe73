"""Judges against people, as pure functions: what can be drawn, the draw, agreement, corrected results.

`records` says what a sample is as plain data. `units` finds in a run what can be drawn, `drawing` draws it.
`agreement` lays people and judges side by side; `correction` carries the judges' errors into the rates of
the run.
"""
