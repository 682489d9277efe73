"""The one way to an endpoint, and the one import of the `openai` library.

The library's own retries are off, and its answers are taken raw: a body is looked at only after its
shape was checked. What it would read from the environment for its own vendor stays out. Its transport
over aiohttp takes a third less processor time a call than the usual one.
"""

import asyncio
import os
from typing import Any, Protocol, cast

import aiohttp
import httpx2
from openai import APIConnectionError, APIStatusError, AsyncOpenAI, DefaultAioHttpClient, Omit

from evaluation.llm.errors import HttpAnswer, TransportError, Trouble

SECONDS_TO_CONNECT = 10.0
UNSENT_HEADERS = ("OpenAI-Organization", "OpenAI-Project")


class Client(Protocol):
    """What a call needs of an endpoint; the scripted client has the same."""

    async def complete(self, body: dict[str, Any], deadline: float) -> HttpAnswer:
        """Send one chat completion and return what came, whatever its status, within `deadline` seconds.

        TransportError where nothing came.
        """

    async def close(self) -> None:
        """Let go of the connections."""


class OpenAIClient:
    """A client of any OpenAI-compatible address."""

    def __init__(self, base_url: str, key: str) -> None:
        self._options: Any = {} if key else {"headers": {"Authorization": Omit()}}
        self._openai = AsyncOpenAI(
            base_url=base_url,
            api_key=key or "none",
            max_retries=0,
            timeout=httpx2.Timeout(None, connect=SECONDS_TO_CONNECT),
            default_headers=cast(Any, {name: Omit() for name in UNSENT_HEADERS}),
            http_client=DefaultAioHttpClient(follow_redirects=False),
        )

    async def complete(self, body: dict[str, Any], deadline: float) -> HttpAnswer:
        """Send one chat completion; see `Client`."""
        try:
            async with asyncio.timeout(deadline):
                response = await self._openai.post(
                    "/chat/completions", body=body, cast_to=httpx2.Response, options=self._options
                )
        except APIStatusError as error:
            response = error.response
        except (TimeoutError, APIConnectionError) as error:
            raise TransportError(*_describe(error, deadline)) from error
        headers = {name.lower(): value for name, value in response.headers.items()}
        return HttpAnswer(response.status_code, response.content.decode("utf-8", "replace"), headers)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._openai.close()


def key_in_environment(name: str) -> str:
    """Return the key that an environment variable holds now; "" where there is none."""
    return os.environ.get(name, "") if name else ""


def _describe(error: BaseException, deadline: float) -> tuple[Trouble, str]:
    """Return what went wrong by the innermost error that tells: the layers above it rename it."""
    if isinstance(error, TimeoutError):
        return Trouble.TIMED_OUT, f"no answer within {deadline:g} seconds"
    cause: BaseException = error
    while cause.__cause__ is not None and not isinstance(cause, aiohttp.ClientError):
        cause = cause.__cause__
    if isinstance(cause, aiohttp.ConnectionTimeoutError):
        return Trouble.UNREACHABLE, f"no connection within {SECONDS_TO_CONNECT:g} seconds"
    is_unreachable = isinstance(cause, aiohttp.ClientConnectorError)
    return Trouble.UNREACHABLE if is_unreachable else Trouble.DROPPED, str(cause) or type(cause).__name__
