"""Where a server listens, from the URL that the user gives."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from structag_cli.errors import UsageError

EXAMPLE = "http://localhost:8000/v1"
_PORTS = {"http": 80, "https": 443}
_CALLS = ("/chat/completions", "/completions")


@dataclass(frozen=True, slots=True)
class Address:
    """A server's base URL, taken apart. ``base`` is the path that its API lies under."""

    scheme: str
    host: str
    port: int
    base: str

    @property
    def origin(self) -> str:
        """Scheme, host and port, as in a URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    def url(self, call: str = "") -> str:
        """The URL of a call, ``/chat/completions`` say; without one, of the API."""
        return f"{self.origin}{self.base}{call}"


def read_address(url: str) -> Address:
    """The address of a URL; ``/v1`` is added where the URL has no path.

    Raises:
        UsageError: it is no URL of an HTTP server, or holds what belongs elsewhere.
    """
    scheme, separator, _ = url.partition("://")
    if not separator:
        plain = url if url and "@" not in url else "HOST:PORT"
        raise UsageError(
            "--endpoint: the URL has no scheme", mend=f"http://{plain}, or https://{plain}"
        )
    if scheme.lower() not in _PORTS:
        raise UsageError(f"--endpoint: {scheme}:// is not HTTP", mend=f"a URL such as {EXAMPLE}")
    if not url.isascii() or any(char <= " " or char == "\x7f" for char in url):
        raise UsageError(
            "--endpoint: a URL holds no spaces and ASCII alone", mend=f"a URL such as {EXAMPLE}"
        )
    parts, port = _split(url)
    # Never printed: a password may stand in it.
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            "--endpoint: no user and password in the URL",
            mend="put the key into an environment variable that --key-env names",
        )
    if parts.query or parts.fragment:
        raise UsageError("--endpoint: no ? and # in the URL", mend=f"a URL such as {EXAMPLE}")
    name = parts.scheme.lower()
    return Address(name, str(parts.hostname), port or _PORTS[name], _base(parts.path))


def _split(url: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as err:
        raise UsageError(f"--endpoint: {err}", mend=f"a URL such as {EXAMPLE}") from None
    if not parts.hostname:
        raise UsageError("--endpoint: the URL names no host", mend=f"a URL such as {EXAMPLE}")
    return parts, port


def _base(path: str) -> str:
    trimmed = path.rstrip("/")
    for call in _CALLS:
        trimmed = trimmed.removesuffix(call)
    return trimmed or "/v1"
