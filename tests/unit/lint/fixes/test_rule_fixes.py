"""What each rule mends, what it leaves alone, and that mending keeps everything else."""

import json

import pytest

from structag_cli.lint.fixes.mending import mend
from structag_cli.lint.registry import rules
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

FIXABLE = [rule for rule in rules().values() if rule.fix]


def mended(text, *codes, path="x.json", **settings):
    return mend(path, text, Settings(deep=False, **settings), Selection(codes))


def tag(node):
    return '{"type": "structural_tag",  "format": ' + node + "}\n"


def tool(schema, strict="false"):
    return (
        '[{"type": "function", "function": {"name": "f", "strict": '
        + strict
        + ', "parameters": '
        + schema
        + "}}]"
    )


def manifest(*args, env="", tail=""):
    lines = "".join(f"                - {arg}\n" for arg in args)
    return (
        "# the head\napiVersion: nvidia.com/v1beta1\nkind: DynamoGraphDeployment\n"
        "metadata: {name: x}\nspec:\n  components:\n"
        "    - name: Worker # one\n      type: worker\n      podTemplate:\n        spec:\n"
        "          containers:\n            - name: main\n"
        "              command: [python3, -m, dynamo.sglang]\n              args:\n"
        f"{lines}{env}{tail}"
    )


TRIGGERED = (
    '{"type": "triggered_tags", "triggers": ["<f>"], "tags": [{"type": "tag", '
    '"begin": "<f>", "content": {"type": "any_text"}, "end": "</f>"}], %s}'
)
NODE = tag('{"type": "tag", "begin": "<f>", "content": %s, "end": "</f>"}')

MENDED = [
    ("G001", NODE % '{"type": "const_strin", "value": "x"}', '"const_strin"', '"const_string"'),
    ("G001", tag(TRIGGERED % '"at_least_one": "True"'), '"True"', "true"),
    ("G001", NODE % '{"type": "any_text", "max_tokens": "12"}', '"12"', "12"),
    (
        "G001",
        NODE % '{"type": "json_schema", "json_schema": {}, "style": "Qwen-XML"}',
        '"Qwen-XML"',
        '"qwen_xml"',
    ),
    ("G002", tag(TRIGGERED % '"stop_after_frist": true'), "stop_after_frist", "stop_after_first"),
    ("G002", tag(TRIGGERED % '"stopAfterFirst": true'), "stopAfterFirst", "stop_after_first"),
    ("G002", NODE % '{"type": "any_text", "exclude": ["<"]}', '"exclude"', '"excludes"'),
    (
        "G014",
        NODE % '{"type": "qwen_xml_parameter", "json_schema": {}}',
        '"qwen_xml_parameter", "json_schema": {}',
        '"json_schema", "json_schema": {}, "style": "qwen_xml"',
    ),
    ("T010", tool('{"type": "OBJECT"}'), '"OBJECT"', '"object"'),
    ("T010", tool('{"properties": {"a": {"type": "str"}}}'), '"str"', '"string"'),
    ("T010", tool('{"properties": {"a": {"maxLength": "5"}}}'), '"5"', "5"),
    ("T010", tool('{"properties": {"a": {"minimum": "-1.5"}}}'), '"-1.5"', "-1.5"),
    ("T010", tool('{"additionalProperties": "false"}'), '"false"', "false"),
    ("T010", tool('{"required": ["a", "b",\t"a"]}'), ',\t"a"]', "]"),
    ("T010", tool('{"required": ["a" ,  "a", "a"]}'), '"a" ,  "a", "a"', '"a"'),
    (
        "T012",
        tool('{"type": "object","properties": {}}', "true"),
        '"properties": {}',
        '"properties": {},"additionalProperties": false',
    ),
    (
        "T012",
        tool('{\n "type": "object",\n "properties": {}\n}', "true"),
        '"properties": {}\n',
        '"properties": {},\n "additionalProperties": false\n',
    ),
]


@pytest.mark.parametrize(("code", "text", "old", "new"), MENDED)
def test_json_is_mended_there_and_nowhere_else(code, text, old, new):
    assert text.count(old) == 1
    done = mended(text, code)
    assert done.text == text.replace(old, new)
    assert done.count >= 1
    assert mended(done.text, code).count == 0


LEFT = [
    ("G001", NODE % '{"type": "const_strin", "pattern": "x"}'),
    ("G001", NODE % '{"type": "strin", "value": "x"}'),
    ("G001", tag(TRIGGERED % '"at_least_one": "yes"')),
    ("G001", NODE % '{"type": "any_text", "max_tokens": "-1"}'),
    ("G002", tag(TRIGGERED % '"stop_after_frist": "no"')),
    ("G002", tag(TRIGGERED % '"stop_after_frist": true, "stop_after_first": false')),
    ("G002", tag(TRIGGERED % '"stop_after_frist": true, "stop_after_fist": false')),
    ("G002", NODE % '{"type": "repeat", "mix": 1, "max": 2, "content": {"type": "any_text"}}'),
    ("G014", NODE % '{"type": "qwen_xml_parameter", "json_schema": {}, "any_order": true}'),
    ("T010", tool('{"properties": {"a": {"type": "text"}}}')),
    ("T010", tool('{"properties": {"a": {"type": "string", "required": true}}}')),
    ("T010", tool('{"properties": {"a": {"maxLength": "five", "minimum": "1e5"}}}')),
    ("T010", tool('{"type": ["String", "STRING"]}')),
    ("T012", tool('{"type": "object"}', "true")),
    ("T012", tool('{"type": "object", "properties": {}, "additionalProperties": true}', "true")),
    ("T012", tool('{"type": "object", "properties": {}, "allOf": []}', "true")),
    ("T012", tool('{"type": "object", "properties": {}}')),
    ("T011", tool('{"properties": {"user_id": {}}, "required": ["userId"]}')),
]


@pytest.mark.parametrize(("code", "text"), LEFT)
def test_what_has_two_readings_is_left_alone(code, text):
    assert mended(text, code).text == text


def test_older_targets_know_no_styles():
    text = NODE % '{"type": "qwen_xml_parameter", "json_schema": {}}'
    assert mended(text, "G014", target="xgrammar==0.1.25").text == text


def test_newer_form_compiles_to_the_same_grammar():
    xgrammar = pytest.importorskip("xgrammar")
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    old = NODE % ('{"type": "qwen_xml_parameter", "json_schema": ' + json.dumps(schema) + "}")
    new = mended(old, "G014").text
    assert new != old
    grammars = [str(xgrammar.Grammar.from_structural_tag(json.loads(t))) for t in (old, new)]
    assert grammars[0] == grammars[1]


ARGS = [
    ("--dyn-enable-structural-tags", "--dyn-enable-structural-tag"),
    ("--dyn-tool-call-parsr=hermes # c", "--dyn-tool-call-parser=hermes # c"),
    ("'--dyn-tool-call-parser Hermes'", "'--dyn-tool-call-parser Hermes'"),
    ("--dyn-tool-call-parser hermes", "--dyn-tool-call-parser=hermes"),
    ('"--dyn-tool-call-parser=Qwen3-Coder"', '"--dyn-tool-call-parser=qwen3_coder"'),
    ("--dyn-tool-call-parser=hermez", "--dyn-tool-call-parser=hermez"),
    ("--dyn-structural-tag-scope=Always", "--dyn-structural-tag-scope=always"),
    ("--dyn-enable-structural-tag=true", "--dyn-enable-structural-tag"),
    ("--dyn-enable-structural-tag=False", "--no-dyn-enable-structural-tag"),
    ("--dyn-structural-tag-s=auto", "--dyn-structural-tag-s=auto"),
    ("0x1F40", '"0x1F40"'),
    ("True", '"True"'),
]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(("old", "new"), ARGS)
def test_arguments_of_a_manifest(old, new, line_end):
    text = manifest("--port", old, tail="# tail\n").replace("\n", line_end)
    wanted = manifest("--port", new, tail="# tail\n").replace("\n", line_end)
    assert mended(text, "D", path="x.yaml").text == wanted


def test_a_switch_loses_its_value_line():
    text = manifest("--dyn-enable-structural-tag # on", "'true'", "--port")
    wanted = manifest("--dyn-enable-structural-tag # on", "--port")
    assert mended(text, "D002", path="x.yaml").text == wanted


def test_a_comment_behind_what_would_go_keeps_it():
    text = manifest("--dyn-enable-structural-tag", "'true' # on", "--port")
    done = mended(text, "D002", path="x.yaml")
    assert done.text == text
    assert [why for _, why in done.refused] == ["a comment stands there"]


def test_flags_that_are_there_already_are_not_set_twice():
    text = manifest("--dyn-tool-call-parser=hermes", "--dyn-tool-call-parsr=mistral")
    assert mended(text, "D001", path="x.yaml").text == text


ENV = (
    "              env:\n                - name: DYN_TOOL_CALL_PARSR # c\n"
    "                  value: &p hermes\n"
    "                - {name: DYN_STRUCTURAL_TAG, value: true}\n"
)


def test_variables_of_a_manifest():
    text = manifest("--port", env=ENV)
    wanted = text.replace("PARSR", "PARSER").replace("value: true", 'value: "true"')
    assert mended(text, "D001", "D002", path="x.yaml").text == wanted


def test_the_right_document_of_a_stream():
    one = manifest("--dyn-tool-call-parser=hermes")
    two = manifest("--dyn-tool-call-parsr=hermes").replace("Worker", "Other")
    text = f"{one}---\n{two}...\n---\n# left: {{\na: 1\n"
    assert mended(text, "D001", path="x.yaml").text == text.replace("parsr", "parser")


def test_shared_values_are_not_mended():
    args = manifest("--dyn-tool-call-parsr=hermes").replace("args:", "args: &args")
    other = (
        "    - name: Other\n      type: worker\n      podTemplate:\n        spec:\n"
        "          containers:\n            - name: main\n"
        "              command: [python3, -m, dynamo.sglang]\n              args: *args\n"
    )
    done = mended(args + other, "D001", path="x.yaml")
    assert done.text == args + other
    reasons = {why for _, why in done.refused}
    assert reasons == {"an anchor around it shares it", "it comes from an anchor"}


def test_anchored_values_are_not_mended():
    text = manifest("&a --dyn-tool-call-parsr=hermes")
    done = mended(text, "D001", path="x.yaml")
    assert (done.text, [why for _, why in done.refused]) == (text, ["it has an anchor"])


YAML_TOOLS = """\
# tools
- type: function
  function: # inner
    name: f
    strict: true
    parameters:
      type: Object   # capital
      properties:
        'a': {type: STRING, maxLength: "5"}  # é
      required:
        - a # first
        # above
        - a
"""


def test_tools_in_yaml():
    wanted = (
        YAML_TOOLS.replace("Object ", "object ")
        .replace("STRING", "string")
        .replace('"5"', "5")
        .replace("        # above\n        - a\n", "        # above\n")
        .replace("# capital\n", "# capital\n      additionalProperties: false\n")
    )
    for line_end in ("\n", "\r\n"):
        text = YAML_TOOLS.replace("\n", line_end)
        done = mended(text, "T010", "T012", path="x.yaml")
        assert done.text == wanted.replace("\n", line_end)


def test_lines_of_a_log():
    good = json.dumps({"tools": json.loads(tool('{"type": "object"}'))})
    bad = good.replace('"object"', '"OBJECT"').replace(", ", " ,\t")
    text = f"{good}\r\n\n{bad}\n  not json\n{bad}"
    done = mended(text, "T010", path="x.jsonl")
    assert done.text == text.replace("OBJECT", "object")
    assert (done.count, len(done.troubles)) == (2, 1)


def test_a_tag_in_a_string_is_not_mended():
    inner = tag(TRIGGERED % '"stop_after_frist": true')
    text = json.dumps({"structural_tag": inner})
    assert mended(text, "G002").text == text


def test_a_bare_node_is_mended():
    text = TRIGGERED % '"stop_after_frist": true'
    assert mended(text, "G002").text == text.replace("frist", "first")


def test_mends_that_touch_take_several_rounds():
    text = NODE % '{"type": "any_text", "exclude": ["<"], "max_token": "5"}'
    done = mended(text, "G")
    assert done.text == NODE % '{"type": "any_text", "excludes": ["<"], "max_token": "5"}'
    text = tool(
        '{"type": "OBJECT", "properties": {"a": {"type": "dict", "properties": {}}}}', "true"
    )
    done = mended(text, "T010", "T012")
    assert json.loads(done.text)[0]["function"]["parameters"] == {
        "type": "object",
        "properties": {"a": {"type": "object", "properties": {}, "additionalProperties": False}},
        "additionalProperties": False,
    }


def test_known_findings_and_ignored_codes_are_not_mended():
    text = tool('{"type": "OBJECT"}')
    settings, known = Settings(deep=False), "x.json|T010|/0/function/parameters/type||f"
    assert mend("x.json", text, settings, Selection((), ("T010",))).text == text
    assert mend("x.json", text, settings, Selection(baseline={known: 1})).text == text


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda rule: rule.code)
def test_pages_say_what_is_mended(rule):
    from structag_cli.lint.pages import page, record, table_of_rules

    assert rule.fix in page(rule)
    assert record(rule)["fix"] == rule.fix
    assert f"{rule.severity.word} | yes |" in table_of_rules([rule])


def test_rules_that_mend_something():
    assert {rule.code for rule in FIXABLE} == {
        *("G001", "G002", "G014", "T010", "T012", "D001", "D002")
    }


COMPOSE = """\
services:
  w:
    command: python3 -m dynamo.sglang --dyn-tool-call-parsr hermes
    environment:
      DYN_STRUCTURAL_TAG_SCOP: auto   # c
  v:
    command: ["python3", "-m", "dynamo.sglang", "--dyn-tool-call-parsr", hermes]
    environment:
      - DYN_STRUCTURAL_TAG_SCOP=auto
"""


def test_compose_files_have_their_own_forms():
    wanted = COMPOSE.replace("SCOP", "SCOPE").replace('parsr"', 'parser"')
    assert mended(COMPOSE, "D001", path="x.yml").text == wanted


def test_manifests_in_json_with_tabs():
    from structag_cli.lint.deployments import manifest as example

    text = json.dumps(example("--dyn-tool-call-parsr", "Hermes"), indent="\t")
    wanted = text.replace("parsr", "parser").replace("Hermes", "hermes")
    assert mended(text, "D").text == wanted


@pytest.mark.parametrize(
    "args",
    [
        '["python3 -m dynamo.sglang --dyn-tool-call-parsr=hermes"]',
        "\n        - |\n          # s\n          python3 -m dynamo.sglang --dyn-tool-call-parsr a",
    ],
)
def test_scripts_are_left_alone(args):
    text = f"spec:\n  containers:\n    - command: [sh, -c]\n      args: {args}\n"
    assert mended(text, "D", path="x.yaml").text == text
    script = "python3 -m dynamo.sglang --dyn-tool-call-parsr=hermes\n"
    assert mended(script, "D", path="x.sh").text == script


def test_lines_of_json_under_any_name():
    text = '{"tools": [{"name": "f", "parameters": {"type": "OBJECT"}}]}\r\n' * 2
    assert mended(text, "T010", path="-").text == text.replace("OBJECT", "object")
