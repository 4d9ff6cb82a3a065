"""A template is a stranger's program: it ends, whatever it does."""

from __future__ import annotations

import time

import pytest

from structag_cli.prefix import template as templates
from structag_cli.prefix.limits import OverLimit, limited
from structag_cli.prefix.template import ChatTemplate, EndlessTemplate

LOOP = "{% for i in range(99999) %}{% for j in range(99999) %}BODY{% endfor %}{% endfor %}"
ENDLESS = {
    "silent loop": LOOP.replace("BODY", ""),
    "loop that writes": LOOP.replace("BODY", "x" * 1000),
    "repeated text": "{{ ('a' * 99999999999) | length }}",
    "padded text": "{{ 'a'.ljust(99999999999) | length }}",
    "power of constants": "{{ 10 ** 1000000000 }}",
    "power of values": "{% set x = messages | length %}{{ (x + 9) ** (x * 100000000) }}",
    "growing text": "{% set n = namespace(t='a') %}{% for i in range(99) %}"
    "{% set n.t = n.t + n.t %}{% endfor %}{{ n.t | length }}",
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_what_has_no_end_is_ended(monkeypatch, source) -> None:
    monkeypatch.setattr(templates, "limited", lambda: limited(0.5))
    began = time.monotonic()
    template = ChatTemplate("t.jinja", source + "{# own text: " + __name__ + " #}")
    for _ in range(2):  # the second time it is known
        with pytest.raises(EndlessTemplate, match="no end"):
            template.render([{"role": "user", "content": "x"}], None)
    assert time.monotonic() - began < 20


def test_an_ordinary_template_is_not_bothered() -> None:
    template = ChatTemplate("t.jinja", "{{ 2 ** 10 }}{{ 'a' * 3 }}{{ 2.0 ** 0.5 > 1 }}")
    assert template.render([], None) == "1024aaaTrue"


def _spin() -> None:
    while True:
        pass


def _spin_within_limits() -> None:
    with limited(0.1):
        _spin()


def test_limits_are_taken_back() -> None:
    import resource
    import sys

    before = resource.getrlimit(resource.RLIMIT_AS), sys.gettrace()
    with pytest.raises(OverLimit):
        _spin_within_limits()
    assert (resource.getrlimit(resource.RLIMIT_AS), sys.gettrace()) == before


def test_limits_hold_in_any_thread() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as threads, pytest.raises(OverLimit):
        threads.submit(_spin_within_limits).result()


def test_lint_says_that_it_was_not_tried(monkeypatch, tmp_path) -> None:
    from structag_cli.formats.registry import grammar_for
    from structag_cli.lint.run import lint
    from structag_cli.lint.selection import Selection
    from structag_cli.lint.subject import Settings

    monkeypatch.setattr(templates, "limited", lambda: limited(0.5))
    file, tools = tmp_path / "t.jinja", tmp_path / "tools.json"
    file.write_text(ENDLESS["silent loop"] + "{# lint #}")
    tools.write_text('[{"name": "a", "input_schema": {"type": "object", "properties": {}}}]')
    settings = Settings("hermes", grammar_for("hermes"), template=str(file))
    (found,) = lint([str(tools)], settings, Selection(("A002",)))
    assert (found.code, "no end" in found.message) == ("E004", True)
