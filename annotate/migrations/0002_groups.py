"""Make the two groups that the guards ask for."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def make_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    group = apps.get_model("auth", "Group")
    for name in ("annotator", "lead"):
        group.objects.get_or_create(name=name)


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]
    operations = [migrations.RunPython(make_groups, migrations.RunPython.noop)]
