"""Files in: what they hold as plain data, without a database."""
