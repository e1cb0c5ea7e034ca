from django.urls import include, path
from rest_framework.authtoken.views import obtain_auth_token
from rest_framework.routers import DefaultRouter

from directory.views import view

router = DefaultRouter()
router.register("people", view)
urlpatterns = [path("api/login/", obtain_auth_token), path("api/", include(router.urls))]
