"""Three ways to hide fields, as people write them; VARIANT names the one that runs.

closed  everybody's serializer does not know the hidden fields, and nothing else names them.
late    one serializer knows all fields and leaves the hidden ones out as it writes a row. What it knows
        may be ordered by, unless `ordering_fields` says otherwise.
open    as closed, but all fields may be ordered by, filtered by and searched.
"""

import os

from django_filters.rest_framework import DjangoFilterBackend
from rest_framework import filters, pagination, permissions, serializers, viewsets

from directory.models import Person

VARIANT = os.environ["VARIANT"]
PUBLIC = ["id", "handle", "name", "city", "age_band", "updated_at"]
HIDDEN = ["religion", "income", "note"]


class OwnPerson(serializers.ModelSerializer):
  class Meta:
    model = Person
    fields = PUBLIC + HIDDEN


class PublicPerson(serializers.ModelSerializer):
  class Meta:
    model = Person
    fields = PUBLIC


class LatePerson(OwnPerson):
  def to_representation(self, instance):
    shown = super().to_representation(instance)
    user = self.context["request"].user
    if user.is_staff or (user.is_authenticated and instance.owner == user):
      return shown
    return {name: value for name, value in shown.items() if name not in HIDDEN}


class OwnerOrRead(permissions.IsAuthenticatedOrReadOnly):
  def has_object_permission(self, request, view, obj):
    return request.method in permissions.SAFE_METHODS or obj.owner == request.user


class Pages(pagination.LimitOffsetPagination):
  default_limit = 20


class People(viewsets.ModelViewSet):
  queryset = Person.objects.order_by("id")
  permission_classes = [OwnerOrRead]
  pagination_class = Pages
  filter_backends = [DjangoFilterBackend, filters.OrderingFilter, filters.SearchFilter]
  filterset_fields = {"city": ["exact"], "name": ["exact", "gte", "icontains"]}
  search_fields = ["name", "city"]

  def perform_create(self, serializer):
    serializer.save(owner=self.request.user)

  def get_serializer_class(self):
    if VARIANT == "late":
      return LatePerson
    return OwnPerson if self._is_for_the_owner() else PublicPerson

  def _is_for_the_owner(self):
    user = self.request.user
    if self.action == "list" or not user.is_authenticated:
      return False
    own = {"pk": self.kwargs.get("pk"), "owner": user}
    return user.is_staff or self.action == "create" or Person.objects.filter(**own).exists()


class OpenPeople(People):
  ordering_fields = "__all__"
  filterset_fields = {
      "city": ["exact"],
      "name": ["exact", "gte", "icontains"],
      "religion": ["exact", "gte", "icontains"],
      "income": ["exact", "gte"],
      "note": ["exact", "gte", "icontains"],
  }
  search_fields = ["name", "city", "religion", "income", "note"]


view = OpenPeople if VARIANT == "open" else People
