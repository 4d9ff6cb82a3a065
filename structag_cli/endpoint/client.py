"""Asks a server: sends a body, reads the stream, tries again where that can help."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from structag_cli.endpoint import faults
from structag_cli.endpoint.answer import Answer, Assembly, NotACompletion
from structag_cli.endpoint.faults import ServerFault
from structag_cli.endpoint.key import Key
from structag_cli.endpoint.retries import Retries
from structag_cli.endpoint.sse import Event, EventReader, EventTooBig
from structag_cli.endpoint.transport import Response, Transport
from structag_cli.errors import StructagError

MAX_ANSWER = 64 << 20
"""Most bytes of an answer."""
_MAX_ERROR = 64 << 10
_DONE = "[DONE]"

OnText = Callable[[str], None]
Say = Callable[[str], None]


class Client:
    """Asks one server, from any thread.

    Args:
        transport: sends.
        key: goes along, and is taken out of every error.
        retries: how often to try again.
        say: is told of new tries.
    """

    def __init__(
        self, transport: Transport, key: Key, retries: Retries, say: Say = lambda _: None
    ) -> None:
        self._transport = transport
        self._key = key
        self._retries = retries
        self._say = say
        self._stopped = threading.Event()

    def ask(self, call: str, body: Mapping[str, Any], on_text: OnText = lambda _: None) -> Answer:
        """The answer to a request.

        Args:
            call: ``/chat/completions`` or ``/completions``.
            body: the request, with ``stream`` set.
            on_text: told each piece of text as it comes.

        Raises:
            ServerFault: there is no whole answer.
        """
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        tried = 0
        while True:
            try:
                return self._once(call, data, on_text)
            except ServerFault as fault:
                wait = None if self._stopped.is_set() else self._retries.wait(fault, tried)
                if wait is None:
                    raise self._told(fault, tried) from None
                tried += 1
                what = self._key.redact(fault.message)
                self._say(f"{what}; try {tried} of {self._retries.most} in {wait:.1f} s")
                if self._stopped.wait(wait):
                    raise self._told(fault, tried) from None

    def _told(self, fault: ServerFault, tried: int) -> ServerFault:
        """The fault as people may read it: without the key, and how often it happened."""
        fault.message = self._key.redact(fault.message)
        fault.mend = self._key.redact(fault.mend)
        if tried:
            fault.message += f", {tried + 1} times"
        if fault.after is not None and fault.after > 0:
            fault.mend = f"it asks to wait {fault.after:.0f} s"
        return fault

    def stop(self) -> None:
        """Break off all that is under way, in other threads too."""
        self._stopped.set()
        self._transport.stop()

    def _once(self, call: str, data: bytes, on_text: OnText) -> Answer:
        headers = {
            "Content-Type": "application/json",
            "Accept": "text/event-stream, application/json",
            **self._key.headers,
        }
        url = self._transport.address.url(call)
        start = time.perf_counter()
        with self._transport.post(call, data, headers) as response:
            if response.status != 200:
                body = self._key.redact(response.text(_MAX_ERROR))
                raise faults.of_status(response.status, response.headers, body, url)
            reading = _Reading(response, url, self._transport.timeout, self._key, start)
            return reading.run(on_text)


class _Reading:
    """Reads one answer."""

    def __init__(
        self, response: Response, url: str, timeout: float, key: Key, start: float
    ) -> None:
        self._response = response
        self._url = url
        self._timeout = timeout
        self._key = key
        self._start = start
        self._assembly = Assembly()
        self._first: float | None = None
        self._done = False

    def run(self, on_text: OnText) -> Answer:
        if self._response.kind == "text/event-stream":
            for event in self._events():
                self._take(event, on_text)
                if self._done:
                    break
        else:
            self._take_whole(on_text)
        if not self._done and self._assembly.finish is None:
            raise self._cut(None)
        return self._assembly.answer(time.perf_counter() - self._start, self._first)

    def _events(self) -> Iterator[Event]:
        reader, size = EventReader(), 0
        try:
            for piece in self._response.pieces():
                size += len(piece)
                if size > MAX_ANSWER:
                    raise EventTooBig
                yield from reader.feed(piece)
        except EventTooBig:
            raise self._too_big() from None
        except Exception as err:
            if isinstance(err, StructagError):
                raise
            # A server that closes after the model's end has said all that counts.
            if self._assembly.finish is None:
                raise self._cut(err) from None
        yield from reader.close()

    def _take(self, event: Event, on_text: OnText) -> None:
        data = event.data.strip()
        if not data:
            return  # some send it to keep the connection alive
        if data == _DONE:
            self._done = True
            return
        if event.name == "error":
            raise faults.of_error_event(_value(data), self._url)
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            if not event.whole:
                return  # it broke off, and that is what will be said
            words = faults.shown(self._key.redact(data))
            raise ServerFault(
                f"an event of the answer is not JSON: {words}",
                url=self._url,
                mend="is there a proxy between that changes answers?",
            ) from None
        self._add(value, on_text)

    def _take_whole(self, on_text: OnText) -> None:
        """An answer that is not streamed, whatever was asked for."""
        body = self._body()
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            raise faults.not_an_api(self._key.redact(body), self._url) from None
        self._add(value, on_text)
        self._done = self._assembly.begun or self._assembly.finish is not None
        if not self._done:
            raise faults.not_an_api(self._key.redact(body), self._url)

    def _body(self) -> str:
        parts, size = [], 0
        try:
            for piece in self._response.pieces():
                parts.append(piece)
                size += len(piece)
                if size > MAX_ANSWER:
                    raise self._too_big()
        except StructagError:
            raise
        except Exception as err:
            raise self._cut(err) from None
        return b"".join(parts).decode("utf-8", "replace")

    def _add(self, value: Any, on_text: OnText) -> None:
        if isinstance(value, Mapping) and (value.get("error") or value.get("object") == "error"):
            raise faults.of_error_event(value, self._url)
        try:
            text = self._assembly.add(value)
        except NotACompletion:
            words = self._key.redact(json.dumps(value, ensure_ascii=False))
            raise faults.not_an_api(words, self._url) from None
        if self._first is None and self._assembly.begun:
            self._first = time.perf_counter() - self._start
        if text:
            on_text(text)

    def _cut(self, err: Exception | None) -> ServerFault:
        got = self._key.redact(self._assembly.text)
        begun = self._assembly.begun
        return faults.of_reading(err, self._url, self._timeout, got, begun=begun)

    def _too_big(self) -> ServerFault:
        return ServerFault(
            f"the answer is too big: over {MAX_ANSWER >> 20} MiB, or an event without end",
            url=self._url,
            mend="--max-new-tokens bounds it",
        )


def _value(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return data
