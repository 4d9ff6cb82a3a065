"""What the chat template gets to see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from structag_cli.formats.registry import grammar_of_format
from structag_cli.generate.prompts import prompt_text
from structag_cli.place import Place
from structag_cli.prefix.template import ChatTemplate
from structag_cli.request import Tool, ToolRequest

# As many templates do, it takes a content for a string.
TEXT = "{% for m in messages %}{{ '<' + m.role + '>' + m.content }}{% endfor %}"
TEMPLATE = ChatTemplate("template.jinja", TEXT)


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


HERMES = grammar_of_format("hermes_nl")
ASKED = ToolRequest(
    (Tool("f", None, None, None, Place("t")),), messages=({"role": "user", "content": "hi"},)
)


def test_a_template_gets_the_texts_of_its_tokens() -> None:
    text = "{{ bos_token }}{{ messages[0].content }}{{ tools | length }}"
    template = ChatTemplate("t", text, tokens={"bos_token": "<s>"})
    assert prompt_text(template, ASKED, HERMES, exclude_tools_on_none=True) == "<s>hi1"


def test_the_template_for_tools_is_taken_where_a_model_has_two() -> None:
    template = ChatTemplate("t", "plain", with_tools="{{ tools[0].function.name }}")
    assert prompt_text(template, ASKED, HERMES, exclude_tools_on_none=True) == "f"
    free = replace(ASKED, tools=())
    assert prompt_text(template, free, HERMES, exclude_tools_on_none=True) == "plain"
