"""How fast eight annotators label at once, beside a bare Django view, and how campaigns of two sizes compare.

Run: .venv/bin/python benchmarks/label_speed.py [STEPS]. Targets: 95th percentile of saving a label and
getting the next item under 30 ms, at 80 % of the rate of a bare view that does one select and one insert;
the next item with 1,000,000 items open within 1.5 times that with 2,000.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
CLIENTS, ROUNDS = 8, 20
PORTS = {"bare_site": 8741, "config.wsgi": 8742}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TOKEN = "a" * 32
LABEL = "/campaigns/speed/label/"
FIELD = re.compile(r'name="(item|version|token|guideline)" value="([^"]*)"')

type Client = BareClient | Annotator


def main(steps: int) -> None:
    """Measure over HTTP, views in turn, then the choice of the next item by itself."""
    with tempfile.TemporaryDirectory() as folder:
        start_django(Path(folder) / "speed.sqlite3")
        sessions = make_campaign()
        with served("bare_site"), served("config.wsgi"):
            measure_http(steps, sessions)
        measure_sizes()


def start_django(path: Path) -> None:
    """Use a new database under the temporary folder, for this process and the servers."""
    import django
    from django.core.management import call_command

    sys.path.insert(0, str(ROOT))
    os.environ |= {"DATABASE_URL": f"sqlite:///{path}", "DJANGO_SETTINGS_MODULE": "config.settings"}
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "benchmarks")])
    django.setup()
    call_command("migrate", verbosity=0)


def make_campaign() -> list[str]:
    """Open a campaign of 20,000 items for eight annotators; return their session keys."""
    from annotate.actions.campaigns import create_campaign

    users = [make_user(f"annotator-{n}") for n in range(CLIENTS)]
    dataset = make_dataset("speed", 200, 100)
    create_campaign(slug="speed", dataset=dataset, users=users, overlap=CLIENTS, guideline="Label.", seed=1)
    return [sign_in(user) for user in users]


def make_user(name: str):  # noqa: ANN201 (Django is not loaded where the type would be read)
    """Make an account without a password."""
    from django.contrib.auth.models import User

    return User.objects.create(username=name)


def sign_in(user) -> str:  # noqa: ANN001
    """Return the key of a new session of the user."""
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def make_dataset(slug: str, contexts: int, preferences: int):  # noqa: ANN201
    """Make a dataset of that many contexts and preferences."""
    from annotate.models import Context, Dataset, Preference

    dataset = Dataset.objects.create(slug=slug, name=slug, content_hash="c" * 64)
    Context.objects.bulk_create(
        Context(dataset=dataset, recipient=f"Recipient {n}", task="Ask for a form", position=n)
        for n in range(contexts)
    )
    Preference.objects.bulk_create(
        Preference(dataset=dataset, category="tone", text=f"Likes answers of kind {n}.", position=n)
        for n in range(preferences)
    )
    return dataset


@contextmanager
def served(module: str) -> Iterator[None]:
    """Serve an application as `manage.py serve` does."""
    from django.conf import settings

    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--port", str(PORTS[module])]
    command += ["--workers", "1", "--blocking-threads", str(settings.WEB_THREADS), "--log-level", "warning"]
    server = subprocess.Popen([*command, f"{module}:application"], cwd=ROOT)
    try:
        wait_for(PORTS[module])
        yield
    finally:
        server.terminate()
        server.wait()


def wait_for(port: int) -> None:
    """Wait until the server answers."""
    for _ in range(200):
        try:
            connection = HTTPConnection("127.0.0.1", port)
            connection.request("GET", "/")
            connection.getresponse().read()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"Nothing answers on port {port}.")


def measure_http(steps: int, sessions: list[str]) -> None:
    """Let eight clients take their steps at once, kind by kind in turn, and print times and rates."""
    kinds = {
        "bare view": [BareClient("/bare/", key) for key in sessions],
        "bare view, signed in": [BareClient("/signed-in/", key) for key in sessions],
        "save and next item": [Annotator(key) for key in sessions],
    }
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    seconds = dict.fromkeys(kinds, 0.0)
    for _ in range(ROUNDS):
        for kind, clients in kinds.items():
            begin = time.perf_counter()
            with ThreadPoolExecutor(CLIENTS) as pool:
                done = pool.map(lambda client: timed(client, steps // ROUNDS // CLIENTS), clients)
                times[kind] += [value for values in done for value in values]
            seconds[kind] += time.perf_counter() - begin
    report(times, seconds)


def timed(client: Client, count: int) -> list[float]:
    """Take that many steps over a fresh connection; return the milliseconds of each."""
    client.connection.close()
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        client.step()
        times.append((time.perf_counter() - begin) * 1000)
    return times


def report(times: dict[str, list[float]], seconds: dict[str, float]) -> None:
    """Print a line a kind, and the share of the bare views' rates that labelling reaches."""
    rates = {kind: len(values) / seconds[kind] for kind, values in times.items()}
    for kind, values in times.items():
        middle, high = median(values), quantiles(values, n=20)[-1]
        print(f"{kind:22} {rates[kind]:6.0f}/s   p50 {middle:5.1f} ms   p95 {high:5.1f} ms")
    *bares, labelling = rates
    for bare in bares:
        print(f"labelling reaches {rates[labelling] / rates[bare]:.0%} of the rate of the {bare}")


class BareClient:
    """Somebody who sends a form to a bare view."""

    def __init__(self, address: str, session: str) -> None:
        self.connection = HTTPConnection("127.0.0.1", PORTS["bare_site"])
        self.address, self.headers = address, {"Cookie": f"sessionid={session}; csrftoken={TOKEN}", **FORM}

    def step(self) -> None:
        """Ask once."""
        self.connection.request("POST", self.address, f"csrfmiddlewaretoken={TOKEN}", self.headers)
        response = self.connection.getresponse()
        response.read()
        if response.status != 200:
            raise SystemExit(f"{self.address} answered {response.status}.")


class Annotator:
    """Somebody who labels as htmx does: saving a label brings the next item in the same answer."""

    def __init__(self, session: str) -> None:
        self.connection = HTTPConnection("127.0.0.1", PORTS["config.wsgi"])
        self.connection.request("GET", LABEL, headers={"Cookie": f"sessionid={session}"})
        response = self.connection.getresponse()
        self.page = response.read().decode()
        self.headers = {"Cookie": f"sessionid={session}; csrftoken={TOKEN}", "X-CSRFToken": TOKEN}
        self.headers |= {"HX-Request": "true", **FORM}

    def step(self) -> None:
        """Label the item shown."""
        form = dict(FIELD.findall(self.page)) | {"answer": "apply"}
        self.connection.request("POST", LABEL, urlencode(form), self.headers)
        response = self.connection.getresponse()
        self.page = response.read().decode()
        if response.status != 200:
            raise SystemExit(f"Labelling answered {response.status}: {self.page[:300]}")


def measure_sizes() -> None:
    """Take the next item in campaigns of 2,000 and 1,000,000 items in turn, the very first call apart."""
    from annotate.actions.campaigns import create_campaign

    seats = {}
    for name, contexts, preferences in (("small", 40, 50), ("large", 1000, 1000)):
        begin = time.perf_counter()
        dataset = make_dataset(name, contexts, preferences)
        users = [make_user(f"{name}-{n}") for n in range(20)]
        campaign = create_campaign(slug=name, dataset=dataset, users=users, seed=2)
        seats[contexts * preferences] = list(campaign.annotators.all())
        print(f"{contexts * preferences:,} items opened in {time.perf_counter() - begin:.1f} s")
    first, later = {}, {}
    for size, annotators in seats.items():
        next_and_skip(annotators[0])
        first[size] = [next_and_skip(annotator) for annotator in annotators[1:]]
        later[size] = []
    for _ in range(15):
        for size, annotators in seats.items():
            later[size] += [next_and_skip(annotator) for annotator in annotators]
    print(json.dumps({"first call, ms": medians(first), "later calls, ms": medians(later)}, indent=2))


def next_and_skip(annotator) -> float:  # noqa: ANN001
    """Return the milliseconds of getting the next item, and put the item off."""
    from annotate.actions.assigning import next_item
    from annotate.actions.labelling import skip_item

    begin = time.perf_counter()
    assignment = next_item(annotator)
    milliseconds = (time.perf_counter() - begin) * 1000
    skip_item(annotator, assignment.item)
    return milliseconds


def medians(times: dict[int, list[float]]) -> dict[str, float]:
    """Return the median for each size, and how many times longer the larger takes."""
    small, large = (median(values) for values in times.values())
    ratio = round(large / small, 2)
    return {"2,000 items": round(small, 2), "1,000,000 items": round(large, 2), "ratio": ratio}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8_000)
