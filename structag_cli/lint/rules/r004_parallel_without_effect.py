"""R004: `parallel_tool_calls` has no effect."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.requests import request_of
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    request = request_of(subject)
    if request is None or request.parallel_tool_calls is None:
        return
    if not request.tools or request.choice.mode == "none":
        why = "there are no tools" if not request.tools else "tool_choice is none"
        yield Found(
            f"{subject.pointer}/parallel_tool_calls", f"parallel_tool_calls has no effect: {why}"
        )


RULE = Rule(
    code="R004",
    name="parallel-without-effect",
    severity=Severity.INFO,
    summary="`parallel_tool_calls` has no effect.",
    why="Without tools, or where no call may be made, it decides nothing.",
    mend="leave it out",
    check=check,
    bad={
        "messages": [{"role": "user", "content": "hi"}],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "f",
                    "description": "Do it.",
                    "parameters": {
                        "type": "object",
                        "properties": {"a": {"type": "string"}},
                        "required": ["a"],
                        "additionalProperties": False,
                    },
                },
            }
        ],
        "tool_choice": "none",
        "parallel_tool_calls": False,
    },
    good={
        "messages": [{"role": "user", "content": "hi"}],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "f",
                    "description": "Do it.",
                    "parameters": {
                        "type": "object",
                        "properties": {"a": {"type": "string"}},
                        "required": ["a"],
                        "additionalProperties": False,
                    },
                },
            }
        ],
        "tool_choice": "auto",
    },
)
