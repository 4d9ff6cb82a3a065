"""What a chat template writes, tried on the tag: the first byte where they part."""

import json

import pytest

from structag_cli.errors import StructagError
from structag_cli.formats.registry import grammar_for
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

TOOLS = [
    {
        "name": "get_weather",
        "description": "The weather.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city"],
        },
    }
]
OPEN, CLOSE = "<tool_call>\\n", "\\n</tool_call>"
CALL = '{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}'
FLIPPED = '{"arguments": {{ c.function.arguments | tojson }}, "name": "{{ c.function.name }}"}'


def template(opening=OPEN, call=CALL, closing=CLOSE, between="\\n", before=""):
    return (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}"
        f"{{% for c in m.tool_calls or [] %}}{{% if loop.first %}}{before}"
        f"{{% else %}}{between}{{% endif %}}{opening}{call}{closing}{{% endfor %}}"
        "<|im_end|>\n{% endfor %}"
    ).replace("\\n", "\n")


def found(folder, text, parser="hermes", tools=TOOLS):
    (folder / "tools.json").write_text(json.dumps(tools))
    (folder / "template.jinja").write_text(text)
    settings = Settings(
        parser=parser, grammar=grammar_for(parser), template=str(folder / "template.jinja")
    )
    return list(lint([str(folder / "tools.json")], settings, Selection(("A002",))))


def test_a_template_that_agrees_is_quiet(tmp_path):
    assert found(tmp_path, template()) == []


@pytest.mark.parametrize(
    ("wrong", "at"),
    [
        ({"call": FLIPPED}, '{"'),
        ({"opening": "<tool_call>"}, "<tool_call>"),
        ({"closing": "</tool_call>"}, "}}"),
        ({"before": "\n\n"}, ""),
    ],
    ids=["key order", "no line break before", "none after", "blank line before"],
)
def test_the_first_byte_where_they_part(tmp_path, wrong, at):
    first = found(tmp_path, template(**wrong))[0]
    witness = first.witness
    text, position = witness.text.encode(), witness.position
    assert witness.valid
    assert not witness.accepted
    assert text[:position].decode().endswith(at)


@pytest.mark.parametrize(("between", "parts"), [(r'{{ "\n" }}', False), ("; ", True)])
def test_what_stands_between_two_calls(tmp_path, between, parts):
    line = r'{{ "\n" }}'  # a line break after a block is dropped by templates
    end = f"{{% if m.tool_calls %}}{line}</｜DSML｜function_calls>{{% endif %}}<|im_end|>"
    kind = '{{ "true" if value is string else "false" }}'
    sections = template(
        '<｜DSML｜invoke name="get_weather">\n',
        "{% for key, value in c.function.arguments.items() %}"
        f'<｜DSML｜parameter name="{{{{ key }}}}" string="{kind}">'
        "{{ value }}</｜DSML｜parameter>\n{% endfor %}",
        "</｜DSML｜invoke>",
        between,
        before="<｜DSML｜function_calls>\n",
    ).replace("<|im_end|>", end)
    seen = {each.keyword for each in found(tmp_path, sections, "deepseek_v3_2")}
    assert ("two calls of get_weather" in seen) == parts


def test_a_template_that_writes_no_calls_says_so(tmp_path):
    (only,) = found(tmp_path, "{% for m in messages %}{{ m.content }}{% endfor %}")
    assert only.severity.word == "info"
    assert "nothing could be tried" in only.message


def test_a_broken_template_is_one_clear_error(tmp_path):
    from structag_cli.commands.lint import lint as command

    (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
    broken = tmp_path / "broken.jinja"
    broken.write_text("{% for m in %}")
    with pytest.raises(StructagError, match="template"):
        command([str(tmp_path / "tools.json")], template=str(broken))
