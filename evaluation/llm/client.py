"""The one way to an endpoint, and the one import of the `openai` library.

The library's own retries are off, and its answers are taken raw: a body is looked at only after its
shape was checked. What it would read from the environment for its own vendor stays out.
"""

import asyncio
import os
from typing import Any, Protocol, cast

import httpx2
from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI, Omit

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
            http_client=httpx2.AsyncClient(transport=_Connections(), follow_redirects=False),
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
        except (TimeoutError, APITimeoutError) as error:
            raise TransportError(*_timed_out(error, deadline)) from error
        except APIConnectionError as error:
            raise TransportError(*_describe(error)) from error
        headers = {name.lower(): value for name, value in response.headers.items()}
        return HttpAnswer(response.status_code, response.content.decode("utf-8", "replace"), headers)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._openai.close()


def key_in_environment(name: str) -> str:
    """Return the key that an environment variable holds now; "" where there is none."""
    return os.environ.get(name, "") if name else ""


class _Connections(httpx2.AsyncBaseTransport):
    """One connection a call under way, used again in turn.

    A pool of many connections looks at each of them for every request, which costs a third of a
    call's processor time at 64 connections.
    """

    def __init__(self) -> None:
        self._verify = httpx2.create_ssl_context()
        self._idle: list[httpx2.AsyncHTTPTransport] = []
        self._all: list[httpx2.AsyncHTTPTransport] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        connection = self._idle.pop() if self._idle else self._new()
        try:
            response = await connection.handle_async_request(request)
            await response.aread()
        finally:
            self._idle.append(connection)
        return response

    async def aclose(self) -> None:
        for connection in self._all:
            await connection.aclose()

    def _new(self) -> httpx2.AsyncHTTPTransport:
        connection = httpx2.AsyncHTTPTransport(verify=self._verify, limits=httpx2.Limits(max_connections=1))
        self._all.append(connection)
        return connection


def _timed_out(error: Exception, deadline: float) -> tuple[Trouble, str]:
    if isinstance(error.__cause__, httpx2.ConnectTimeout):
        return Trouble.UNREACHABLE, f"no connection within {SECONDS_TO_CONNECT:g} seconds"
    return Trouble.TIMED_OUT, f"no answer within {deadline:g} seconds"


def _describe(error: APIConnectionError) -> tuple[Trouble, str]:
    cause = error.__cause__
    words = f"{type(cause or error).__name__}: {cause or error}"
    return Trouble.UNREACHABLE if isinstance(cause, httpx2.ConnectError) else Trouble.DROPPED, words
