"""Addresses of the API of machines' answers, below /api/v1/."""

from rest_framework.routers import SimpleRouter

from evaluation.api.endpoints import EndpointViewSet

router = SimpleRouter()
router.register("endpoints", EndpointViewSet, basename="api-endpoint")

urlpatterns = router.urls
