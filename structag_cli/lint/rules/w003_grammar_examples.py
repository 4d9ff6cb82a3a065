"""W003: an example of a grammar file does not hold."""

from collections.abc import Iterator
from typing import Any

from structag_cli.findings import Found, Severity
from structag_cli.lint.deep.examples import Trial
from structag_cli.lint.deep.pool import EXAMPLES
from structag_cli.lint.rule import Rule
from structag_cli.lint.samples import grammar_file
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each example on which the compiled tag differs from what the file says."""
    for trial, result in subject.probes.get(EXAMPLES) or ():
        message = _message(trial, result)
        if message:
            yield Found(subject.pointer + trial.pointer, message)


def _message(trial: Trial, result: dict[str, Any]) -> str:
    if result.get("died"):
        return f"the tag with this text crashes the engine or does not end: {result['died']}"
    if result.get("note"):
        return ""
    if "error" in result:
        return f"the tag does not compile: {result['error'][:300]}"
    if trial.accepted and not result["accepted"]:
        at = result["position"]
        rest = trial.text.encode()[at : at + 30].decode("utf-8", "replace")
        where = f"at byte {at}, before {rest!r}" if rest else "at its end: more must follow"
        return f"the tag refuses this text {where}"
    return "the tag accepts this text" if result["accepted"] and not trial.accepted else ""


RULE = Rule(
    code="W003",
    name="grammar-examples",
    severity=Severity.ERROR,
    summary="An example of a grammar file does not hold.",
    why=(
        "The examples say which outputs the tag accepts and refuses, and from which texts "
        "calls are read. They are run on the tags that the file builds, in a child process."
    ),
    mend="mend the example, or the format",
    check=check,
    deep=True,
    bad=grammar_file(accept='<call>f{"b": 1}</call>'),
    good=grammar_file(),
    source="xgrammar 0.2.9, measured",
)
