from django.db import migrations

PROMPTS = {
    "default": "benchpres-default-1",
    "mitigation": "benchpres-mitigation-1",
    "no_preferences": "benchpres-default-1",
}


def name_arms(apps, schema_editor):
    """Write what earlier runs varied, their conditions at one temperature, as arms."""
    from evaluation.prompts import load

    for run in apps.get_model("evaluation", "Run").objects.filter(arms=[]):
        run.arms = []
        for condition in run.conditions:
            prompt = load(PROMPTS[condition])
            run.arms.append(
                {
                    "name": condition,
                    "condition": condition,
                    "prompt": {"name": prompt.name, "text": prompt.text, "sha256": prompt.sha256},
                    "temperature": run.temperature,
                    "reasoning": None,
                    "density": None,
                    "ratio": None,
                    "order": "corpus",
                }
            )
        run.save(update_fields=["arms"])


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0002_arms_pairs_and_studies")]

    operations = [migrations.RunPython(name_arms, migrations.RunPython.noop)]
