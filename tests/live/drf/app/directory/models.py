from django.conf import settings
from django.db import models


class Person(models.Model):
  handle = models.CharField(max_length=40, unique=True)
  name = models.CharField(max_length=80)
  city = models.CharField(max_length=40)
  age_band = models.CharField(max_length=20)
  religion = models.CharField(max_length=40)
  income = models.IntegerField()
  note = models.CharField(max_length=200)
  updated_at = models.DateTimeField(auto_now=True)
  owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE)
