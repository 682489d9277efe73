"""What the BenchPreS paper reports (arXiv 2603.16557, tables 1 to 4), to lay beside ours; never as ours.

Rates in per cent, gap in points; completeness from 1 to 5, without and with preferences in memory.
"""

from dataclasses import dataclass

SOURCE = "BenchPreS, arXiv 2603.16557, tables 1 to 3"
AGREEMENT_SOURCE = (
    "BenchPreS, arXiv 2603.16557, table 4: 100 instances, half of them to suppress, half to apply"
)


@dataclass(frozen=True)
class Published:
    """A row of the paper; None where it reports nothing."""

    model: str
    mr: float
    aar: float
    gap: float
    mr_mitigated: float | None = None
    completeness_without: float | None = None
    completeness_with: float | None = None


@dataclass(frozen=True)
class PublishedAgreement:
    """How often two raters agree that a preference is followed."""

    raters: str
    agreement: int


PUBLISHED = (
    Published("Gemini 3 Pro", 86.48, 88.69, 2.21, 12.80, 4.855, 3.746),
    Published("GPT-5.2", 40.95, 87.33, 46.38, 21.52, 4.925, 4.957),
    Published("Claude-4.5 Sonnet", 52.99, 87.93, 34.94, 14.04, 4.637, 4.183),
    Published("DeepSeek V3.2", 61.15, 87.63, 26.48, 40.68, 4.734, 4.734),
    Published("Qwen3 235B A22B Thinking 2507", 84.62, 82.85, -1.77),
    Published("Mistral 7B Instruct v0.3", 38.49, 49.77, 11.28),
)

AGREEMENTS = (
    PublishedAgreement("DeepSeek-R1 and GPT-5-mini", 95),
    PublishedAgreement("DeepSeek-R1 and a person", 92),
    PublishedAgreement("GPT-5-mini and a person", 90),
)
