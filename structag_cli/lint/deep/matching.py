"""One schema's grammar in one argument style, and the text of arguments in it."""

from __future__ import annotations

import json
import math
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from threading import current_thread, main_thread
from typing import Any

from structag_cli.engine.text import TextGrammar, compile_text
from structag_cli.lint.deep.constants import Constants, compact

_CHUNK = 64


class OutOfTime(BaseException):
    """Trying went past the deadline; no ``except Exception`` on the way may hide that.

    Some grammars take seconds for one text, and some schemas as long to judge one value.
    """


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Raise ``OutOfTime`` in what takes longer, where Python gets to run and has signals."""
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Matching:
    """Compiles on creation.

    ``deadline`` is a time by ``time.perf_counter``; matching past it raises ``OutOfTime``.

    Raises:
        EngineError: xgrammar refuses the schema.
    """

    deadline = math.inf

    def __init__(self, schema: Any, style: str) -> None:
        self.schema = schema
        self.style = style
        node = {"type": "json_schema", "json_schema": schema, "style": style}
        if style == "json":
            del node["style"]
        start = time.perf_counter()
        self.grammar: TextGrammar = compile_text({"type": "structural_tag", "format": node})
        self.seconds = time.perf_counter() - start
        self._matcher = self.grammar.matcher()

    @cached_property
    def constants(self) -> Constants:
        """The schema's constant objects and arrays; most matchings are never asked for them."""
        if self.style == "cohere_xml":
            return Constants(self.schema, _elements, _json_element)
        return Constants(self.schema)

    @property
    def warnings(self) -> list[str]:
        """What xgrammar printed."""
        return list(dict.fromkeys(self.grammar.warnings))

    @property
    def size(self) -> int:
        """Memory of the compiled grammar, in bytes."""
        return int(self.grammar.compiled.memory_size_bytes)

    def accepts(self, text: str) -> bool:
        """Whether the text is a finished output."""
        self._matcher.reset()
        data = text.encode()
        for start in range(0, len(data), _CHUNK):
            self._check_time()
            if not self._matcher.accept_string(data[start : start + _CHUNK]):
                return False
        return bool(self._matcher.accept_token(self.grammar.stop_id))

    def position(self, text: str) -> int:
        """Bytes accepted before the first refused one."""
        self._matcher.reset()
        data = text.encode()
        for position, byte in enumerate(data):
            if position % _CHUNK == 0:
                self._check_time()
            if not self._matcher.accept_token(byte):
                return position
        return len(data)

    def _check_time(self) -> None:
        if time.perf_counter() > self.deadline:
            raise OutOfTime

    def text_of(self, value: Any, compact: bool = False) -> tuple[str, Any] | None:
        """The text of arguments, and what a parser reads back; ``None``: not to be said.

        ``compact``: constant objects and arrays in the one spelling that the grammar takes.
        """
        if self.style == "json":
            try:
                text = json.dumps(value, ensure_ascii=False, allow_nan=False)
                text.encode()  # a lone surrogate, which patterns can ask for, has no bytes
                small = self.constants.compact(text) if compact else text
                # Where a string held the text of a constant, another value is meant now.
                return small, value if small == text else json.loads(small)
            except (ValueError, TypeError, RecursionError):
                return None
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            return None
        return self._styled(value, compact)

    def _styled(self, value: dict[str, Any], compact: bool) -> tuple[str, Any] | None:
        read = self._read_back(value, compact)
        if read is None:
            return None
        text, parsed = read
        if parsed.arguments is None or parsed.faults or parsed.end < len(text.rstrip()):
            return None
        return text, parsed.arguments

    def written(self, value: dict[str, Any]) -> tuple[str, Any] | None:
        """The text of arguments and what a parser makes of it, even where that is nothing."""
        read = self._read_back(value, compact=True)
        return None if read is None else (read[0], read[1].arguments)

    def _read_back(self, value: dict[str, Any], compact: bool) -> tuple[str, Any] | None:
        from structag_cli.reader.styles import style_named

        style = style_named(self.style)
        try:
            text = style.render(value, self.schema)
            if compact:
                text = self.constants.compact(text)
            text.encode()
            return text, style.parse(text, 0, self.schema)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None


def _elements(value: Any) -> str:
    """A Cohere value from its type on: elements within elements, as a model writes it."""
    from structag_cli.reader.styles import style_named

    return style_named("cohere_xml").render({"v": value}, {}).partition(' name="v"')[2]


def _json_element(value: Any) -> str:
    """A Cohere value from its type on, as JSON: so xgrammar 0.2.9 takes a constant."""
    return f' type="json">{compact(value)}</cofl:value>'
