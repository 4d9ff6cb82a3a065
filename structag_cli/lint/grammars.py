"""Grammar files as subjects: read strictly, and the tags that they build for their own tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from structag_cli.errors import InputError
from structag_cli.formats.model import ExampleTool, Grammar
from structag_cli.lint.subject import Subject


def read_subject(subject: Subject) -> Grammar | InputError | None:
    """The grammar of a subject, or why it is none; ``None`` for subjects of other kinds.

    Rules that break beyond the types are left to ``formats.check.problems``.
    """
    import msgspec

    if subject.kind != "grammar":
        return None
    try:
        return msgspec.convert(subject.value, Grammar)
    except msgspec.ValidationError as err:
        from structag_cli.formats.faults import conversion_error

        document = subject.document
        return conversion_error(Path(document.file), document.text or "", err)


def sound_grammar(subject: Subject) -> Grammar | None:
    """The grammar of a subject, if it can build tags."""
    from structag_cli.formats.check import problems

    found = read_subject(subject)
    return found if isinstance(found, Grammar) and not problems(found) else None


@dataclass(frozen=True, slots=True)
class SampleTag:
    """A tag of the grammar's own example tools, and the request that it is for."""

    what: str
    tag: dict[str, Any]


def sample_tags(grammar: Grammar) -> Iterator[SampleTag]:
    """The tags for every choice; tools without properties are left out (G019, T014)."""
    tools = tuple(
        t for t in grammar.examples.tools if t.parameters and t.parameters.get("properties")
    )
    if not grammar.triggers or not tools:
        return
    for choice in ("auto", "required"):
        for parallel in (True, False):
            what = choice if parallel else f"{choice} with one call"
            yield SampleTag(what, tag_of(grammar, tools, choice, parallel))


def tag_of(
    grammar: Grammar, tools: tuple[ExampleTool, ...], choice: str, parallel: bool
) -> dict[str, Any]:
    """The tag for some tools, each with its own schema, as JSON."""
    from structag_cli.builder.build import build
    from structag_cli.policy.decision import Decision, TagPlan, ToolPlan

    plan = TagPlan(
        tuple(ToolPlan(t.name, True if t.parameters is None else t.parameters, "") for t in tools),
        at_least_one=choice == "required",
        stop_after_first=not parallel,
        after_reasoning=False,
    )
    built = build(grammar, Decision("structural_tag", (), plan=plan))
    if built is None:
        raise ValueError(f"format {grammar.format} builds no tag")
    return built.to_json()


def written_at(grammar: Grammar, pointer: str) -> str:
    """Where the grammar file writes what stands at a place of its tag."""
    parts = pointer.split("/")[2:]
    if grammar.block is not None and parts[:2] == ["tags", "0"]:
        if parts[2:3] in (["begin"], ["end"]):
            return f"/block/{parts[2]}"
        parts = parts[3:]
    if parts[:1] in (["triggers"], ["excludes"]):
        return "/" + "/".join(parts[:2])
    if parts[:1] == ["separator"]:
        return "/separator"
    if parts[:1] == ["tags"] and len(parts) > 1 and parts[1].isdigit():
        call = int(parts[1]) % len(grammar.calls)
        field = parts[2] if parts[2:3] in (["begin"], ["end"]) else ""
        return f"/calls/{call}" + (f"/{field}" if field else "")
    return "/calls/0"
