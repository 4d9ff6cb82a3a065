"""A small OpenAI-compatible server in the tests' own process."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

KEY = "sk-test/0123456789+abcdef"


class Reply:
    """What a behaviour answers with."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: dict[str, Any], path: str) -> None:
        self._handler = handler
        self.body = body
        self.path = path
        self.key = handler.headers.get("Authorization", "").removeprefix("Bearer ")

    def plain(self, status: int, text: str, kind: str = "application/json", **headers: str) -> None:
        data = text.encode()
        self._handler.send_response(status)
        self._handler.send_header("Content-Type", kind)
        self._handler.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.end_headers()
        self._handler.wfile.write(data)

    def error(self, status: int, message: str, **headers: str) -> None:
        self.plain(status, json.dumps({"error": {"message": message}}), **headers)

    def begin(self) -> None:
        self._handler.send_response(200)
        self._handler.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self._handler.send_header("Transfer-Encoding", "chunked")
        self._handler.end_headers()

    def raw(self, data: bytes) -> None:
        self._handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self._handler.wfile.flush()

    def event(self, value: Any) -> None:
        data = value if isinstance(value, str) else json.dumps(value)
        self.raw(f"data: {data}\n\n".encode())

    def end(self) -> None:
        self._handler.wfile.write(b"0\r\n\r\n")

    def drop(self) -> None:
        """Close the connection where it stands."""
        with suppress(OSError):
            self._handler.wfile.flush()
            self._handler.connection.shutdown(socket.SHUT_RDWR)
        self._handler.close_connection = True

    def chunk(self, text: str) -> dict[str, Any]:
        if self.path.endswith("/chat/completions"):
            return {"choices": [{"index": 0, "delta": {"content": text}}]}
        return {"choices": [{"index": 0, "text": text}]}

    def text(self, *pieces: str, finish: str = "stop", tokens: int = 7) -> None:
        """A whole and good answer."""
        self.begin()
        for piece in pieces:
            self.event(self.chunk(piece))
        self.finish(finish, tokens)

    def finish(self, finish: str = "stop", tokens: int = 7) -> None:
        last = self.chunk("")
        last["choices"][0]["finish_reason"] = finish
        self.event(last)
        self.event({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": tokens}})
        self.event("[DONE]")
        self.end()


Behaviour = Callable[[Reply], None]


@dataclass
class FakeServer:
    """Answers request after request as its script says, the last entry for ever."""

    script: list[Behaviour] = field(default_factory=list)
    seen: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    port: int = 0
    httpd: ThreadingHTTPServer | None = None

    def secure(self, context: ssl.SSLContext) -> None:
        """Speak TLS from now on."""
        assert self.httpd is not None
        self.httpd.socket = context.wrap_socket(
            self.httpd.socket, server_side=True, do_handshake_on_connect=False
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def take(self, handler: BaseHTTPRequestHandler) -> None:
        size = int(handler.headers["Content-Length"])
        body = json.loads(handler.rfile.read(size))
        at = len(self.seen)
        self.seen.append(body)
        self.paths.append(handler.path)
        self.headers.append(dict(handler.headers))
        self.times.append(time.monotonic())
        self.script[min(at, len(self.script) - 1)](Reply(handler, body, handler.path))


@contextmanager
def running_server() -> Iterator[FakeServer]:
    """A server on a free port of this machine."""
    fake = FakeServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            with suppress(OSError):
                fake.take(self)

        def log_message(self, *_: object) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    httpd.daemon_threads = True
    fake.httpd = httpd
    fake.port = httpd.server_address[1]
    thread = Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield fake
    httpd.shutdown()
    httpd.server_close()
