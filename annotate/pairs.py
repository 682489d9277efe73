"""The words of PairPref: what a contrast pair is made of, under the names that every part of Tact uses."""

SIDES = ("positive", "negative")
ROLES = ("memory", "acknowledged", "plain", "off_task")
CATEGORIES = (
    "companions",
    "occasion",
    "time_constraint",
    "beneficiary_shift",
    "role_shift",
    "resource_constraint",
    "physical_state",
    "emotional_state",
)
DOMAINS = ("food", "film", "activities", "goods", "routines", "social_interaction")
TIERS = ("clean", "distractor")
# Companion memories of one preference by kind. With the preference itself near, middle and far fill the pool
# of 16; control takes the place of all three.
COMPANIONS = {"near": 4, "middle": 5, "far": 6, "control": 15}


def words_of(name: str) -> str:
    """Return a name as pages show it: `time_constraint` as *time constraint*."""
    return name.replace("_", " ")
