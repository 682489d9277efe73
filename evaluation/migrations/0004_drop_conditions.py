from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0003_name_arms_of_earlier_runs")]

    operations = [
        migrations.RemoveField(model_name="run", name="conditions"),
        migrations.RemoveField(model_name="run", name="temperature"),
    ]
