"""Settings, all from the environment; docs/operators.md lists every variable.

Two profiles. `local` (the default) answers this machine only and keeps its secret key in `var/`.
`production` refuses to start without a secret key and allowed hosts.
"""

import os
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from django.utils.csp import CSP

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = BASE_DIR / "var"

env = environ.Env()
PROFILE = env.str("TACT_PROFILE", "local")
if PROFILE not in {"local", "production"}:
    raise ImproperlyConfigured(f"TACT_PROFILE is {PROFILE!r}; expected 'local' or 'production'.")
IS_PRODUCTION = PROFILE == "production"


def local_secret_key() -> str:
    """Read the key of this machine's local profile, making it on first use, readable by its owner only."""
    path = VAR_DIR / "secret_key"
    VAR_DIR.mkdir(exist_ok=True)
    try:
        with open(path, "x", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(get_random_secret_key())
    except FileExistsError:
        pass
    return path.read_text()


def required(name: str, purpose: str) -> str:
    """Return a variable that production cannot do without."""
    value = env.str(name, "")
    if not value:
        raise ImproperlyConfigured(
            f"{name} is not set. In the production profile it is required: {purpose}. "
            f"Set it in the environment, or use TACT_PROFILE=local to work on this machine only."
        )
    return value


def refuse_missing_folder(folder: Path) -> None:
    """Name the folder that DATABASE_URL expects; SQLite makes its file, but no folder."""
    if not folder.is_dir():
        raise ImproperlyConfigured(
            f"The folder {folder} of the SQLite database does not exist. Make it, or correct DATABASE_URL "
            "(an absolute path has four slashes: sqlite:////path/to/file)."
        )


DEBUG = False
if IS_PRODUCTION:
    SECRET_KEY = required("SECRET_KEY", "a long random string that signs sessions")
    hosts = required("ALLOWED_HOSTS", "a comma separated list of host names")
    ALLOWED_HOSTS = [host.strip() for host in hosts.split(",")]
else:
    SECRET_KEY = env.str("SECRET_KEY", "") or local_secret_key()
    ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "annotate",
    "evaluation",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tasks_db",
    "rest_framework",
    "rest_framework.authtoken",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "annotate.addresses.address_middleware",
    "annotate.access.one_time_password_middleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "annotate.access.roles",
            ],
        },
    },
]

DATABASES = {"default": env.db_url("DATABASE_URL", f"sqlite:///{VAR_DIR / 'tact.sqlite3'}")}
ON_SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if ON_SQLITE:
    # Immediate transactions take the write lock when they begin, so that two writers queue up
    # instead of failing half way; WAL lets readers go on meanwhile.
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000;",
    }
    VAR_DIR.mkdir(exist_ok=True)
    refuse_missing_folder(Path(DATABASES["default"]["NAME"]).parent)
elif DATABASES["default"]["ENGINE"] != "django.db.backends.postgresql":
    raise ImproperlyConfigured(
        "DATABASE_URL names a database on which Tact is not tested. "
        "Use sqlite:////path/to/file or postgres://user:password@host/name."
    )
DATABASES["default"].setdefault("CONN_MAX_AGE", 600)
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
# SQLite has one writer: a second process would only wait for the first.
WEB_WORKERS = env.int("WEB_WORKERS", 1 if ON_SQLITE else max(2, os.cpu_count() or 1))
WEB_THREADS = env.int("WEB_THREADS", 4)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
# With a broker, runs are queued there instead of in the database; see config/celery.py.
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", "")
CELERY_TASK_DEFAULT_QUEUE = env.str("CELERY_QUEUE", "tact")
if CELERY_BROKER_URL and not CELERY_BROKER_URL.startswith(("amqp://", "amqps://", "redis://", "rediss://")):
    raise ImproperlyConfigured(
        "CELERY_BROKER_URL names a broker on which Tact is not tested. "
        "Use amqp://user:password@host:5672/name or redis://:password@host:6379/0."
    )

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"

LANGUAGE_CODE = "en-gb"
TIME_ZONE = env.str("TIME_ZONE", "UTC")
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if IS_PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not IS_PRODUCTION
if not IS_PRODUCTION:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # empty: WhiteNoise warns where there is none

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
if IS_PRODUCTION:
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", True)
    SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", 31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    if env.bool("BEHIND_PROXY", False):
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "annotate.api.paging.Pages",
    "EXCEPTION_HANDLER": "annotate.api.problems.answer_problem",
    "NUM_PROXIES": int(IS_PRODUCTION and env.bool("BEHIND_PROXY", False)),
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tact",
    "DESCRIPTION": (
        "Label when a remembered preference should guide an answer; measure models against it.\n\n"
        "Get a token for name and password at `/api/v1/token/`, or on the site under *API token*, and "
        "send it as `Authorization: Token ...`. A session of the site works too. Whatever is refused is "
        "answered with `detail`, which says what was found and what was expected; a conflict with what "
        "was saved meanwhile is answered with 409."
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "defaultModelsExpandDepth": 0},
    "ENUM_NAME_OVERRIDES": {
        "CampaignState": "annotate.models.Campaign.State",
        "PairCategory": "annotate.pairs.CATEGORIES",
        "PairTier": "annotate.pairs.TIERS",
        "RunState": "evaluation.models.Run.State",
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "annotate": {"level": "INFO"},
        "evaluation": {"level": "INFO"},
        # A line for each task begun and ended would drown the progress of a run.
        "django.tasks": {"level": "WARNING"},
        "django_tasks_db": {"level": "WARNING"},
    },
}
