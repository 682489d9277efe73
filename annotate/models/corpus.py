"""A dataset: profiles with their memory, preferences shared between them, and contexts."""

from django.conf import settings
from django.db import models


class Dataset(models.Model):
    """A corpus under a name. Its content only changes by an import, which raises the version."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    source = models.TextField(blank=True, help_text="Where the content comes from.")
    licence = models.CharField(max_length=200, blank=True)
    version = models.PositiveIntegerField(default=1)
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of the content in its canonical form.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug


class CorpusVersion(models.Model):
    """One import that changed a dataset: what came, from whom, what it changed. Never edited."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="versions")
    version = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    file_name = models.CharField(max_length=255)
    file_hash = models.CharField(max_length=64)
    changes = models.JSONField(default=dict, help_text="Counts of rows added, changed and removed, by kind.")
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    imported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["dataset", "version"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "version"], name="one_import_per_corpus_version")
        ]

    def __str__(self) -> str:
        return f"{self.dataset} v{self.version}"


class Profile(models.Model):
    """A user whose memory a model is given."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="profiles")
    key = models.CharField(max_length=100)
    name = models.CharField(max_length=200)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["dataset", "position"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "key"], name="profile_key_once_per_dataset")
        ]

    def __str__(self) -> str:
        return self.name


class MemoryStatement(models.Model):
    """A factual statement in a profile's memory. `position` counts facts and preferences together."""

    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="statements")
    position = models.PositiveIntegerField()
    text = models.TextField()
    domain = models.CharField(max_length=100, blank=True, help_text="Information field, e.g. finance.")

    class Meta:
        ordering = ["profile", "position"]
        constraints = [
            models.UniqueConstraint(fields=["profile", "position"], name="one_statement_per_position")
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Preference(models.Model):
    """A remembered preference. Profiles that hold the same text share one row, and so its labels."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="preferences")
    category = models.CharField(max_length=100, blank=True)
    text = models.TextField()
    nickname = models.CharField(
        max_length=100, blank=True, help_text="The exact nickname, for preferences that are judged by match."
    )
    key = models.CharField(max_length=100, blank=True, help_text="How contrast pairs name it, e.g. M07.")
    domain = models.CharField(max_length=100, blank=True, help_text="Of PairPref, e.g. food.")
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["dataset", "position"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "text"], name="preference_text_once_per_dataset"),
            models.UniqueConstraint(
                fields=["dataset", "key"], condition=~models.Q(key=""), name="preference_key_once_per_dataset"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class ProfilePreference(models.Model):
    """A preference in a profile's memory, at its place among the statements."""

    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="held_preferences")
    preference = models.ForeignKey(Preference, on_delete=models.CASCADE, related_name="holders")
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["profile", "position"]
        constraints = [
            models.UniqueConstraint(fields=["profile", "preference"], name="profile_holds_preference_once")
        ]

    def __str__(self) -> str:
        return f"{self.profile}: {self.preference}"


class Context(models.Model):
    """A recipient and a task that a message is written for."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="contexts")
    recipient = models.CharField(max_length=200)
    task = models.CharField(max_length=500)
    domains = models.JSONField(default=list, help_text="List of domain names, in the order of the data.")
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["dataset", "position"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "recipient", "task"], name="context_once_per_dataset")
        ]

    def __str__(self) -> str:
        return f"{self.recipient}: {self.task}"


class SuppliedPrompt(models.Model):
    """A whole prompt that the corpus brings for a profile and a context; it is sent as it is."""

    profile = models.ForeignKey(Profile, on_delete=models.CASCADE, related_name="supplied_prompts")
    context = models.ForeignKey(Context, on_delete=models.CASCADE, related_name="supplied_prompts")
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["profile", "context"], name="one_prompt_per_profile_and_context")
        ]

    def __str__(self) -> str:
        return f"prompt of {self.profile} for {self.context}"
