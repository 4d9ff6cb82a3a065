"""A real server that misbehaves: each fault is one clear error, and no key is in it."""

from __future__ import annotations

import random
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from structag_cli.endpoint import client as client_module
from structag_cli.endpoint import faults
from structag_cli.endpoint.address import read_address
from structag_cli.endpoint.answer import Answer
from structag_cli.endpoint.client import Client
from structag_cli.endpoint.faults import ServerFault
from structag_cli.endpoint.key import REDACTED, Key
from structag_cli.endpoint.retries import Retries
from structag_cli.endpoint.transport import Transport
from structag_cli.errors import ExitCode
from tests.fake_server import KEY, FakeServer, Reply

Behaviour = Callable[[Reply], None]


class Asked:
    """A client, and what it said."""

    def __init__(
        self, url: str, *, retries: int = 0, timeout: float = 5.0, key: str | None = KEY
    ) -> None:
        self.said: list[str] = []
        self.shown: list[str] = []
        transport = Transport(read_address(url), timeout)
        chance = random.Random(0)
        self.client = Client(transport, Key(key), Retries(retries, chance), self.said.append)

    def ask(self) -> Answer:
        return self.client.ask("/chat/completions", {"stream": True}, self.shown.append)

    def fault(self) -> ServerFault:
        with pytest.raises(ServerFault) as caught:
            self.ask()
        text = f"{caught.value} {self.said} {self.shown}"
        assert KEY not in text
        assert "\n" not in str(caught.value)
        assert caught.value.mend
        return caught.value


def good(reply: Reply) -> None:
    reply.text("a", "b")


def status(code: int, message: str = "", **headers: str) -> Behaviour:
    return lambda reply: reply.error(code, message, **headers)


def closes_in_the_middle(reply: Reply) -> None:
    reply.begin()
    reply.event(reply.chunk("par"))
    reply.event(reply.chunk("tial"))
    reply.drop()


def ends_in_the_middle(reply: Reply) -> None:
    reply.begin()
    reply.event(reply.chunk("partial"))
    reply.raw(b'data: {"choices": [{"ind')
    reply.end()


def closes_before_text(reply: Reply) -> None:
    reply.begin()
    reply.raw(b": hello\n\n")
    reply.drop()


def hangs(reply: Reply) -> None:
    reply.begin()
    reply.event(reply.chunk("partial"))
    time.sleep(1.0)


def not_json(reply: Reply) -> None:
    reply.begin()
    reply.event(reply.chunk("a"))
    reply.event('{"choices": [')


def error_event(reply: Reply) -> None:
    reply.begin()
    reply.event(reply.chunk("a"))
    reply.event({"error": {"message": "the engine died", "code": 500}})


def named_error_event(reply: Reply) -> None:
    reply.begin()
    reply.raw(b"event: error\n: the worker is gone\ndata: the worker is gone\n\n")


def flat_error_event(reply: Reply) -> None:
    reply.begin()
    reply.event({"object": "error", "message": "too long", "code": 400})


def page(code: int) -> Behaviour:
    text = "<!DOCTYPE html><html><body>Bad <b>gateway</b></body></html>"
    return lambda reply: reply.plain(code, text, "text/html")


def test_a_good_answer(server: FakeServer) -> None:
    server.script = [good]
    asked = Asked(server.url)
    answer = asked.ask()
    assert (answer.text, answer.finish, answer.tokens, answer.prompt_tokens) == ("ab", "stop", 7, 3)
    assert asked.shown == ["a", "b"]
    assert answer.first_seconds is not None
    assert 0 < answer.first_seconds <= answer.seconds
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert server.paths == ["/v1/chat/completions"]


def test_without_a_key_no_header_is_sent(server: FakeServer) -> None:
    server.script = [good]
    Asked(server.url, key=None).ask()
    assert "Authorization" not in server.headers[0]


def test_an_answer_that_is_not_streamed(server: FakeServer) -> None:
    whole = '{"choices": [{"message": {"content": "ab"}, "finish_reason": "stop"}]}'
    server.script = [lambda reply: reply.plain(200, whole)]
    assert Asked(server.url).ask().text == "ab"


def test_cut_anywhere_in_bytes(server: FakeServer) -> None:
    def drip(reply: Reply) -> None:
        reply.begin()
        stream = 'data: {"choices": [{"delta": {"content": "ü€😀"}}]}\r\n\r\n: x\r\n\r\n'
        for byte in f"{stream}data: [DONE]\r\n\r\n".encode():
            reply.raw(bytes([byte]))
        reply.end()

    server.script = [drip]
    assert Asked(server.url).ask().text == "ü€😀"


def test_the_model_s_end_is_an_end_without_done(server: FakeServer) -> None:
    def no_done(reply: Reply) -> None:
        reply.begin()
        reply.event({"choices": [{"delta": {"content": "ab"}, "finish_reason": "stop"}]})
        reply.drop()

    server.script = [no_done]
    assert Asked(server.url).ask().text == "ab"


FAULTS: list[tuple[Behaviour, str, ExitCode]] = [
    (closes_in_the_middle, "in the middle; the answer is truncated after 7 .*: partial ", 3),
    (ends_in_the_middle, "in the middle; the answer is truncated after 7 .*: partial ", 3),
    (closes_before_text, "truncated before it began", 3),
    (Reply.drop, "closed the connection before it answered", 3),
    (not_json, "an event of the answer is not JSON", 3),
    (error_event, "reports an error within its answer: the engine died", 3),
    (named_error_event, "reports an error within its answer: the worker is gone", 3),
    (flat_error_event, "reports an error within its answer: too long", 3),
    (lambda r: r.text(), "", 0),
    (lambda r: (r.begin(), r.event({"hello": 1})), "something else instead of a completion", 2),
    (lambda r: (r.begin(), r.event([1])), "something else instead of a completion", 2),
    (lambda r: r.plain(200, "[]"), "something else instead of a completion", 2),
    (lambda r: r.plain(200, "{}"), "something else instead of a completion", 2),
    (lambda r: r.plain(202, "{}"), "something else instead of a completion", 2),
    (lambda r: r.plain(200, ""), "something else instead of a completion: nothing", 2),
    (page(200), "HTML instead of a completion", 2),
    (page(502), r"busy or down \(HTTP 502\) ", 3),
    (page(404), r"not found \(HTTP 404\) \(check --model", 2),
    (status(400, "no model of that name"), r"refuses the request \(HTTP 400\): no model of", 2),
    (status(401, "no"), r"refuses the key \(HTTP 401\): no \(.*--key-env", 2),
    (status(403), r"refuses the key \(HTTP 403\)", 2),
    (status(404, "the model `x` does not exist"), r"HTTP 404\): the model `x` does not", 2),
    (status(413), "the request is too big", 2),
    (status(422, "x"), r"refuses the request \(HTTP 422\): x", 2),
    (status(429, "slow down"), r"busy or down \(HTTP 429\): slow down", 3),
    (status(500, "boom"), r"fails \(HTTP 500\): boom", 3),
    (status(307, Location="http://else.example/v1"), "may be http://else.example/v1", 2),
    (lambda r: r.plain(400, '{"detail": [{"msg": "bad"}]}'), 'HTTP 400.: .*"msg": "bad"', 2),
    (lambda r: r.plain(400, '{"message": "flat", "object": "error"}'), "HTTP 400.: flat", 2),
    (lambda r: r.plain(400, "two\nlines \x1b[31m"), r"HTTP 400\): two lines \[31m", 2),
    (lambda r: r.plain(400, "[" * 100_000), r"HTTP 400\): \[\[\[", 2),
]


@pytest.mark.parametrize(("behaviour", "words", "code"), FAULTS)
def test_each_fault_is_one_error(
    server: FakeServer, behaviour: Behaviour, words: str, code: int
) -> None:
    server.script = [behaviour]
    asked = Asked(server.url)
    if code == 0:
        assert asked.ask().text == ""
        return
    fault = asked.fault()
    with pytest.raises(ServerFault, match=words):
        raise fault
    assert fault.exit_code == code


def test_a_long_message_is_shortened(server: FakeServer) -> None:
    server.script = [status(400, "no " * 5000)]
    assert len(str(Asked(server.url).fault())) < faults.MAX_SHOWN + 200


def test_an_endless_error_is_not_read_to_its_end(server: FakeServer) -> None:
    server.script = [lambda reply: reply.plain(400, "x" * 3_000_000, "text/plain")]
    assert "HTTP 400" in str(Asked(server.url).fault())


@pytest.mark.parametrize("kind", ["text/event-stream", "application/json"])
def test_an_answer_that_is_too_big(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(client_module, "MAX_ANSWER", 10_000)
    server.script = [lambda reply: reply.plain(200, ": x\n\n" * 5000, kind)]
    assert "the answer is too big" in str(Asked(server.url).fault())


def test_bytes_that_were_announced_and_do_not_come(server: FakeServer) -> None:
    def short(reply: Reply) -> None:
        handler: Any = reply._handler
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": [{"mess')
        reply.drop()

    server.script = [short]
    assert "truncated" in str(Asked(server.url).fault())


def echoes(reply: Reply) -> None:
    reply.error(400, f"bad key {reply.key} or {reply.key[:4]}")


def echoes_in_an_event(reply: Reply) -> None:
    reply.begin()
    reply.event({"error": {"message": f"key {reply.key}"}})


def echoes_broken(reply: Reply) -> None:
    reply.begin()
    reply.event('{"key": "' + reply.key.replace("/", "\\/"))


def echoes_in_a_header(reply: Reply) -> None:
    reply.plain(302, "", Location=f"http://h/?k={reply.key}")


def echoes_and_closes_in_the_key(reply: Reply) -> None:
    reply.begin()
    reply.event(reply.chunk(f"your key is {reply.key[:-3]}"))
    reply.drop()


def echoes_and_closes(reply: Reply) -> None:
    reply.begin()
    reply.event(reply.chunk(f"your key is {reply.key}"))
    reply.drop()


@pytest.mark.parametrize(
    "behaviour",
    [
        echoes,
        echoes_in_an_event,
        echoes_broken,
        echoes_in_a_header,
        echoes_and_closes,
        echoes_and_closes_in_the_key,
    ],
)
def test_an_echoed_key_is_redacted(server: FakeServer, behaviour: Behaviour) -> None:
    server.script = [behaviour]
    asked = Asked(server.url)
    with pytest.raises(ServerFault) as caught:
        asked.ask()
    assert KEY[:-3] not in str(caught.value)
    assert KEY.replace("/", "\\/") not in str(caught.value)
    assert REDACTED in str(caught.value)


def test_busy_then_fine_waits_as_long_as_asked(server: FakeServer) -> None:
    server.script = [status(429, "wait", Retry_After="0.3"), status(503, Retry_After="0"), good]
    asked = Asked(server.url, retries=3)
    assert asked.ask().text == "ab"
    assert 0.3 <= server.times[1] - server.times[0] < 1.0
    assert len(asked.said) == 2
    assert "HTTP 429" in asked.said[0]
    assert "try 1 of 3" in asked.said[0]


def test_busy_for_ever(server: FakeServer) -> None:
    server.script = [status(429, "no", Retry_After="0.01")]
    fault = Asked(server.url, retries=2).fault()
    assert len(server.seen) == 3
    assert "HTTP 429): no, 3 times" in str(fault)


def test_a_wait_beyond_patience_is_a_refusal(server: FakeServer) -> None:
    server.script = [status(429, "quota", Retry_After="86400")]
    fault = Asked(server.url, retries=5).fault()
    assert len(server.seen) == 1
    assert "it asks to wait 86400 s" in str(fault)


@pytest.mark.parametrize("behaviour", [Reply.drop, closes_before_text, status(504), status(502)])
def test_what_may_pass_is_tried_again(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, behaviour: Behaviour
) -> None:
    monkeypatch.setattr("structag_cli.endpoint.retries.FIRST", 0.01)
    server.script = [behaviour, good]
    assert Asked(server.url, retries=1).ask().text == "ab"


@pytest.mark.parametrize(
    "behaviour",
    [status(400), status(401), status(500), closes_in_the_middle, error_event, not_json, page(200)],
)
def test_what_will_not_pass_is_not_tried_again(server: FakeServer, behaviour: Behaviour) -> None:
    server.script = [behaviour, good]
    Asked(server.url, retries=3).fault()
    assert len(server.seen) == 1


def test_nothing_between_two_pieces(server: FakeServer) -> None:
    server.script = [hangs]
    fault = Asked(server.url, timeout=0.2, retries=3).fault()
    assert "nothing came for 0.2 s; the answer is truncated after 7 characters: partial" in str(
        fault
    )
    assert len(server.seen) == 1


def test_no_answer_at_all(server: FakeServer) -> None:
    server.script = [lambda _: time.sleep(0.6)]
    assert "no answer within 0.2 s" in str(Asked(server.url, timeout=0.2).fault())


def test_slow_is_fine_as_long_as_something_comes(server: FakeServer) -> None:
    def slow(reply: Reply) -> None:
        reply.begin()
        for _ in range(6):
            time.sleep(0.1)
            reply.raw(b": wait\n\ndata:\n\n")
        reply.event(reply.chunk("ab"))
        reply.finish()

    server.script = [slow]
    assert Asked(server.url, timeout=0.4).ask().text == "ab"


def closed_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def test_connection_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("structag_cli.endpoint.retries.FIRST", 0.01)
    asked = Asked(f"http://127.0.0.1:{closed_port()}", retries=2)
    fault = asked.fault()
    assert "connection refused, 3 times (is the server running" in str(fault)
    assert (fault.exit_code, fault.everyone, len(asked.said)) == (3, True, 2)


def test_no_such_host() -> None:
    fault = Asked("http://no-such-host.invalid:8000").fault()
    assert "there is no host of that name" in str(fault) or "no connection" in str(fault)


@pytest.mark.parametrize("host", [".", "a..b", "x" * 70])
def test_a_host_that_no_name_can_be(host: str) -> None:
    assert Asked(f"http://{host}/v1").fault().exit_code == 3


def test_https_to_a_server_that_speaks_http(server: FakeServer) -> None:
    server.script = [good]
    fault = Asked(server.url.replace("http:", "https:")).fault()
    assert "TLS: " in str(fault)


@pytest.mark.parametrize(
    ("err", "words"),
    [
        (ssl.SSLCertVerificationError("x"), "TLS: the certificate is not trusted"),
        (TimeoutError(), "no connection within 9 s"),
        (OSError(113, "No route to host"), "no connection: No route to host"),
        (ConnectionResetError(104, "reset"), "no connection: reset"),
    ],
)
def test_other_faults_of_connecting(err: Exception, words: str) -> None:
    if isinstance(err, ssl.SSLCertVerificationError):
        err.verify_message = "self-signed certificate"
    assert words in str(faults.of_connecting(err, "http://h", 9.0))


def speaking(data: bytes) -> int:
    """A port where something speaks another language, once."""
    listener = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with listener, listener.accept()[0] as sock:
            sock.sendall(data)
            sock.recv(65536)

    threading.Thread(target=answer, daemon=True).start()
    return int(listener.getsockname()[1])


@pytest.mark.parametrize("data", [b"SSH-2.0-OpenSSH_9.6\r\n", b"\x15\x03\x01\x00\x02\x02\x46\r\n"])
def test_something_that_is_no_http(data: bytes) -> None:
    fault = Asked(f"http://127.0.0.1:{speaking(data)}").fault()
    assert "does not speak HTTP" in str(fault)


def test_headers_without_end() -> None:
    data = b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n"
    assert Asked(f"http://127.0.0.1:{speaking(data)}").fault().exit_code == 3


def test_a_chunk_that_lies_about_its_size() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
    data = head + b"\r\nzz\r\ndata: x\r\n"
    assert "truncated" in str(Asked(f"http://127.0.0.1:{speaking(data)}").fault())


def test_stop_breaks_off_what_is_under_way(server: FakeServer) -> None:
    server.script = [hangs]
    asked = Asked(server.url, retries=5, timeout=30.0)
    timer = threading.Timer(0.2, asked.client.stop)
    timer.start()
    start = time.monotonic()
    asked.fault()
    assert time.monotonic() - start < 0.9
    assert len(server.seen) == 1


def test_stop_ends_a_wait(server: FakeServer) -> None:
    server.script = [status(429, Retry_After="30")]
    asked = Asked(server.url, retries=5)
    threading.Timer(0.2, asked.client.stop).start()
    start = time.monotonic()
    asked.fault()
    assert time.monotonic() - start < 5


def test_no_connection_stays_open(server: FakeServer) -> None:
    server.script = [good, closes_in_the_middle, status(400), not_json]
    asked = Asked(server.url)
    asked.ask()
    for _ in range(3):
        asked.fault()
    assert not asked.client._transport._open


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of this machine that nobody vouches for, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "cert.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", str(key)]
    command += ["-out", str(certificate), "-addext", "subjectAltName=IP:127.0.0.1"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("this openssl makes no such certificate")
    return certificate, key


def test_tls(
    server: FakeServer, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script = [good]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    server.secure(context)
    asked = Asked(server.url.replace("http:", "https:"))
    fault = asked.fault()
    assert "TLS: the certificate is not trusted: self-signed certificate" in str(fault)
    assert (fault.exit_code, fault.everyone, fault.again) == (3, True, False)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    assert Asked(server.url.replace("http:", "https:")).ask().text == "ab"
    wrong_scheme = Asked(server.url).fault()
    assert wrong_scheme.exit_code == 3
