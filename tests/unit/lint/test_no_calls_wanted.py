"""Rules about the text of calls are silent where a request wants none, or no tag holds it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from structag_cli.formats.registry import grammar_for
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings
from structag_cli.policy.settings import Deployment
from tests.unit.lint.test_request_rules import NAMED, tool
from tests.unit.lint.test_template_parts import FLIPPED, template

STRICT = [tool(strict=True)]
CASES = {
    "none": ({"tool_choice": "none", "tools": STRICT}, False),
    "none, loose": ({"tool_choice": "none", "tools": [tool()]}, False),
    "auto, loose: no tag": ({"tools": [tool()]}, False),
    "auto, strict": ({"tools": STRICT}, True),
    "auto, one call at most": ({"tools": [tool()], "parallel_tool_calls": False}, True),
    "required": ({"tool_choice": "required", "tools": [tool()]}, True),
    "named": ({"tool_choice": NAMED, "tools": [tool()]}, True),
    "no tools": ({}, False),
}


@pytest.fixture
def codes(tmp_path):
    def run(value, **more) -> set[str]:
        (tmp_path / "a.json").write_text(json.dumps(value))
        (tmp_path / "t.jinja").write_text(template(call=FLIPPED))
        file = str(tmp_path / "t.jinja")
        settings = Settings("hermes", grammar_for("hermes"), template=file, **more)
        found = lint([str(tmp_path / "a.json")], settings, Selection(("A001", "A002")))
        return {finding.code for finding in found}

    return run


@pytest.mark.parametrize("case", CASES)
def test_requests(codes, case) -> None:
    request, told = CASES[case]
    found = codes({"messages": [{"role": "user", "content": "hi"}], **request})
    assert found == ({"A001", "A002"} if told else set())


def test_tools_alone_may_be_sent_with_any_choice(codes) -> None:
    assert codes([tool()]) == {"A001", "A002"}


def test_the_deployment_decides(codes) -> None:
    request = {"messages": [{"role": "user", "content": "hi"}], "tools": [tool()]}
    always = Deployment("hermes", scope="always")
    assert codes(request, deployment=always) == {"A001", "A002"}
    other = replace(always, profile="sglang-0.5")
    assert "A001" not in codes(request, deployment=other)
