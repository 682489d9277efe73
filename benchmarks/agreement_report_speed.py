"""How long the agreement report takes over 1,000,000 items with three labels each, and its memory.

Run: .venv/bin/python benchmarks/agreement_report_speed.py [ITEMS]. Target: under 10 s on two cores.
"""

import resource
import sys
import time

from million_labels import load_campaign, start_django


def main(items: int) -> None:
    """Load the campaign on the first call, then report on it."""
    start_django(items)
    load_campaign(items)
    from annotate.models import Campaign
    from annotate.reports import agreement_report

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, processor = time.perf_counter(), time.process_time()
    report = agreement_report(Campaign.objects.get())
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    print(f"{report['items']:,} items, {report['complete']:,} complete")
    for name in ("yield", "percent_agreement", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1"):
        print(f"  {name}: {report[name]['value']:.4f}")
    print(f"{wall:.1f} s ({processor:.1f} s of processor), {memory} MB more memory")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
