"""Django REST Framework on SQLite, with the server that Django has for development."""

import json
import os

import django
from django.conf import settings
from django.core.management import call_command

PORT = os.environ["PORT"]

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1", "localhost"],
    DATABASES={"default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": "people.db",
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20},
    }},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "rest_framework",
        "rest_framework.authtoken", "django_filters", "directory",
    ],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.TokenAuthentication"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    },
    ROOT_URLCONF="routes",
    SECRET_KEY="live-secret",
    USE_TZ=True,
)
django.setup()


def fill():
  from django.contrib.auth.models import User
  from directory.models import Person

  with open("accounts.json", encoding="utf-8") as file:
    for account in json.load(file):
      User.objects.create_user(account["email"], account["email"], account["password"],
                               is_staff=account["role"] == "admin")
  with open("people.json", encoding="utf-8") as file:
    Person.objects.bulk_create(Person(**row) for row in json.load(file))


if not os.path.exists("people.db"):
  call_command("migrate", run_syncdb=True, verbosity=0)
  fill()
call_command("runserver", f"127.0.0.1:{PORT}", use_reloader=False, skip_checks=True)
