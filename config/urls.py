"""Every address of the site."""

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from annotate.views.accounts import ChoosePassword, api_token

API: list[URLPattern | URLResolver] = [
    path("", include("annotate.api.urls")),
    path("", include("evaluation.api.urls")),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path(
        "docs/",
        SpectacularSwaggerSplitView.as_view(url_name="api-schema", template_name="api_docs.html"),
        name="api-docs",
    ),
]

urlpatterns = [
    path("", include("annotate.urls")),
    path("", include("evaluation.urls")),
    path("api/v1/", include(API)),
    path("accounts/login/", LoginView.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/password_change/", ChoosePassword.as_view(), name="password_change"),
    path("accounts/token/", api_token, name="api-token"),
    # The admin's own page would leave a one-time password marked as such.
    path("admin/password_change/", RedirectView.as_view(pattern_name="password_change")),
    path("admin/", admin.site.urls),
]
