"""What the chat template gets to see."""

from __future__ import annotations

import pytest

from structag_cli.formats.registry import grammar_of_format
from structag_cli.generate.prompts import prompt_text
from structag_cli.request import ToolRequest

pytest.importorskip("transformers")
# As many templates do, it takes a content for a string.
TEMPLATE = "{% for m in messages %}{{ '<' + m.role + '>' + m.content }}{% endfor %}"


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ({"role": "user", "content": "hi"}, "<user>hi"),
        ({"role": "user", "content": [{"type": "text", "text": "hi"}]}, "<user>hi"),
        (
            {"role": "user", "content": [{"type": "text", "text": t} for t in ("a", "b")]},
            "<user>a\nb",
        ),
        ({"role": "assistant", "content": None}, "<assistant>"),
        ({"role": "assistant"}, "<assistant>"),
    ],
)
def test_a_content_is_a_string_as_servers_make_it(message, shown) -> None:
    request = ToolRequest((), messages=(message,))
    text = prompt_text(
        TEMPLATE, request, grammar_of_format("hermes_nl"), exclude_tools_on_none=True
    )
    assert text == shown
