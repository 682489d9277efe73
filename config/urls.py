"""Every address of the site."""

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

from annotate.views.accounts import ChoosePassword, api_token

urlpatterns = [
    path("", include("annotate.urls")),
    path("", include("evaluation.urls")),
    path("accounts/login/", LoginView.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/password_change/", ChoosePassword.as_view(), name="password_change"),
    path("accounts/token/", api_token, name="api-token"),
    path("admin/", admin.site.urls),
]
