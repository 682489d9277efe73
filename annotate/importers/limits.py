"""The most characters that each field may have: what the tables hold."""

NAME = 200
LICENCE = 200
KEY = 100
RECIPIENT = 200
TASK = 500
DOMAIN = 100
CATEGORY = 100
NICKNAME = 100
# PostgreSQL indexes a whole text up to 2,704 bytes; a character takes four at most.
PREFERENCE = 650
