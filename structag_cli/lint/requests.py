"""The request of a subject, read as every other command reads it."""

from __future__ import annotations

from structag_cli.dialects import tool_request_from_value
from structag_cli.errors import InputError
from structag_cli.lint.subject import Settings, Subject
from structag_cli.pipeline import Answer, answer
from structag_cli.place import Place
from structag_cli.policy.decision import Decision
from structag_cli.request import ToolRequest


def read_request(subject: Subject) -> ToolRequest | InputError | None:
    """The request, or why it cannot be read; ``None`` for subjects of other kinds."""
    if subject.kind not in ("tools", "request"):
        return None
    if subject.request is None:
        file = subject.document.file
        where = Place(file, pointer=subject.pointer)
        try:
            subject.request = tool_request_from_value(subject.value, file, place=where)
        except InputError as err:
            subject.request = err
    return subject.request


def request_of(subject: Subject) -> ToolRequest | None:
    """The request, where there is one that can be read."""
    found = read_request(subject)
    return found if isinstance(found, ToolRequest) else None


def choice_pointer(subject: Subject) -> str:
    """Where the tool choice stands, or the request."""
    request = request_of(subject)
    place = request.choice.place if request is not None else None
    return subject.pointer if place is None else place.pointer


def decision_of(subject: Subject) -> Decision | None:
    """What Dynamo sends to the engine for the request, with the parser or grammar linted for.

    ``None`` without either, and where the request cannot be read.
    """
    request, settings = request_of(subject), subject.settings
    if request is None or (settings.parser is None and settings.grammar is None):
        return None
    return answer_to(request, settings).decision


def answer_to(request: ToolRequest, settings: Settings) -> Answer:
    """Decision and tag for a request, with the parser or grammar that is linted for."""
    own = settings.grammar if settings.parser is None else None
    return answer(request, settings.policy, own)


def calls_under_tag(subject: Subject) -> bool:
    """Whether tools are at hand whose calls a tag may hold.

    A list of tools may be sent with any choice. A request says its own: where calls are
    forbidden, or no tag applies, nothing holds what the model writes.
    """
    decision = decision_of(subject) if subject.kind == "request" else None
    if decision is None:
        return subject.request_or_tools
    request = request_of(subject)
    forbidden = request is not None and request.choice.mode == "none"
    return subject.request_or_tools and decision.plan is not None and not forbidden
