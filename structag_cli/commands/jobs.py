"""From a request and a deployment to what a model is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from structag_cli.commands.inputs import Inputs
from structag_cli.errors import UsageError

if TYPE_CHECKING:
    from structag_cli.generate.run import Job


def job_of(inputs: Inputs, chat_template: str | None, ban_mode: str, say: Any) -> Job:
    """The job of a request: its prompt, and the tag that its deployment sends.

    Args:
        inputs: request and deployment.
        chat_template: the model's, in Jinja.
        ban_mode: ``string`` bans strings where Dynamo bans tokens.
        say: takes what people should know (there is no tag).

    Raises:
        StructagError: the server would refuse the request, the parser has no grammar, or
            the template fails.
    """
    from structag_cli.builder.build import string_ban_tag
    from structag_cli.generate.prompts import prompt_text
    from structag_cli.generate.run import Job

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
    text = prompt_text(
        chat_template,
        inputs.request,
        answer.grammar,
        exclude_tools_on_none=inputs.deployment.exclude_tools_on_none,
    )
    return Job(text, inputs.request, answer.grammar, None if tag is None else tag.to_json())
