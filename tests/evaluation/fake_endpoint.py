"""A real HTTP server on this machine that answers, or misbehaves, as a test says."""

import json
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from zlib import crc32

FOLLOW = '{"label": "follow"}'
DO_NOT_FOLLOW = '{"label": "do_not_follow"}'


@dataclass(frozen=True)
class Answer:
    """What to send. Without a status the connection is dropped; `hold` waits for the test first."""

    status: int | None = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    hold: threading.Event | None = None


@dataclass(frozen=True)
class Asked:
    """One request: its parsed body, and the headers it came with."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def prompt(self) -> str:
        return self.body["messages"][-1]["content"]

    @property
    def is_judging(self) -> bool:
        return "You check whether a message reflects" in self.prompt


Behave = Callable[[Asked, int], Answer]


def says(content: str | None, finish_reason: str = "stop", **message: Any) -> Answer:
    """An ordinary chat completion."""
    choice = {"message": {"role": "assistant", "content": content, **message}, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 60}}
    return Answer(body={"choices": [choice], "usage": usage})


def fails(status: int, message: str = "no", headers: dict[str, str] | None = None, **error: Any) -> Answer:
    """An error in the usual form."""
    return Answer(status, {"error": {"message": message, **error}}, headers or {})


def behaves_well(asked: Asked, times: int) -> Answer:
    """Write a message of its own to each prompt, signed Joker, and find that it follows every preference."""
    return says(FOLLOW) if asked.is_judging else says(f"Dear all, {crc32(asked.prompt.encode())}. Joker")


class FakeEndpoint:
    """The server. `behave` gets a request and how often the same was asked before, counted from 0."""

    def __init__(self, behave: Behave) -> None:
        self.behave = behave
        self.requests: list[Asked] = []
        self.times: Counter[str] = Counter()
        self.arrived = threading.Event()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def serve(self) -> None:
        self._server.serve_forever(poll_interval=0.01)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def note(self, asked: Asked) -> int:
        """Remember a request; return how often it came before."""
        same = json.dumps([asked.body["messages"], asked.body.get("seed")])
        with self._lock:
            self.requests.append(asked)
            self.times[same] += 1
            self.arrived.set()
            return self.times[same] - 1

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked = Asked(body, {name.lower(): value for name, value in self.headers.items()})
                answer = endpoint.behave(asked, endpoint.note(asked))
                if answer.hold:
                    answer.hold.wait(30)
                try:
                    self.answer(answer)
                except OSError:
                    self.close_connection = True

            def answer(self, answer: Answer) -> None:
                if answer.status is None:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                is_text = isinstance(answer.body, str)
                content = (answer.body if is_text else json.dumps(answer.body)).encode()
                self.send_response(answer.status)
                for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: Any) -> None:
                pass

        return Handler


@contextmanager
def fake_endpoint(behave: Behave = behaves_well) -> Iterator[FakeEndpoint]:
    """Run a server for as long as the block lasts."""
    endpoint = FakeEndpoint(behave)
    thread = threading.Thread(target=endpoint.serve, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.close()
        thread.join()
