"""The one error that is meant for the user."""


class Problem(Exception):
    """A user's mistake, or a request that cannot be met, in words for that user.

    The message names the thing, what was found, what was expected and what to do. Commands turn it
    into an exit status, pages into a message, the API into a 400 or 409.
    """
