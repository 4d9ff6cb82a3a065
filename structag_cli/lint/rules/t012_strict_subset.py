"""T012: a tool with `strict: true` is outside of OpenAI's strict subset."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.fixes.edits import Insert
from structag_cli.lint.rule import Rule
from structag_cli.lint.strict_subset import NOT_CLOSED, closable, strict_faults
from structag_cli.lint.subject import Subject
from structag_cli.lint.targets import dynamo_release

_FIRST_STRICT_DYNAMO = (1, 6)
"""The first release of Dynamo that is known to hold strict tools to the subset."""


def check(subject: Subject) -> Iterator[Found]:
    """Each place where it is so."""
    refused = _refused(subject.settings.target)
    severity = Severity.ERROR if refused else None
    for tool, schema in subject.schemas():
        if tool.value.get("strict") is not True:
            continue
        can_close = set(closable(schema))
        for pointer, message in strict_faults(schema):
            where = tool.schema_pointer + pointer
            closes = message == NOT_CLOSED and pointer in can_close
            fix = (Insert(where, "additionalProperties", False),) if closes else ()
            told = f"{tool.title}: {message}" + refused
            yield Found(where, told, severity=severity, subject=tool.title, fix=fix)


def _refused(target: str | None) -> str:
    """What is told of a target that refuses such requests; empty for the others."""
    release = None if target is None else dynamo_release(target)
    if release is None or release < _FIRST_STRICT_DYNAMO:
        return ""
    return f"; Dynamo {release[0]}.{release[1]} answers 400"


RULE = Rule(
    code="T012",
    name="strict-subset",
    severity=Severity.WARNING,
    summary="A tool with `strict: true` is outside of OpenAI's strict subset.",
    why=(
        "With `strict` the API takes a subset of JSON Schema: every object closed, every "
        "property required, and neither composition at the root nor unsupported keywords. "
        "Outside of it OpenAI answers 400, and so does Dynamo from 1.6 on (an error with "
        "`--target dynamo==1.6`); other servers go on with less than was asked."
    ),
    mend=(
        "close every object, require every property (nullable where optional), and leave "
        "out the keyword"
    ),
    fix=(
        '`"additionalProperties": false` is added to objects that list their properties and leave '
        "the question open: it is what `strict` asks for. Not in schemas that combine others, "
        "where a closed part would refuse the rest, and never in place of another value. "
        "Properties are not made required: that would change what may be left out."
    ),
    check=check,
    bad=[
        {
            "type": "function",
            "function": {
                "name": "f",
                "description": "Do it.",
                "parameters": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}},
                    "required": ["a"],
                },
                "strict": True,
            },
        }
    ],
    good=[
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
                "strict": True,
            },
        }
    ],
    source="OpenAI, Structured Outputs guide, supported schemas",
)
