"""What pages send."""

from django import forms


class AnswerForm(forms.Form):
    """An annotator's answer on the item shown, with what makes a repeat harmless and a stale page known."""

    ANSWERS = ("apply", "suppress", "skip", "flag")

    item = forms.IntegerField(min_value=0)
    version = forms.IntegerField(min_value=0)
    token = forms.UUIDField()
    guideline = forms.IntegerField(min_value=0)
    answer = forms.ChoiceField(choices=[(answer, answer) for answer in ANSWERS])
    comment = forms.CharField(required=False, max_length=5_000)
