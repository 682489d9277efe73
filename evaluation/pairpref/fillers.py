"""Exchanges that keep situation and request apart, and the short words that receive a turn.

They are about nothing that a preference, a situation or a request of a corpus is about: spelling, units,
words, small sums. Never change one once it was used; add new ones in a new version of this file.
"""

HEARD = "All right."
NOTED = "Noted."

FILLERS: tuple[tuple[str, str], ...] = (
    ("How many minutes are there in a week?", "A week has 10,080 minutes."),
    ("Is it spelled accommodate or accomodate?", "It is spelled accommodate, with two c and two m."),
    ("What does the abbreviation i.e. stand for?", "It stands for id est, Latin for that is."),
    ("How many sides does a heptagon have?", "A heptagon has seven sides."),
    ("What is 17 times 6?", "17 times 6 is 102."),
    ("Which planet is nearest to the sun?", "Mercury is nearest to the sun."),
    ("What is the plural of index?", "Both indexes and indices are used."),
    ("How many metres are in a mile?", "A mile is about 1,609 metres."),
    ("In which year did the twentieth century begin?", "It began on 1 January 1901."),
    ("What is the opposite of convex?", "The opposite of convex is concave."),
    ("Which letter comes after Q?", "R comes after Q."),
    ("What is the chemical symbol of iron?", "The symbol of iron is Fe."),
    ("How many degrees does a right angle have?", "A right angle has 90 degrees."),
    ("Is zero an even number?", "Yes, zero is even."),
    ("What is the capital of Iceland?", "The capital of Iceland is Reykjavik."),
    ("How do you write 14 in Roman numerals?", "14 is written XIV."),
    ("What does the prefix kilo mean?", "Kilo means one thousand."),
    ("How many zeros does a million have?", "A million has six zeros."),
    ("What is the square root of 144?", "The square root of 144 is 12."),
    ("Is Tuesday before or after Thursday?", "Tuesday comes two days before Thursday."),
)
