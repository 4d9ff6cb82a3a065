"""F002: compiling the schema crashes, runs out of memory or does not end."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.silent import probed
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tool."""
    for tool, result in probed(subject):
        if result.died:
            what = "matching a value on the compiled" if result.compiled else "compiling the"
            message = f"{what} schema failed: {result.error[:400]}"
            yield Found(
                tool.schema_pointer, f"{tool.title}: {message}", subject=tool.title, effect="fails"
            )


RULE = Rule(
    code="F002",
    name="compile-crashes",
    severity=Severity.ERROR,
    summary="Compiling the schema crashes, runs out of memory or does not end.",
    why=(
        "A request with this tool can take the engine down with it. The compile ran in a "
        "child process with limits."
    ),
    mend="make the schema smaller",
    check=check,
    deep=True,
    bad=None,
    good=None,
    source="xgrammar 0.2.9, measured",
)
