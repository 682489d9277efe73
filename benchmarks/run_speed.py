"""How close a run comes to the rate that its endpoint allows.

    python benchmarks/run_speed.py
    DATABASE_URL=postgres://user@127.0.0.1:5432/postgres python benchmarks/run_speed.py

1,170 messages and 4,680 verdicts by a judge, each prompt of about 10 kB, against a local endpoint in a
process of its own that answers after 200 ms, 64 at a time. The ideal is the number of calls times 200 ms
over 64. On SQLite the run has a new database file; on PostgreSQL, a new database that is dropped again.
A small run before it lets the endpoint's capabilities be known, as in a second run.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SECONDS_AN_ANSWER = 0.2
AT_ONCE = 64
PROFILES, CONTEXTS, CATEGORIES, SAMPLES = 10, 39, 4, 3
BYTES = 10_000


def serve() -> None:
    """Answer chat completions after a fixed time, on a port that is printed."""
    asyncio.run(_serve())


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(_Connection, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def _response(content: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 2500, "completion_tokens": 12, "total_tokens": 2512}
    body = json.dumps({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


VERDICT = _response('{"label": "follow"}')
MESSAGE = _response("Dear Sir or Madam, I write about the matter at hand. " * (BYTES // 53))


class _Connection(asyncio.Protocol):
    """Reads requests of known length, one after the other."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]
        self.received = b""

    def data_received(self, data: bytes) -> None:
        self.received += data
        head, found, rest = self.received.partition(b"\r\n\r\n")
        if not found or len(rest) < int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0]):
            return
        answer = VERDICT if b"response_format" in rest else MESSAGE
        self.received = b""
        asyncio.get_running_loop().call_later(SECONDS_AN_ANSWER, self.transport.write, answer)


def main() -> None:
    """Measure one run and print its rate beside the ideal one."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder}/run.sqlite3")
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        sys.path.insert(0, str(ROOT))
        server = subprocess.Popen([sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            measure(int(server.stdout.readline()))
        finally:
            server.terminate()
            server.wait()


def measure(port: int) -> None:
    """Make a database, warm up with one profile, then run and print."""
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import setup_databases, teardown_databases

    databases = setup_databases(verbosity=0, interactive=False)
    try:
        release, endpoint = make_rows(port)
        run_once(release, endpoint, profiles=1, contexts=2, samples=1)
        calls, seconds, processor = run_once(release, endpoint, samples=SAMPLES)
    finally:
        name = connection.vendor
        teardown_databases(databases, verbosity=0)
    ideal = calls * SECONDS_AN_ANSWER / AT_ONCE
    print(
        f"{name}: {calls} calls in {seconds:.1f} s, ideal {ideal:.1f} s: {ideal / seconds:.1%} of the ideal "
        f"rate; {processor / calls * 1000:.2f} ms of processor time a call"
    )


def make_rows(port: int) -> tuple[Any, Any]:
    """Make a corpus whose prompts have about 10 kB, a release without labels, and the endpoint."""
    from annotate.models import (
        Context,
        Dataset,
        GoldRelease,
        MemoryStatement,
        Preference,
        Profile,
        ProfilePreference,
    )
    from evaluation.models import Endpoint

    dataset = Dataset.objects.create(slug="speed", name="Speed", content_hash="c" * 64)
    for place in range(CONTEXTS):
        Context.objects.create(dataset=dataset, recipient=f"Office {place}", task="Ask", position=place)
    preferences = [
        Preference.objects.create(dataset=dataset, category=f"c{n}", text=f"Likes {n}.", position=n)
        for n in range(CATEGORIES)
    ]
    preferences.append(
        Preference.objects.create(
            dataset=dataset,
            category="nickname",
            text="Is called Joker.",
            nickname="Joker",
            position=CATEGORIES,
        )
    )
    for number in range(PROFILES):
        profile = Profile.objects.create(
            dataset=dataset, key=f"p{number}", name=f"Person {number}", position=number
        )
        facts = (f"Fact {place} of person {number}: has a thing." for place in range(BYTES // 42))
        MemoryStatement.objects.bulk_create(
            MemoryStatement(profile=profile, position=place, text=text) for place, text in enumerate(facts)
        )
        for place, preference in enumerate(preferences, start=BYTES):
            ProfilePreference.objects.create(profile=profile, preference=preference, position=place)
    release = GoldRelease.objects.create(
        dataset=dataset,
        number=1,
        origin="imported",
        corpus_version=1,
        corpus_hash=dataset.content_hash,
        content_hash="d" * 64,
        counts={},
    )
    endpoint = Endpoint.objects.create(
        name="speed", base_url=f"http://127.0.0.1:{port}/v1", model="m", concurrency=AT_ONCE
    )
    return release, endpoint


def run_once(release: Any, endpoint: Any, **plan: Any) -> tuple[int, float, float]:
    """Run to the end; return its calls, its seconds and the seconds of processor time."""
    from evaluation.actions import create_run, start_run
    from evaluation.models import Run
    from evaluation.running.execution import run_shard

    endpoint.refresh_from_db()
    run = create_run(
        dataset=release.dataset, release=release, endpoint=endpoint, judges=[(endpoint, "")], **plan
    )
    start_run(run)
    started, processor = time.perf_counter(), time.process_time()
    run_shard(run.shards.first().pk)
    seconds, processor = time.perf_counter() - started, time.process_time() - processor
    run.refresh_from_db()
    if run.state != Run.State.DONE:
        raise SystemExit(f"The run is {run.state}: {run.state_reason}")
    return run.calls.count(), seconds, processor


if __name__ == "__main__":
    serve() if "--serve" in sys.argv else main()
