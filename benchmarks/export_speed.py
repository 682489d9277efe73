"""How many rows a second the exports of 1,000,000 items with three labels reach, and their memory.

Run: .venv/bin/python benchmarks/export_speed.py [ITEMS]. Target: 50,000 rows/s or more, flat memory.
"""

import resource
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from million_labels import load_campaign, start_django


def main(items: int) -> None:
    """Load the campaign and freeze a release on the first call, then export both in each form."""
    start_django(items)
    load_campaign(items)
    from annotate.actions.gold import freeze_gold_release
    from annotate.exporters.gold import GOLD_COLUMNS, gold_rows
    from annotate.exporters.labels import LABEL_COLUMNS, label_rows
    from annotate.models import Campaign, GoldRelease

    campaign = Campaign.objects.get()
    # The exports come before the release is frozen for the first time, so that memory is theirs alone.
    for suffix in (".jsonl", ".csv", ".parquet"):
        measure(f"labels{suffix}", suffix, LABEL_COLUMNS, lambda: label_rows(campaign))
    if not GoldRelease.objects.exists():
        begin = time.perf_counter()
        freeze_gold_release(campaign)
        print(f"frozen in {time.perf_counter() - begin:.1f} s")
    release = GoldRelease.objects.get()
    for suffix in (".jsonl", ".csv", ".parquet"):
        measure(f"gold{suffix}", suffix, GOLD_COLUMNS, lambda: gold_rows(release))


def measure(name: str, suffix: str, columns: Any, rows: Callable[[], Iterable[Any]]) -> None:
    """Encode all rows and throw the bytes away."""
    from annotate.exporters.tabular import Counted, encode_rows

    counted, before = Counted(rows()), memory()
    begin, processor = time.perf_counter(), time.process_time()
    written = sum(len(piece) for piece in encode_rows(suffix, columns, counted))
    seconds, processor = time.perf_counter() - begin, time.process_time() - processor
    print(
        f"{name}: {counted.number:,} rows, {written / 1e6:.0f} MB in {seconds:.1f} s "
        f"({processor:.1f} s of processor), {counted.number / seconds:,.0f} rows/s, "
        f"{memory() - before} MB more memory"
    )


def memory() -> int:
    """Return the largest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
