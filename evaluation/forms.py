"""Forms of the admin for endpoints and runs."""

from typing import Any

from django import forms

from evaluation.models import Endpoint


class EndpointForm(forms.ModelForm):
    """An endpoint. What was refused as a possible key is not sent back to the page."""

    class Meta:
        model = Endpoint
        fields = [
            "name",
            "base_url",
            "model",
            "key_env",
            "parameters",
            "concurrency",
            "deadline",
            "is_embedded",
        ]

    def full_clean(self) -> None:
        """Check all fields, then forget the values of those that may hold a key."""
        super().full_clean()
        refused = {"base_url", "key_env", "parameters"} & set(self.errors)
        if refused:
            self.data: Any = {name: value for name, value in self.data.items() if name not in refused}
