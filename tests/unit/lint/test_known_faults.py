"""Faults that users of structural tags report, by kind: each is found, and its near twin is not.

Every witness is held against xgrammar itself.
"""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from structag_cli.engine.text import compile_text
from structag_cli.errors import EngineError
from structag_cli.findings import Finding
from structag_cli.formats.registry import grammar_for
from structag_cli.lint.run import lint
from structag_cli.lint.schemas import style_of
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}
LETTERS = {**TEXT, "pattern": "^[a-z]+$"}
FEW = {**TEXT, "maxLength": 3}
V = "/0/parameters/properties/v"
STYLES = ("hermes", "qwen3_coder", "minimax_m2", "deepseek_v3_2", "glm47")
XML = STYLES[1:]


class Case(NamedTuple):
    """A document, and what lint says of it; with ``found`` false, what it must not say."""

    kind: str
    document: Any
    code: str
    effect: str | None = None
    pointer: str = ""
    parser: str | None = None
    found: bool = True
    target: str | None = None
    tokenizer: str | None = None


def closed(**properties: Any) -> dict[str, Any]:
    names = list(properties)
    return {
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": False,
    }


def tool(parameters: Any, name: str = "f", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "Do it.", "parameters": parameters, **more}


def holding(schema: Any) -> list[Any]:
    return [tool(closed(v=schema))]


def tag(begin: str = "<call>", content: Any = None, end: str = "</call>") -> dict[str, Any]:
    content = content or {"type": "json_schema", "json_schema": closed(a=TEXT)}
    return {"type": "tag", "begin": begin, "content": content, "end": end}


def calls(*tags: Any, triggers: Any = ("<call",), **more: Any) -> dict[str, Any]:
    return whole({"type": "triggered_tags", "triggers": [*triggers], "tags": [*tags], **more})


def whole(node: Any) -> dict[str, Any]:
    return {"type": "structural_tag", "format": node}


def request(tools: Any, **more: Any) -> dict[str, Any]:
    wrapped = [{"type": "function", "function": each} for each in tools]
    return {"messages": [{"role": "user", "content": "hi"}], "tools": wrapped, **more}


def fine(kind: str, document: Any, code: str, **more: Any) -> Case:
    return Case(kind, document, code, found=False, **more)


def dropped(kind: str, schema: Any, below: str) -> Case:
    """A parameter of this schema lets through what the schema forbids."""
    return Case(kind, holding(schema), "S101", "drops", V + below)


def sound(kind: str, schema: Any) -> list[Case]:
    """A parameter of this schema is as it should be."""
    return [fine(kind, holding(schema), code) for code in ("S101", "S102", "F001")]


SCHEMAS = [
    dropped("length beside pattern", {**LETTERS, "maxLength": 3}, "/maxLength"),
    dropped("length beside pattern", {**LETTERS, "minLength": 3}, "/minLength"),
    dropped("length beside format", {**TEXT, "format": "email", "maxLength": 9}, "/maxLength"),
    dropped("pattern beside format", {**TEXT, "format": "date", "pattern": "^2024"}, "/pattern"),
    *sound("pattern alone", LETTERS),
    *sound("length alone", FEW),
    *(
        Case("no escapes", holding(schema), "S106", "forbids", V)
        for schema in (
            {**TEXT, "maxLength": 8000},
            {**TEXT, "minLength": 1},
            {**TEXT, "pattern": "^.*$"},
            {**TEXT, "pattern": r"^[\s\S]*$"},
            {**TEXT, "pattern": r"^a\nb$"},
        )
    ),
    Case(
        "no escapes",
        holding({"type": "array", "items": FEW}),
        "S106",
        "forbids",
        V + "/items",
    ),
    Case(
        "escapes in a name",
        [tool(closed(naïve=TEXT))],
        "S106",
        "forbids",
        "/0/parameters/properties/naïve",
    ),
    fine("no line break in a format", holding({**TEXT, "format": "hostname"}), "S106"),
    fine("escapes", holding(TEXT), "S106"),
    fine("no escape wanted", holding(LETTERS), "S106"),
    fine("no escape wanted", holding({**TEXT, "pattern": r"^\w+$"}), "S107"),
    dropped("no type", {"pattern": "^[a-z]+$", "maxLength": 3}, "/pattern"),
    dropped("no type", {"pattern": "^[a-z]+$", "maxLength": 3}, "/maxLength"),
    dropped("no type", {"minimum": 3}, "/minimum"),
    dropped("no type", {"minItems": 2}, "/minItems"),
    Case("no type", holding({"format": "date"}), "S108", "drops", V + "/format"),
    *sound("a type", {**NUMBER, "minimum": 3}),
    Case("nullable", holding({**TEXT, "nullable": True}), "T016", "forbids", V + "/nullable"),
    fine("nullable", holding({"type": ["string", "null"], "nullable": True}), "T016"),
    fine("nullable", holding({**TEXT, "nullable": False}), "T016"),
    fine("nullable", [tool(closed(nullable=TEXT))], "T016"),
    dropped(
        "allOf of two",
        {"allOf": [closed(a=TEXT), {"type": "object", "required": ["b"]}]},
        "/allOf/0/type",
    ),
    *sound("allOf of one", {"allOf": [TEXT]}),
    dropped("only the empty object", {"type": "object", "required": ["a"]}, "/required"),
    Case(
        "only the empty object",
        holding({"type": "object", "required": ["a"]}),
        "S102",
        "forbids",
        V,
    ),
    Case(
        "only the empty array",
        holding({"type": "array", "uniqueItems": True}),
        "S102",
        "forbids",
        V,
    ),
    Case("no array at all", holding({"type": "array", "minItems": 2}), "F001", "fails", V),
    *sound("a bare object", {"type": "object"}),
    *sound("a bare array", {"type": "array"}),
    *sound("a shape", {"type": "array", "items": TEXT, "minItems": 2}),
    dropped(
        "ignored keyword",
        {"type": "array", "items": TEXT, "uniqueItems": True},
        "/uniqueItems",
    ),
    *sound("unique already", {"type": "array", "items": TEXT, "maxItems": 1, "uniqueItems": True}),
    dropped("ignored keyword", {**TEXT, "not": {"enum": ["abc"]}}, "/not"),
    *sound("not that holds anyway", {**TEXT, "not": {"type": "integer"}}),
    dropped("ignored keyword", {"type": "array", "items": {}, "contains": NUMBER}, "/contains"),
    Case(
        "ignored keyword",
        [
            tool(
                {
                    "type": "object",
                    "properties": {"a": {"enum": ["x", "y"]}, "b": TEXT},
                    "required": ["a"],
                    "if": {"properties": {"a": {"const": "x"}}},
                    "then": {"required": ["b"]},
                }
            )
        ],
        "S101",
        "drops",
        "/0/parameters/then/required",
    ),
    Case(
        "ignored keyword",
        [
            tool(
                {
                    "type": "object",
                    "properties": {"a": TEXT, "b": TEXT},
                    "dependentRequired": {"a": ["b"]},
                }
            )
        ],
        "S101",
        "drops",
        "/0/parameters/dependentRequired",
    ),
    dropped("ignored keyword", {"oneOf": [NUMBER, {"type": "number"}]}, "/oneOf"),
    *sound("oneOf of others", {"oneOf": [NUMBER, TEXT]}),
    dropped("ignored keyword", {"type": "number", "multipleOf": 0.5}, "/multipleOf"),
    *sound("multipleOf of integers", {**NUMBER, "multipleOf": 5}),
    Case(
        "items as a list",
        holding({"type": "array", "items": [TEXT], "additionalItems": False}),
        "F001",
        "fails",
        V,
    ),
    Case(
        "more items than listed",
        holding({"type": "array", "prefixItems": [TEXT]}),
        "S102",
        "forbids",
        V,
    ),
    *sound("items closed", {"type": "array", "prefixItems": [TEXT], "items": False}),
    *sound("extra keyword", {"type": "array", "items": TEXT, "additionalItems": False}),
    Case(
        "reference outside",
        holding({"$ref": "https://example.com/x.json"}),
        "F004",
        "drops",
        V + "/$ref",
    ),
    fine(
        "reference inside",
        [tool({**closed(v={"$ref": "#/$defs/x"}), "$defs": {"x": TEXT}})],
        "F004",
    ),
    Case("unanchored", holding({**TEXT, "pattern": "abc"}), "S107", "forbids", V),
    fine("anchored", holding({**TEXT, "pattern": "^abc$"}), "S107"),
    dropped("lookahead", {**TEXT, "pattern": "^(?!foo)[a-z]+$"}, "/pattern"),
    dropped("lookahead", {**TEXT, "pattern": r"^(?=.*\d)[a-z0-9]+$"}, "/pattern"),
    *(
        Case("pattern refused", holding({**TEXT, "pattern": pattern}), "F001", "fails", V)
        for pattern in ("^(?<=a)b$", r"^(a|b)\1$", r"^\bfoo$", r"^\p{L}+$")
    ),
    *sound("digits", {**TEXT, "pattern": r"^\d{3}$"}),
    Case(
        "keys by pattern",
        holding({"type": "object", "patternProperties": {"^s_": TEXT}}),
        "S102",
        "forbids",
        V,
    ),
    *sound(
        "keys by a whole pattern",
        {
            "type": "object",
            "patternProperties": {"^s_[a-z]+$": TEXT},
            "additionalProperties": False,
        },
    ),
    Case(
        "a schema in a tag",
        whole(tag(content={"type": "json_schema", "json_schema": closed(v={"minimum": 3})})),
        "S101",
        "drops",
        "/format/content/json_schema/properties/v/minimum",
    ),
    Case(
        "a response format",
        {
            "messages": [],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "x", "schema": closed(v={"minimum": 3})},
            },
        },
        "S101",
        "drops",
        "/response_format/json_schema/schema/properties/v/minimum",
    ),
]

STRINGS = [
    *(
        Case("closing mark in a string", holding(schema), "S110", "drops", V, parser)
        for parser in XML
        for schema in (
            {**TEXT, "maxLength": 8000},
            {**TEXT, "minLength": 1},
            {**TEXT, "pattern": "^a.*b$"},
            {"type": ["string", "null"], "maxLength": 8000},
        )
    ),
    *(
        fine("no closing mark", holding(schema), "S110", parser=parser)
        for parser in STYLES
        for schema in (TEXT, LETTERS, FEW, {"enum": ["a", "b"]})
    ),
    fine("no closing mark", holding({**TEXT, "maxLength": 8000}), "S110", parser="hermes"),
    Case(
        "closing mark in a value",
        holding({"enum": ["a</parameter>b"]}),
        "S110",
        "drops",
        V,
        "qwen3_coder",
    ),
    *(
        Case("no escapes", holding(closed(w=FEW)), "S106", "forbids", V + "/properties/w", parser)
        for parser in STYLES
    ),
    *(fine("raw text", holding(FEW), "S106", parser=parser) for parser in XML),
    *(
        Case(
            "length beside pattern",
            holding({**LETTERS, "maxLength": 3}),
            "S101",
            "drops",
            V + "/maxLength",
            parser,
        )
        for parser in STYLES
    ),
    *(
        Case("unanchored", holding({**TEXT, "pattern": "abc"}), "S107", "forbids", V, parser)
        for parser in STYLES
    ),
    *(
        fine(kind, holding(schema), "S101", parser=parser)
        for parser in ("hermes", "deepseek_v3_2")
        for kind, schema in (("pattern alone", LETTERS), ("length alone", FEW))
    ),
    *(
        fine("attribute and type", holding(schema), "S101", parser="deepseek_v3_2")
        for schema in (NUMBER, TEXT, {"type": ["integer", "string"]}, {"enum": ["a", 1]})
    ),
]

BAN = {"type": "any_tokens", "exclude_tokens": ["<tool_call>"]}
TOKEN = {"type": "token", "token": "<tool_call>"}

TAGS = [
    Case(
        "two triggers",
        calls(tag(), triggers=("<call", "<call>")),
        "G004",
        None,
        "/format/tags/0/begin",
    ),
    fine("one trigger", calls(tag()), "G004"),
    Case(
        "begins alike",
        calls(tag(), tag(content={"type": "json_schema", "json_schema": closed(b=TEXT)})),
        "G007",
        None,
        "/format/tags/1/begin",
    ),
    fine("begin within a begin", calls(tag("<call get>"), tag("<call get_all>")), "G007"),
    fine("begin within a begin", calls(tag("<call get>"), tag("<call get_all>")), "G004"),
    *(
        Case("trigger excluded", calls(tag(), excludes=[text]), "G011", None, "/format/excludes/0")
        for text in ("<call", "<")
    ),
    fine("other text excluded", calls(tag(), excludes=["</think>"]), "G011"),
    Case(
        "all excluded",
        whole({"type": "any_text", "excludes": [""]}),
        "G011",
        None,
        "/format/excludes/0",
    ),
    Case("empty part", calls(tag(), triggers=()), "G001", None, "/format/triggers"),
    Case("empty part", calls(tag(), triggers=("",)), "G001", None, "/format/triggers/0"),
    Case("empty part", calls(), "G001", None, "/format/tags"),
    Case("empty part", whole({}), "G001", None, "/format"),
    fine("no empty part", calls(tag()), "G001"),
    Case(
        "misspelt", whole({"type": "any_text", "exclude": ["a"]}), "G002", None, "/format/exclude"
    ),
    Case("misspelt", calls(tag(), stop_after_frist=True), "G002", None, "/format/stop_after_frist"),
    fine("spelt right", calls(tag(), stop_after_first=True), "G002"),
    Case("tokens by text", whole(BAN), "G016", None, "/format/exclude_tokens/0"),
    Case(
        "tokens by text",
        whole(BAN),
        "G016",
        None,
        "/format/exclude_tokens/0",
        tokenizer="smollm2",
    ),
    fine("tokens by text", whole(BAN), "G016", tokenizer="qwen3.6"),
    fine("text banned", whole({"type": "any_text", "excludes": ["<tool_call>"]}), "G016"),
    Case(
        "marker in pieces",
        calls(tag("<tool_call>"), triggers=("<tool_call>",)),
        "G022",
        None,
        "/format",
        tokenizer="qwen3.6",
    ),
    fine(
        "marker as a token",
        whole(
            {
                "type": "token_triggered_tags",
                "trigger_tokens": ["<tool_call>"],
                "tags": [{**tag(), "begin": TOKEN, "end": "\n"}],
            }
        ),
        "G022",
        tokenizer="qwen3.6",
    ),
    *(
        Case(
            "trigger in a word",
            calls(tag(f"{text}ook "), triggers=(text,)),
            "G005",
            None,
            "/format/triggers/0",
        )
        for text in ("function", "=B")
    ),
    fine("trigger in no word", calls(tag("<function=a>"), triggers=("<function=",)), "G005"),
    Case(
        "call after call",
        whole(
            {"type": "tags_with_separator", "separator": "", "tags": [tag()], "at_least_one": True}
        ),
        "G013",
        None,
        "/format",
    ),
    fine("call and text", calls(tag(), at_least_one=True), "G013"),
    *(
        Case(
            "older release",
            calls(tag(), excludes=["a"]),
            "C002",
            None,
            "/format/excludes",
            target=release,
        )
        for release in ("xgrammar==0.1.25",)
    ),
    Case("older release", whole(BAN), "C001", None, "/format/type", target="xgrammar==0.1.25"),
    fine("this release", whole(BAN), "C001", target="xgrammar==0.2.9"),
    fine("this release", calls(tag(), excludes=["a"]), "C002", target="xgrammar==0.2.9"),
]

NONE = closed()
REF = {**closed(v={"$ref": "#/$defs/x"}), "$defs": {"x": closed(a=NUMBER)}}

TOOLS = [
    *(Case("no arguments", [tool(NONE)], "T014", None, "/0/parameters", parser) for parser in XML),
    fine("no arguments", [tool(NONE)], "T014", parser="hermes"),
    *(fine("an argument", holding(TEXT), "T014", parser=parser) for parser in XML),
    Case("one name twice", [tool(closed(a=TEXT)), tool(closed(b=TEXT))], "T005", None, "/1/name"),
    *(
        Case(
            "names alike",
            [tool(closed(a=TEXT), one), tool(closed(b=TEXT), other)],
            "T006",
            None,
            "/1/name",
        )
        for one, other in (("Get", "get"), ("a b", "a-b"))
    ),
    fine("names apart", [tool(closed(a=TEXT), "get"), tool(closed(b=TEXT), "get_all")], "T006"),
    *(
        Case("odd name", [tool(closed(a=TEXT), name)], "T002", None, "/0/name")
        for name in ("a.b", "a/b", "a b", 'a"b', "a<b", "a>b", "a&b", "a\nb", "a😀b")
    ),
    fine("hyphen", [tool(closed(a=TEXT), "a-b")], "T002"),
    Case("no name", [tool(closed(a=TEXT), "")], "T001", None, "/0"),
    Case("long name", [tool(closed(a=TEXT), "x" * 200)], "T003", None, "/0/name"),
    *(
        Case("name breaks the call", [tool(closed(a=TEXT), name)], "T004", None, "/0/name", parser)
        for name, parser in (
            ('a"b', "hermes"),
            ("a\nb", "hermes"),
            ("a<b", "qwen3_coder"),
            ("a>b", "qwen3_coder"),
        )
    ),
    fine("name in the call", [tool(closed(a=TEXT), "a<b")], "T004", parser="hermes"),
    Case("type behind a reference", [tool(REF)], "T015", None, V, "qwen3_coder"),
    fine("type behind a reference", [tool(REF)], "T015", parser="hermes"),
    Case(
        "array without end",
        holding({"type": "array", "items": TEXT, "minItems": 1}),
        "F010",
        None,
        V,
    ),
    fine("array with an end", holding({"type": "array", "items": TEXT, "maxItems": 9}), "F010"),
]

CASES = [*SCHEMAS, *STRINGS, *TAGS, *TOOLS]


def named(case: Case) -> str:
    verb = "is" if case.found else "is-not"
    return f"{case.kind}-{verb}-{case.code}-{case.parser or ''}".replace(" ", "_")


Group = tuple[str | None, str | None, str | None]


def group_of(case: Case) -> Group:
    return case.parser, case.target, case.tokenizer


def file_of(case: Case) -> str:
    return sha256(json.dumps(case.document).encode()).hexdigest()[:20] + ".json"


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The findings of a group's documents by file; each group is linted once, for it is slow."""

    @cache
    def report(group: Group) -> dict[str, list[Finding]]:
        folder = tmp_path_factory.mktemp("documents")
        found: dict[str, list[Finding]] = {}
        for case in (case for case in CASES if group_of(case) == group):
            (folder / file_of(case)).write_text(json.dumps(case.document))
        parser, target, tokenizer = group
        grammar = grammar_for(parser) if parser else None
        settings = Settings(
            parser=parser, grammar=grammar, target=target, tokenizer=tokenizer, seconds=1.0
        )
        for finding in lint([str(folder)], settings, Selection()):
            found.setdefault(Path(finding.place.file).name, []).append(finding)
        return found

    return report


def at(pointer: str, document: Any) -> Any:
    for part in pointer.split("/")[1:]:
        document = document[int(part) if isinstance(document, list) else part]
    return document


def engine(case: Case) -> Any:
    """The grammar of the schema that a case is about; ``None`` where it is a tag's."""
    if not isinstance(case.document, list):
        return None
    schema = at("/0/parameters", case.document)
    style = style_of(grammar_for(case.parser) if case.parser else None)
    node = {"type": "json_schema", "json_schema": schema, "style": style}
    return lambda: compile_text(whole(node))


@pytest.mark.parametrize("case", CASES, ids=named)
def test_known_faults(case, reports):
    all_found = reports(group_of(case)).get(file_of(case), [])
    found = [finding for finding in all_found if finding.code == case.code]
    said = [(f.code, f.effect, f.place.pointer) for f in found]
    if not case.found:
        assert said == []
        return
    assert (case.code, case.effect, case.pointer) in said
    compiled = engine(case)
    for finding in found if compiled is not None else ():
        if finding.effect == "fails":
            with pytest.raises(EngineError):
                compiled()
        if finding.witness is not None:
            assert compiled().check(finding.witness.text).accepted is finding.witness.accepted
            assert finding.witness.accepted is (finding.effect == "drops")
