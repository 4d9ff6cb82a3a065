"""Bad input: one line that names the place and the mend, exit status 2, no traceback."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e


def tools(*names: str) -> str:
    return json.dumps([{"type": "function", "function": {"name": name}} for name in names])


FILES: dict[str, tuple[str | bytes, str]] = {
    "broken.json": ('[{"name": "a",}]', ":1:15: invalid JSON"),
    "broken.yaml": ("- name: [a\n- b", "invalid YAML"),
    "empty.json": ("", "the input is empty"),
    "latin.json": (b'[{"name": "\xe9"}]', ":1:12: not UTF-8"),
    "twice.json": ('[{"name": "a", "name": "b"}]', "duplicate key 'name'"),
    "surrogate.json": ('[{"name": "\\ud800"}]', "a lone surrogate"),
    "nul.json": ('[{"name": "\\u0000"}]', "NUL"),
    "nan.json": ('[{"name": "a", "x": NaN}]', "JSON has no NaN"),
    "deep.json": ("[" * 10_000 + "]" * 10_000, "nested more than 128 deep"),
    "deep.yaml": ("[" * 10_000 + "]" * 10_000, "nest"),
    "bomb.yaml": (
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(
            f"{n}: &{n} [{','.join([f'*{p}'] * 9)}]\n"
            for p, n in zip("abcdefgh", "bcdefghi", strict=True)
        ),
        "aliases expand",
    ),
    "unknown.json": ('[{"foo": 1}]', "(at /0): not a tool of any known dialect"),
    "nameless.json": ('[{"type": "function", "function": {}}]', "a tool without a name"),
    "number.json": ("3", "a number where a tool list"),
    "noname.json": (tools(""), "Function name at index 0 cannot be empty"),
    "badname.json": (tools("ok", "a b"), 'Function at index 1 has an invalid name: "a b"'),
    "samename.json": (tools("a", "b", "a"), "a second tool named 'a'"),
    "mixed.json": (
        '[{"name": "a", "input_schema": {}}, {"name": "b", "inputSchema": {}}]',
        "a tool in dialect mcp among anthropic tools",
    ),
    "strict.json": ('[{"name": "a", "parameters": {}, "strict": "yes"}]', "not true or false"),
}


@pytest.mark.parametrize("name", FILES)
def test_bad_files(structag, tmp_path: Path, name: str) -> None:
    content, message = FILES[name]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    ran = structag("build", "-p", "hermes", "-t", str(path), "-c", "required")
    assert ran.code == 2
    assert ran.out == ""
    (line,) = ran.err.splitlines()
    assert line.startswith(f"error: {path}")
    assert message in line


COMMANDS = {
    "missing": (["build", "-p", "hermes", "-t", "no-such.json"], "no-such.json: no such file"),
    "folder": (["build", "-p", "hermes", "-t", "examples"], "examples: is a folder"),
    "parser": (["build", "-p", "herms", "-t", "examples/weather.json"], "did you mean hermes"),
    "no parser": (["build", "-t", "examples/weather.json"], "no parser given"),
    "no tools": (["build", "-p", "hermes"], "no tools given"),
    "profile": (
        ["build", "-p", "hermes", "-t", "examples/weather.json", "--profile", "x"],
        "known: dynamo-1.3",
    ),
    "unknown tool": (
        ["build", "-p", "hermes", "-t", "examples/weather.json", "-c", "nope"],
        'tool named "nope" in tool_choice is not present in tools (the tools are: get_weather',
    ),
    "required": (
        ["build", "-p", "hermes", "-t", "-", "-c", "required"],
        'tool_choice is "required" but tools is empty',
    ),
    "python": (["build", "-p", "hermes", "-t", "json:loads"], "--import-python"),
    "choice type": (
        ["build", "-p", "hermes", "-t", "examples/weather.json", "-c", "{}"],
        "tool_choice has no type",
    ),
    "choice list": (
        ["build", "-p", "hermes", "-t", "examples/weather.json", "-c", "[]"],
        "tool_choice is a list",
    ),
    "show": (["show", "examples/weather.json"], "error: examples/weather.json"),
    "grammar": (["build", "--grammar", "examples/weather.json", "-t", "-"], "error: examples"),
    "output": (
        ["build", "-p", "hermes", "-t", "examples/weather.json", "-o", "/no/such/dir/x"],
        "/no/such/dir/x: cannot write",
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_bad_commands(structag, name: str) -> None:
    arguments, message = COMMANDS[name]
    ran = structag(*arguments, stdin="[]")
    assert ran.code == 2
    assert ran.out == ""
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_huge_file_is_refused_before_it_is_read_whole(structag, tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as stream:
        stream.truncate(300 * 1024 * 1024)
    ran = structag("build", "-p", "hermes", "-t", str(path))
    assert (ran.code, ran.err) == (2, f"error: {path}: larger than 64 MiB (split it)\n")


def test_a_long_name_is_a_warning(structag) -> None:
    ran = structag("build", "-p", "hermes", "-t", "-", "-c", "required", stdin=tools("n" * 65))
    assert ran.code == 0
    assert "OpenAI refuses more than 64" in ran.err


def test_duplicate_names_as_dynamo_takes_them(structag) -> None:
    arguments = ("build", "-p", "hermes", "-t", "-", "-c", "required", "--allow-duplicate-names")
    ran = structag(*arguments, stdin=tools("a", "a"))
    assert len(json.loads(ran.out)["format"]["tags"]) == 2


def test_an_unwritable_result_leaves_nothing_behind(structag, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    ran = structag("build", "-p", "hermes", "-t", "no-such.json", "-o", str(target))
    assert ran.code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_an_engine_that_does_not_answer(structag, tmp_path: Path, monkeypatch) -> None:
    """xgrammar 0.2.9 compiles this pattern in a second, and matches it in hours."""
    monkeypatch.setenv("STRUCTAG_ENGINE_SECONDS", "4")
    pattern = {"type": "string", "pattern": "((a{0,99}){0,99}){0,99}"}
    parameters = {"type": "object", "properties": {"v": pattern}, "required": ["v"]}
    path = tmp_path / "tools.json"
    function = {"name": "f", "parameters": parameters}
    path.write_text(json.dumps([{"type": "function", "function": function}]))
    flags = ("-p", "hermes", "-t", str(path), "-c", "required", "--schema", "strict")
    call = '<tool_call>\n{"name": "f", "arguments": {"v": "' + "a" * 24 + '"}}\n</tool_call>'
    ran = structag("check", *flags, "-", stdin=call)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: the engine was stopped: one call took longer than 4 s")
    assert len(ran.err.splitlines()) == 1


def test_a_limit_for_the_engine_that_is_no_number(structag, monkeypatch) -> None:
    monkeypatch.setenv("STRUCTAG_ENGINE_SECONDS", "soon")
    ran = structag("show", "-", stdin="{}")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: STRUCTAG_ENGINE_SECONDS=soon is no number of seconds")
