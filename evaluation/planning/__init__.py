"""From what a lead asks for to a plan: every unit once, with its key, before anything is saved or sent.

`plan` holds what plans have in common; each benchmark has a file that says what it plans.
"""
