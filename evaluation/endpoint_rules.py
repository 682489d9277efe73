"""What an endpoint's fields may hold, above all: no key. The messages never repeat what was typed."""

import json
import re
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError

from evaluation.cost import own_prices

VARIABLE_NAME = re.compile(r"[A-Z][A-Z0-9_]*")
SECRET_NAME = re.compile(
    r"api[_-]?key|authorization|secret|password|access[_-]?token|^token$|^key$|subscription[_-]?key|cookie|x-auth"
    r"|credential",
    re.IGNORECASE,
)
SECRET_VALUE = re.compile(r"^\s*(bearer\s|sk-|hf_|ghp_|aiza|akia|xox[a-z]-)", re.IGNORECASE)
LONG_PART = 12


def check_key_variable(value: str) -> None:
    """Accept the name of an environment variable; refuse what looks like the key itself."""
    if not VARIABLE_NAME.fullmatch(value) or any(map(_looks_random, value.split("_"))):
        raise ValidationError(
            "This is no name of an environment variable, or it looks like the key itself. Expected a name in "
            "capitals such as MODEL_API_KEY. Put the key into the environment under that name; Tact never "
            "stores it."
        )


def check_address(value: str) -> None:
    """Accept an http address of a server, also one inside a private network; refuse credentials in it."""
    try:
        address = urlsplit(value)
        is_server = address.scheme in {"http", "https"} and bool(address.hostname) and address.port != 0
    except ValueError:
        is_server = False
    if not is_server:
        raise ValidationError(
            "This is no address of a server. Expected one such as https://models.example.org/v1 or "
            "http://127.0.0.1:8080/v1."
        )
    if any(map(SECRET_VALUE.match, address.path.split("/"))):
        raise ValidationError(
            "The address holds what looks like a key. Leave it out; name the key's environment variable "
            "instead."
        )
    if address.username or address.password or address.query or address.fragment:
        raise ValidationError(
            "The address carries more than a place, perhaps a key. Leave out user, password and everything "
            "from ? or # on; name the key's environment variable instead."
        )


def check_parameters(value: Any) -> None:
    """Accept an object of parameters; refuse anything in it that looks like a key."""
    if not isinstance(value, dict):
        raise ValidationError('Expected a JSON object such as {"max_tokens": 400}.')
    if "\\u0000" in json.dumps(value):
        raise ValidationError(
            "A parameter holds a NUL character, which no database column takes; leave it out."
        )
    if _holds_secret(value):
        raise ValidationError(
            "A parameter looks like a key. Take it out and name the key's environment variable instead."
        )


def check_switch(value: Any) -> None:
    """Accept what switches reasoning on and off: an object of parameters for each."""
    is_switch = isinstance(value, dict) and set(value) in (set(), {"on", "off"})
    if not is_switch or not all(isinstance(inner, dict) for inner in value.values()):
        raise ValidationError(
            "Expected {} where the endpoint has no switch, else parameters for both, such as "
            '{"on": {"reasoning": {"enabled": true}}, "off": {"reasoning": {"enabled": false}}}.'
        )
    check_parameters(value)


def check_prices(value: Any) -> None:
    """Accept US dollars per million tokens, or nothing."""
    if value == {}:
        return
    try:
        own_prices(value)
    except ValueError as error:
        raise ValidationError(str(error)) from error


def _looks_random(part: str) -> bool:
    """Tell whether a part of a name is long and has digits, as keys do and names do not."""
    return len(part) >= LONG_PART and any(character.isdigit() for character in part)


def _holds_secret(value: Any) -> bool:
    if isinstance(value, dict):
        return any(SECRET_NAME.search(str(name)) or _holds_secret(inner) for name, inner in value.items())
    if isinstance(value, list):
        return any(map(_holds_secret, value))
    return isinstance(value, str) and bool(SECRET_VALUE.match(value))
