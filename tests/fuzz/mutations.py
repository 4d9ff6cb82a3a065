"""What makes a sound file hostile: changes of its bytes, of its values, of its schemas."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.fuzz.seeds import Seed

_LONG = 100_000
_WORDS = (
    "\x07bell\x1b[31m",
    "a\u2028b\u2029c",
    "\u202eevil\u202c",
    "e\u0301\u200d\ufeff",
    "\U0001f9d1\u200d\U0001f680" * 3,
    "｜<｜tool▁call▁begin｜>",
    "</call><call>",
    "{{ 7*7 }} {% raw %}",
    "../../etc/passwd",
    "%s%n{0}{name}",
    "[bold red]x[/]",
    "__class__",
    "",
    " ",
    "\n",
)
_PATTERNS = (
    "(a+)+$",
    "(a|aa)+$",
    r"^(\w+\s?)*$",
    "^(a|a)*$",
    "(x+x+)+y",
    r"\s+$",
    "(.*a){25}",
    "((a{0,99}){0,99}){0,99}",
    "((((a{60}){60}){60}){60})",
    "a{4000000000}",
    "[",
    "(?<=a)b",
    r"\p{Lu}+",
    r"(?<n>a)\k<n>",
    r"\1",
    "(?R)",
    "(" * 90 + ")" * 90,
    "(" * 2000,
    "[^\\W\\w]",
    "\\",
    "(?i:A)(?s).*",
    "^$" * 50,
    "\\uD800",
    "[a-\\d]",
    "|" * 500,
)
_REFS = (
    "#",
    "#/",
    "#/$defs/loop",
    "#/properties/city",
    "#/$defs/~2%",
    "#nowhere",
    "http://127.0.0.1:9/x.json",
    "file:///etc/passwd",
    "urn:x",
    "http://[",
    "#/properties/0/1/2",
    "\x00",
)
_NUMBERS = (
    *(0, -1, 1, 2**31, 2**63, -(2**63) - 1, 2**64, 10**30, 10**400, 1e308, -1e308, 5e-324, 0.1),
    *(1.0, -0.0, 1e22),
)


def _deep(levels: int, random: Random) -> Any:
    value: Any = random.choice([1, "x", {}, [], None])
    kind = random.randrange(4)
    for _ in range(levels):
        value = [value] if kind == 0 else {random.choice(("items", "properties", "not")): value}
        if kind == 2:
            value = {"anyOf": [value]}
    return value


def _tag_tower(levels: int, random: Random) -> Any:
    """Formats in formats: what an engine's parser may walk for ever."""
    value: Any = {"type": "any_text"}
    for _ in range(levels):
        tag = {"type": "tag", "begin": random.choice(("", "<", "<a>")), "content": value, "end": ""}
        value = random.choice(
            [
                tag,
                {"type": "sequence", "elements": [value, value]},
                {"type": "or", "elements": [value, {"type": "any_text"}]},
                {"type": "triggered_tags", "triggers": ["<"], "tags": [tag]},
                {"type": "tags_with_separator", "tags": [tag], "separator": ""},
            ]
        )
    return value


def value(random: Random) -> Any:
    """Any JSON value, odd ones by preference."""
    makers: tuple[Callable[[], Any], ...] = (
        lambda: None,
        lambda: random.choice((True, False)),
        lambda: random.choice(_NUMBERS),
        lambda: random.choice(_WORDS),
        lambda: [],
        lambda: {},
        lambda: [value(random) for _ in range(random.randrange(1, 4))],
        lambda: {random.choice(_WORDS): value(random)},
        lambda: _deep(random.choice((3, 20, 60, 125)), random),
        lambda: _tag_tower(random.choice((2, 5, 9)), random),
        lambda: "x" * random.choice((300, 5000, _LONG)),
        lambda: [f"e{n}" for n in range(random.choice((50, 2000)))],
        lambda: {"$ref": random.choice(_REFS)},
        lambda: {"type": "string", "pattern": random.choice(_PATTERNS)},
        lambda: {"type": random.choice(("string", "object", "array", ["x"], 3, None, "x", []))},
        lambda: random.choice(_PATTERNS),
    )
    return random.choice(makers)()


def _keyword(random: Random) -> tuple[str, Any]:
    """A schema keyword with a value that is odd, or odd for it."""
    number = random.choice(_NUMBERS)
    chosen: tuple[tuple[str, Any], ...] = (
        *((key, number) for key in ("minItems", "maxItems", "minLength", "maxLength")),
        *((key, number) for key in ("minimum", "maximum", "multipleOf", "exclusiveMinimum")),
        *((key, number) for key in ("minProperties", "maxProperties", "minContains")),
        ("pattern", random.choice(_PATTERNS)),
        ("patternProperties", {random.choice(_PATTERNS): value(random)}),
        ("propertyNames", {"pattern": random.choice(_PATTERNS)}),
        ("$ref", random.choice(_REFS)),
        ("$dynamicRef", random.choice(_REFS)),
        ("$id", random.choice(_REFS)),
        ("$schema", random.choice(_REFS)),
        ("$defs", {"loop": {"$ref": "#/$defs/back"}, "back": {"$ref": "#/$defs/loop"}}),
        ("enum", [value(random) for _ in range(random.randrange(0, 4))]),
        ("enum", ["a" * 40 + "!"]),
        ("const", value(random)),
        ("default", value(random)),
        ("examples", value(random)),
        ("format", random.choice(("regex", "email", "uri", "x", "", 3, None, "date-time"))),
        ("required", random.choice((["city"] * 3, [""], ["nowhere"], [1], "city", {}))),
        ("type", random.choice((["string", "null"], [], "any", ["object", "array"], 1))),
        ("allOf", [value(random), value(random)]),
        ("oneOf", value(random)),
        ("not", value(random)),
        ("if", value(random)),
        ("dependencies", {"city": value(random)}),
        ("dependentRequired", {"city": ["unit", "nowhere"]}),
        ("unevaluatedProperties", False),
        ("prefixItems", [value(random)]),
        ("contains", value(random)),
        ("uniqueItems", True),
        ("nullable", value(random)),
        ("properties", {random.choice(_WORDS): value(random) for _ in range(3)}),
        ("properties", {f"p{n}": {"type": "string"} for n in range(random.choice((30, 400)))}),
    )
    return random.choice(chosen)


def _containers(root: Any) -> Iterator[Any]:
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, (dict, list)) and node:
            yield node
            stack.extend(node.values() if isinstance(node, dict) else node)


def change(root: Any, random: Random) -> Any:
    """The value with something in it made wrong; the given one may be changed."""
    nodes = list(_containers(root))
    if not nodes or random.random() < 0.02:
        return value(random)
    node = random.choice(nodes)
    keys = list(node) if isinstance(node, dict) else list(range(len(node)))
    key = random.choice(keys)
    move = random.randrange(8)
    if move <= 2:
        node[key] = value(random)
    elif move == 3:
        del node[key]
    elif move == 4 and isinstance(node, dict):
        node[random.choice(_WORDS)] = node.pop(key)
    elif move == 5 and isinstance(node, list):
        node.extend([node[key]] * random.choice((1, 3, 200)))
    elif move == 6:
        # A copy of a whole branch where it does not belong.
        branch = json.dumps(random.choice(nodes))
        if len(branch) < 50_000:
            node[key] = json.loads(branch)
    else:
        schemas = [n for n in nodes if isinstance(n, dict) and ("type" in n or "properties" in n)]
        if schemas:
            word, new = _keyword(random)
            random.choice(schemas)[word] = new
    return root


def _bytes_changed(data: bytes, random: Random) -> bytes:
    move = random.randrange(9)
    at = random.randrange(len(data) + 1)
    if move == 0:
        return data[:at]
    if move == 1:
        return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]
    if move == 2:
        return data[:at] + random.choice((b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x00")) + data[at:]
    if move == 3:
        return random.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff\x00", b"\x1f\x8b")) + data
    if move == 4:
        end = min(len(data), at + random.randrange(1, 60))
        return data[:at] + data[at:end] * 2 + data[end:]
    if move == 5:
        odd = (b"1e400", b"NaN", b"-", b"01", b"9" * 5000, b"\\ud800", b"\\u0000", b"}{", b"&a *a")
        return data[:at] + random.choice(odd) + data[at:]
    if move == 6:
        opening = random.choice((b"[", b'{"a":', b"- ", b"{{", b"&a [*a, "))
        return data[:at] + opening * random.choice((10, 127, 129, 3000)) + data[at:]
    if move == 7:
        return data.replace(b"\n", random.choice((b"\r", b"\r\n", b"\x0b", b"\xe2\x80\xa8")))
    return data[at:] + data[:at]


def _yaml_changed(text: str, random: Random) -> str:
    lines = text.split("\n")
    at = random.randrange(len(lines))
    odd = (
        "a: &a [*a]",
        "x: &x {y: *x}",
        "<<: *nothing",
        "? [a, b]\n: c",
        "!!python/object/apply:os.system [x]",
        "---",
        "...",
        "\ttab: 1",
        "k: !!binary aGk=",
        "k: !!float x",
        "k: 0x" + "f" * 5000,
        "k: |\n" + "  x\n" * 300,
        "b: &b0 [1,2]\nb1: &b1 [*b0,*b0]\nb2: &b2 [*b1,*b1]\nb3: [*b2,*b2]",
        "%YAML 9.9",
        "@",
        "- - - - - -",
    )
    move = random.randrange(4)
    if move == 0:
        lines.insert(at, " " * random.randrange(6) + random.choice(odd))
    elif move == 1:
        del lines[at]
    elif move == 2:
        key, colon, _ = lines[at].partition(":")
        lines[at] = key + colon + " " + json.dumps(value(random), ensure_ascii=False)
    else:
        lines[at] = " " * random.randrange(12) + lines[at].strip()
    return "\n".join(lines)


def mutant(seed: Seed, random: Random) -> bytes:
    """The seed's file, made hostile in one to four ways."""
    text = seed.text
    rounds = random.choice((1, 1, 1, 2, 4))
    if seed.is_json and random.random() < 0.8:
        root = json.loads(text)
        for _ in range(rounds):
            root = change(root, random)
        text = json.dumps(root, ensure_ascii=random.random() < 0.5)
        if random.random() < 0.9:
            return text.encode("utf-8", "surrogatepass")
    elif seed.suffix == ".jsonl" and random.random() < 0.7:
        rows = [json.loads(line) for line in text.splitlines()]
        at = random.randrange(len(rows))
        rows[at] = change(rows[at], random)
        return "\n".join(json.dumps(row) for row in rows).encode()
    elif seed.suffix in (".yaml", ".sh", ".toml") and random.random() < 0.7:
        for _ in range(rounds):
            text = _yaml_changed(text, random)
        return text.encode("utf-8", "surrogatepass")
    data = text.encode("utf-8", "surrogatepass")
    for _ in range(rounds):
        data = _bytes_changed(data, random)
    return data
