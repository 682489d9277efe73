"""The endpoints of a run, ready to be asked: the subject and its judges."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from evaluation.llm.call import Caller, EndpointStoppedError, World
from evaluation.llm.client import Client, OpenAIClient, key_in_environment
from evaluation.llm.concurrency import Limit
from evaluation.llm.retry import Patience
from evaluation.models import Endpoint, Run
from evaluation.running.shards import share_of

MakeClient = Callable[[str, str], Client]


class Callers:
    """One caller an endpoint, however many parts it has in the run."""

    def __init__(
        self, run: Run, make_client: MakeClient = OpenAIClient, patience: Patience | None = None
    ) -> None:
        self.run = run
        self.judges = {judge.pk: judge for judge in run.judges.select_related("endpoint")}
        self.by_endpoint: dict[int, Caller] = {}
        self._saved: dict[int, dict[str, Any]] = {}
        self._concurrency: dict[int, int] = {}
        self._places: dict[int, dict[str, str]] = {}
        parts = [(run.endpoint, run.endpoint_snapshot)]
        parts += [(judge.endpoint, judge.endpoint_snapshot) for judge in self.judges.values()]
        for endpoint, snapshot in parts:
            if endpoint.pk not in self.by_endpoint:
                place = {name: snapshot[name] for name in ("base_url", "model")}
                is_there = all(getattr(endpoint, name) == value for name, value in place.items())
                lessons = dict(endpoint.capabilities) if is_there else {}
                self._places[endpoint.pk] = place
                self._concurrency[endpoint.pk] = snapshot["concurrency"]
                self.by_endpoint[endpoint.pk] = _caller(
                    snapshot, lessons, make_client, patience or Patience()
                )
                self._saved[endpoint.pk] = dict(lessons)

    @property
    def subject(self) -> Caller:
        """Return the caller of the model that the run measures."""
        return self.by_endpoint[self.run.endpoint_id]

    def judge(self, judge_id: int) -> Caller:
        """Return the caller of a judge."""
        return self.by_endpoint[self.judges[judge_id].endpoint_id]

    def seconds_to_rest(self, now: datetime) -> float:
        """Return how long some endpoint of the run still wants no call."""
        ends = [caller.capabilities.get("rests_until") for caller in self.by_endpoint.values()]
        return max(((datetime.fromisoformat(end) - now).total_seconds() for end in ends if end), default=0.0)

    def share_limits(self) -> None:
        """Divide the limit of each endpoint among the workers that ask it now."""
        for pk, caller in self.by_endpoint.items():
            caller.limit.share(share_of(pk, self._concurrency[pk]))

    def save_lessons(self) -> None:
        """Remember what was found out about the endpoints, unless they have moved to another place since."""
        for pk, caller in self.by_endpoint.items():
            if caller.capabilities != self._saved[pk]:
                self._saved[pk] = dict(caller.capabilities)
                same = Endpoint.objects.filter(pk=pk, **self._places[pk])
                same.update(capabilities=self._saved[pk])


def _caller(
    snapshot: Mapping[str, Any], lessons: dict[str, Any], make_client: MakeClient, patience: Patience
) -> Caller:
    """Make the caller of an endpoint as the run knows it; its key is taken from the environment now."""
    name, key_env = snapshot["name"], snapshot["key_env"]
    key = key_in_environment(key_env).strip()
    if key_env and not (key and key.isascii() and key.isprintable()):
        state = "holds no usable key" if key else "is not set"
        raise EndpointStoppedError(
            f"The environment variable {key_env}, which names the key of endpoint {name}, "
            f"{state} where the worker runs. Set it there and start the worker again."
        )
    world = World()
    return Caller(
        name=name,
        client=make_client(snapshot["base_url"], key),
        model=snapshot["model"],
        limit=Limit(snapshot["concurrency"], world.clock),
        capabilities=lessons,
        deadline=float(snapshot["deadline"]),
        key=key,
        patience=patience,
        world=world,
    )
