"""From a request and a deployment to what a model is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from structag_cli.commands.inputs import Inputs
from structag_cli.errors import UsageError

if TYPE_CHECKING:
    from structag_cli.formats.model import Grammar
    from structag_cli.generate.run import Job
    from structag_cli.prefix.template import ChatTemplate


@dataclass(frozen=True, slots=True)
class Tagged:
    """The format that a request's calls have, and the tag that its deployment sends.

    ``in_reasoning``: the tag begins inside the model's reasoning.
    """

    grammar: Grammar
    tag: dict[str, Any] | None
    in_reasoning: bool


def job_of(inputs: Inputs, chat_template: ChatTemplate | None, ban_mode: str, say: Any) -> Job:
    """The job of a request: its prompt, and the tag that its deployment sends.

    Args:
        inputs: request and deployment.
        chat_template: the model's.
        ban_mode: ``string`` bans strings where Dynamo bans tokens.
        say: takes what people should know (there is no tag).

    Raises:
        StructagError: the server would refuse the request, the parser has no grammar, or
            the template fails.
    """
    from structag_cli.generate.prompts import prompt_text
    from structag_cli.generate.run import Job

    tagged = tagged_of(inputs, ban_mode, say)
    text = prompt_text(
        chat_template,
        inputs.request,
        tagged.grammar,
        exclude_tools_on_none=inputs.deployment.exclude_tools_on_none,
    )
    return Job(text, inputs.request, tagged.grammar, tagged.tag)


def tagged_of(inputs: Inputs, ban_mode: str, say: Any) -> Tagged:
    """The tag of a request, and the format that its calls have.

    Raises:
        StructagError: the server would refuse the request, or the parser has no grammar.
    """
    from structag_cli.builder.build import string_ban_tag

    answer = inputs.answer()
    if answer.grammar is None:
        raise UsageError(
            f"parser {inputs.deployment.parser} has no grammar file", mend="--grammar FILE"
        )
    tag = answer.tag
    if tag is None:
        say(f"no tag: {answer.decision.reason}")
    elif answer.decision.outcome == "ban" and ban_mode == "string":
        tag = string_ban_tag(answer.grammar.ban.tokens)
    plan = answer.decision.plan
    return Tagged(
        answer.grammar,
        None if tag is None else tag.to_json(),
        plan is not None and plan.after_reasoning,
    )
