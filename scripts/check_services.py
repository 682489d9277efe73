"""See that the servers which the tests talk to answer on this machine; name the first that does not."""

import os
import socket
import sys

import psycopg

POSTGRES = os.environ.get("POSTGRES", "postgres://root@127.0.0.1:5432/postgres")
GREETINGS = {
    # RabbitMQ answers a wrong greeting with the one that it expects.
    "RabbitMQ": (5672, b"HTTP\x00\x00\x00\x00", b"AMQP"),
    "Redis": (6379, b"PING\r\n", b"+PONG"),
}


def ask_postgres() -> str:
    """Return PostgreSQL's version."""
    with psycopg.connect(POSTGRES, connect_timeout=5) as connection:
        return f"PostgreSQL {connection.info.server_version // 10_000} answers."


def greet(service: str) -> str:
    """Send a service its greeting and check the first bytes that come back."""
    port, greeting, expected = GREETINGS[service]
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(greeting)
        found = connection.recv(len(expected))
    if found != expected:
        raise OSError(f"127.0.0.1:{port} answered {found!r}; expected {expected!r}")
    return f"{service} answers."


def main() -> None:
    """Ask every service; end with status 1 at the first that does not answer."""
    try:
        print(ask_postgres())
        for service in GREETINGS:
            print(greet(service))
    except (OSError, psycopg.Error) as error:
        sys.exit(f"A service that the tests need does not answer: {error}\nStart it, then run this again.")


if __name__ == "__main__":
    main()
