"""What can go wrong between us and a server, each as one error."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from structag_cli.errors import ExitCode, StructagError
from structag_cli.place import Place

MAX_SHOWN = 400
"""Most characters of a server's words that an error repeats."""
BUSY = (429, 502, 503, 504)
"""Statuses after which the same request may succeed."""


class ServerFault(StructagError):
    """A server that cannot be reached, refuses, or does not answer as it should.

    Args:
        message: what is wrong.
        url: what was asked.
        mend: what to do about it.
        again: the same request may succeed a moment later.
        after: seconds that the server asks to wait before.
        everyone: any other request would meet the same.
        refused: the server answers, and the request or the key is wrong.
    """

    def __init__(
        self,
        message: str,
        *,
        url: str,
        mend: str = "",
        again: bool = False,
        after: float | None = None,
        everyone: bool = False,
        refused: bool = False,
    ) -> None:
        super().__init__(message, place=Place(url), mend=mend)
        self.again = again
        self.after = after
        self.everyone = everyone
        self.exit_code = ExitCode.USAGE if refused else ExitCode.UNAVAILABLE


def of_connecting(err: Exception, url: str, timeout: float) -> ServerFault:
    """The fault of a connection that does not come about."""
    if isinstance(err, socket.gaierror):
        return ServerFault(
            "there is no host of that name",
            url=url,
            mend="check the URL",
            again=err.errno == socket.EAI_AGAIN,
            everyone=True,
        )
    if isinstance(err, ssl.SSLCertVerificationError):
        return ServerFault(
            f"TLS: the certificate is not trusted: {shown(err.verify_message)}",
            url=url,
            mend="SSL_CERT_FILE names a file with the issuer's certificate",
            everyone=True,
        )
    if isinstance(err, ssl.SSLError):
        return ServerFault(
            f"TLS: {shown(err.reason or 'the handshake fails')}",
            url=url,
            mend="does the server speak https there? Else http://",
            everyone=True,
        )
    if isinstance(err, TimeoutError):
        message, mend = f"no connection within {timeout:g} s", "check host and port, or --timeout"
    elif isinstance(err, ConnectionRefusedError):
        message, mend = "connection refused", "is the server running, and on this port?"
    else:
        words = getattr(err, "strerror", None) or str(err)
        message, mend = f"no connection: {shown(words)}", "check the URL and the network"
    return ServerFault(message, url=url, mend=mend, again=True, everyone=True)


def of_waiting(err: Exception, url: str, timeout: float) -> ServerFault:
    """The fault of a connection that breaks before the answer begins."""
    if isinstance(err, TimeoutError):
        return ServerFault(
            f"no answer within {timeout:g} s",
            url=url,
            mend="--timeout gives it longer",
        )
    if isinstance(err, (http.client.BadStatusLine, ssl.SSLError)) and not isinstance(
        err, http.client.RemoteDisconnected
    ):
        return ServerFault(
            "what answers there does not speak HTTP",
            url=url,
            mend="check the port, and http:// or https://",
            everyone=True,
        )
    return ServerFault(
        "the server closed the connection before it answered",
        url=url,
        mend="its log may say why",
        again=True,
    )


def of_reading(
    err: Exception | None, url: str, timeout: float, got: str, *, begun: bool
) -> ServerFault:
    """The fault of an answer that breaks off.

    Args:
        err: what broke it; ``None`` where it just ends.
        url: what was asked.
        timeout: seconds that were waited.
        got: the text that came.
        begun: whether anything came: text, reasoning or calls.
    """
    where = _after(got) if got else " before its text" if begun else " before it began"
    if isinstance(err, TimeoutError):
        return ServerFault(
            f"nothing came for {timeout:g} s; the answer is truncated{where}",
            url=url,
            mend="--timeout gives it longer",
        )
    return ServerFault(
        f"the server closed the connection in the middle; the answer is truncated{where}",
        url=url,
        mend="its log may say why",
        again=not begun,
    )


def _after(got: str) -> str:
    tail = got if len(got) <= MAX_SHOWN else "..." + got[3 - MAX_SHOWN :]
    return f" after {len(got)} characters: {shown(tail)}"


def of_status(status: int, headers: Mapping[str, str], body: str, url: str) -> ServerFault:
    """The fault of an answer that is no success."""
    words = message_of(body)
    said = f": {words}" if words else ""
    if status in (401, 403):
        return ServerFault(
            f"the server refuses the key (HTTP {status}){said}",
            url=url,
            mend="put it into the environment variable that --key-env names",
            everyone=True,
            refused=True,
        )
    if status == 404:
        return ServerFault(
            f"not found (HTTP 404){said}",
            url=url,
            mend="check --model, and that the URL ends where the API begins (/v1)",
            everyone=True,
            refused=True,
        )
    if 300 <= status < 400:
        target = shown(headers.get("Location", ""))
        mend = f"the address may be {target}" if target else "check the URL"
        return ServerFault(
            f"the server redirects (HTTP {status})", url=url, mend=mend, everyone=True, refused=True
        )
    if status in BUSY:
        return ServerFault(
            f"the server is busy or down (HTTP {status}){said}",
            url=url,
            mend="--retries tries more often",
            again=True,
            after=seconds_of(headers.get("Retry-After")),
        )
    if status == 413:
        said = said or ": the request is too big"
    if 200 <= status < 300:
        return not_an_api(body, url)
    what = "refuses the request" if 400 <= status < 500 else "fails"
    return ServerFault(
        f"the server {what} (HTTP {status}){said}",
        url=url,
        mend="--show-prompt prints the request" if status < 500 else "its log may say why",
        refused=400 <= status < 500,
    )


def of_error_event(value: Any, url: str) -> ServerFault:
    """The fault of an error that the server sends in the place of text."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    words = message_of(text) or "it does not say which"
    return ServerFault(
        f"the server reports an error within its answer: {words}",
        url=url,
        mend="its log may say more",
    )


def not_an_api(body: str, url: str) -> ServerFault:
    """The fault of a success that is no answer of such an API."""
    kind = "HTML" if looks_like_html(body) else "something else"
    return ServerFault(
        f"{kind} instead of a completion: {shown(body) or 'nothing'}",
        url=url,
        mend="check the URL: it names an OpenAI-compatible API (…/v1)",
        everyone=True,
        refused=True,
    )


def message_of(body: str) -> str:
    """The message in an error's body, in the forms of OpenAI, vLLM, SGLang and FastAPI."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return "" if looks_like_html(body) else shown(body)
    for key in ("error", "message", "detail"):
        if isinstance(value, Mapping) and value.get(key):
            value = value[key]
    if isinstance(value, Mapping) and isinstance(value.get("message"), str):
        value = value["message"]
    return shown(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def looks_like_html(body: str) -> bool:
    """Whether a text is a web page."""
    return body.lstrip("\ufeff \t\r\n")[:15].lower().startswith(("<!doctype", "<html", "<head"))


def shown(text: str) -> str:
    """Words of a server, fit for one line of a terminal."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return flat if len(flat) <= MAX_SHOWN else flat[: MAX_SHOWN - 3] + "..."


def seconds_of(header: str | None) -> float | None:
    """The seconds that a ``Retry-After`` asks for: a number, or a date."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        return _until(header)
    return seconds if 0 <= seconds < float("inf") else None


def _until(date: str) -> float | None:
    from datetime import datetime, timezone

    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max((moment - datetime.now(timezone.utc)).total_seconds(), 0.0)
