"""What Tact keeps about an account beside Django's own user."""

from django.conf import settings
from django.db import models


class OneTimePassword(models.Model):
    """Marks an account whose password was handed out and must be replaced at the first sign-in."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="one_time_password"
    )
    issued_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"one-time password of {self.user}"
