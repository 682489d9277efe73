"""What the PairPref paper reports (tables 2, 3, 12, 13, 15, 16 and 17), to lay beside a run; never ours.

Rates in per cent, differences in points, over 1,227 pairs of 45 preferences or what is retained of them.
"""

from dataclasses import dataclass

SOURCE = "PairPref (Lu, Wu and Zhang), tables 2, 3, 12, 13, 15, 16 and 17"


@dataclass(frozen=True)
class Published:
    """A model's main results in both tracks; None where the paper reports nothing.

    `delta_low` and `delta_high` are the ends of the 95 % interval of `delta`.
    """

    model: str
    use_positive: float
    use_negative: float
    delta: float
    delta_low: float
    delta_high: float
    pair_success: float
    retained: int
    use_both: float
    generation_pair_success: float
    generation_delta: float
    generation_use_positive: float | None = None
    generation_use_negative: float | None = None

    @property
    def delta_with_interval(self) -> str:
        """Return the difference with its interval, as the table writes it."""
        return f"{self.delta:.1f} [{self.delta_low:.1f}, {self.delta_high:.1f}]"


@dataclass(frozen=True)
class PublishedMatch:
    """How many common pairs succeeded in selection and how many of these use both in generation."""

    model: str
    common: int
    selection_success: int
    use_both: int
    rate: float


@dataclass(frozen=True)
class PublishedClassifier:
    """An answer-free classifier, under the name of its condition; None where the paper reports nothing."""

    condition: str
    use_positive: float
    use_negative: float
    delta: float
    both_relevant: float | None = None
    both_sufficient: float | None = None


@dataclass(frozen=True)
class PublishedWording:
    """The effect of the prompt's wording; None where the paper reports nothing."""

    model: str
    use_negative_nudge: float
    use_negative_bare: float
    use_negative_mitigate: float
    use_both_nudge: float
    use_both_mitigate: float | None = None
    generation_pair_success_mitigate: float | None = None


@dataclass(frozen=True)
class PublishedPresentation:
    """Use on the negative side in selection, by how the memories are presented."""

    model: str
    system_list: float
    user_block: float
    dialog: float


PUBLISHED = (
    Published("Claude Opus 5", 76.4, 11.5, 64.9, 58.2, 70.6, 66.4, 1067, 88.7, 9.3, 1.5),
    Published("Kimi K3", 76.0, 18.3, 57.6, 50.8, 63.6, 59.5, 1091, 83.6, 10.6, 6.8, 84.4, 77.6),
    Published("GPT-6 Astra", 71.2, 14.7, 56.6, 49.8, 62.6, 57.9, 1068, 71.0, 17.9, 10.9, 78.3, 67.4),
    Published("GLM-5.3", 75.1, 18.4, 56.6, 50.3, 61.9, 58.4, 1056, 90.8, 5.7, 3.3, 87.5, 84.2),
    Published("Gemini 3.5 Flash", 78.9, 22.9, 56.0, 49.1, 62.5, 57.9, 1065, 75.1, 18.3, 14.0, 78.8, 64.7),
    Published("DeepSeek V4 Pro", 76.4, 23.0, 53.5, 47.4, 58.6, 55.2, 1107, 81.3, 13.5, 10.7, 84.1, 73.4),
    Published("Qwen 3.8 Max", 71.6, 20.3, 51.3, 45.0, 56.9, 54.1, 1011, 81.2, 12.7, 8.3, 83.9, 75.6),
    Published("Grok 4.6", 75.1, 57.4, 17.7, 12.2, 22.3, 23.6, 1153, 92.0, 3.6, 2.8),
)

MATCHES = (
    PublishedMatch("Claude Opus 5", 1067, 719, 641, 89.2),
    PublishedMatch("Kimi K3", 1091, 654, 561, 85.8),
    PublishedMatch("GPT-6 Astra", 1068, 622, 455, 73.2),
    PublishedMatch("GLM-5.3", 1056, 615, 567, 92.2),
    PublishedMatch("Gemini 3.5 Flash", 1065, 613, 440, 71.8),
    PublishedMatch("DeepSeek V4 Pro", 1107, 624, 517, 82.9),
    PublishedMatch("Qwen 3.8 Max", 1011, 549, 446, 81.2),
    PublishedMatch("Grok 4.6", 1153, 272, 245, 90.1),
)

CLASSIFIERS = (
    PublishedClassifier("preference_only", 99.4, 99.4, 0.0),
    PublishedClassifier("relevance_gate", 87.9, 25.2, 62.7, 98.6, 61.3),
)

WORDINGS = (
    PublishedWording("Claude Opus 5", 11.5, 11.5, 3.6, 88.7),
    PublishedWording("GPT-6 Astra", 14.7, 16.3, 7.9, 71.0, 54.0, 26.8),
    PublishedWording("Kimi K3", 18.3, 20.0, 12.0, 83.6, 85.5, 9.5),
    PublishedWording("GLM-5.3", 18.4, 20.0, 8.1, 90.8, 85.2, 10.3),
    PublishedWording("Qwen 3.8 Max", 20.3, 22.2, 11.0, 81.2),
    PublishedWording("Gemini 3.5 Flash", 22.9, 25.3, 19.0, 75.1, 72.5, 20.8),
    PublishedWording("DeepSeek V4 Pro", 23.0, 25.7, 15.2, 81.3, 84.6, 11.9),
    PublishedWording("Grok 4.6", 57.4, 57.0, 39.0, 92.0),
)

PRESENTATIONS = (
    PublishedPresentation("Claude Opus 5", 11.5, 12.0, 12.7),
    PublishedPresentation("GPT-6 Astra", 14.7, 16.3, 20.1),
    PublishedPresentation("Kimi K3", 18.3, 19.6, 20.6),
    PublishedPresentation("GLM-5.3", 18.4, 20.0, 20.9),
    PublishedPresentation("Qwen 3.8 Max", 20.3, 23.1, 27.1),
    PublishedPresentation("Gemini 3.5 Flash", 22.9, 24.6, 25.6),
    PublishedPresentation("DeepSeek V4 Pro", 23.0, 26.2, 27.5),
    PublishedPresentation("Grok 4.6", 57.4, 58.4, 58.4),
)
