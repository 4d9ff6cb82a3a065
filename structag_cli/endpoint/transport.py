"""One POST and its streamed answer, on the standard library.

No proxy is used and no redirect is followed: the key goes where the user says, and
nowhere else.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from structag_cli.endpoint import faults
from structag_cli.endpoint.address import Address

_PIECE = 1 << 16
_BROKEN = (OSError, http.client.HTTPException)


@dataclass(frozen=True, slots=True)
class Response:
    """An answer whose body has not been read yet."""

    status: int
    headers: Mapping[str, str]
    raw: http.client.HTTPResponse

    @property
    def kind(self) -> str:
        """The media type, without its parameters."""
        return self.headers.get("Content-Type", "").partition(";")[0].strip().lower()

    def pieces(self) -> Iterator[bytes]:
        """The body as it comes in; raises as sockets and ``http.client`` do."""
        while piece := self.raw.read1(_PIECE):
            yield piece
        if self.raw.length:
            # http.client takes this for an end, though bytes that were announced are missing.
            raise http.client.IncompleteRead(b"", self.raw.length)

    def text(self, most: int) -> str:
        """The beginning of the body; what breaks off is as good as an end."""
        parts: list[bytes] = []
        size = 0
        with suppress(*_BROKEN):
            for piece in self.pieces():
                parts.append(piece)
                size += len(piece)
                if size >= most:
                    break
        return b"".join(parts)[:most].decode("utf-8", "replace")


class Transport:
    """Sends requests to one server, from any thread.

    Args:
        address: the server.
        timeout: seconds to wait for the connection, for the answer, and between two
            pieces of it.
    """

    def __init__(self, address: Address, timeout: float) -> None:
        self.address = address
        self.timeout = timeout
        self._tls = ssl.create_default_context() if address.scheme == "https" else None
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()

    @contextmanager
    def post(self, call: str, body: bytes, headers: Mapping[str, str]) -> Iterator[Response]:
        """Send a request and hand over the answer.

        Raises:
            ServerFault: no answer begins.
        """
        url = self.address.url(call)
        connection = self._connect(url)
        sock, raw = connection.sock, None
        with self._lock:
            self._open.add(sock)
        try:
            try:
                connection.request("POST", self.address.base + call, body, dict(headers))
                raw = connection.getresponse()
            except _BROKEN as err:
                raise faults.of_waiting(err, url, self.timeout) from None
            # http.client's mapping knows names in any case.
            yield Response(raw.status, raw.headers, raw)  # type: ignore[arg-type]
        finally:
            with self._lock:
                self._open.discard(sock)
            if raw is not None:
                raw.close()
            connection.close()

    def _connect(self, url: str) -> http.client.HTTPConnection:
        address = self.address
        connection: http.client.HTTPConnection
        if self._tls is not None:
            connection = http.client.HTTPSConnection(
                address.host, address.port, timeout=self.timeout, context=self._tls
            )
        else:
            connection = http.client.HTTPConnection(
                address.host, address.port, timeout=self.timeout
            )
        try:
            connection.connect()
        except (*_BROKEN, ValueError) as err:  # ValueError: a host that no name can be
            connection.close()
            raise faults.of_connecting(err, url, self.timeout) from None
        return connection

    def stop(self) -> None:
        """Break off all that is under way, in other threads too."""
        with self._lock:
            for sock in self._open:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
