"""``structag generate --endpoint``: the model runs on a server."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from structag_cli.errors import UsageError

if TYPE_CHECKING:
    from structag_cli.commands.generate_task import Task
    from structag_cli.commands.inputs import Inputs
    from structag_cli.endpoint.answer import Answer
    from structag_cli.endpoint.body import Way
    from structag_cli.endpoint.client import Client
    from structag_cli.endpoint.judge import Ask
    from structag_cli.endpoint.key import Key
    from structag_cli.generate.result import Generation
    from structag_cli.generate.settings import Decoding
    from structag_cli.prefix.template import ChatTemplate

DYNAMO = "dynamo"


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model of a server, by the options of ``--endpoint``; ``None`` where not typed."""

    url: str | None
    model: str | None
    engine: str | None
    api: str | None
    template: str | None
    key_env: str | None
    retries: int | None
    timeout: float | None

    def refuse_without_endpoint(self) -> None:
        """Say so when one of them is given and ``--endpoint`` is not.

        Raises:
            UsageError: one is.
        """
        given = {
            "--for": self.engine,
            "--api": self.api,
            "--template": self.template,
            "--key-env": self.key_env,
            "--retries": self.retries,
            "--timeout": self.timeout,
        }
        names = [name for name, value in given.items() if value is not None]
        if names:
            raise UsageError(
                f"{names[0]} is for a server, and there is none",
                mend=f"--endpoint URL, or drop {names[0]}",
            )

    def prompt(self, task: Task) -> str:
        """What the server is sent: the body of the request. The key is not in it."""
        from structag_cli.endpoint.body import body_text, seeded

        server = open_server(self, task.say)
        ask = server.prepare(task.inputs, task.ban_mode, task.settings, task.say)
        return body_text(seeded(ask.body, task.settings, 0))

    def run(self, task: Task) -> list[Generation]:
        """The outputs.

        Raises:
            StructagError: the options or the request cannot be used, or there is no answer.
        """
        server = open_server(self, task.say)
        ask = server.prepare(task.inputs, task.ban_mode, task.settings, task.say)
        made = []
        for stream in range(task.count):
            answer = _asked(server, ask, task, stream)
            made.append(server.judge(ask, answer))
        return made


def _asked(server: Server, ask: Ask, task: Task, stream: int) -> Answer:
    """One answer, shown as it comes where someone looks on."""
    from structag_cli.endpoint.key import Redactor

    if not task.live:
        return server.answer(ask, task.settings, stream)
    redactor = Redactor(server.key)
    try:
        return server.answer(ask, task.settings, stream, lambda piece: _show(redactor.feed(piece)))
    finally:
        _show(redactor.close() + "\n\n")


def _show(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def refuse_local(options: dict[str, Any]) -> None:
    """Refuse options that only a local model can obey.

    Args:
        options: what was typed, by option; ``None`` where it was not.

    Raises:
        UsageError: one was.
    """
    for name, value in options.items():
        if value is not None:
            raise UsageError(
                f"{name} is for a local model; with --endpoint the server decodes",
                mend=f"drop {name}, or --endpoint",
            )


@dataclass(frozen=True, slots=True)
class Server:
    """A server ready to be asked."""

    client: Client
    key: Key
    way: Way
    engine: str
    model: str
    template: ChatTemplate | None
    url: str
    template_name: str | None

    @property
    def described(self) -> dict[str, Any]:
        """All that an output depends on beside its request."""
        return {
            "endpoint": self.url,
            "model": self.model,
            "for": self.engine,
            "api": self.way,
            "template": self.template_name,
        }

    def prepare(
        self, inputs: Inputs, ban_mode: str, settings: Decoding, say: Callable[[str], None]
    ) -> Ask:
        """What is asked for a request.

        Raises:
            StructagError: the server would refuse the request, the parser has no grammar,
                or the template fails.
        """
        from structag_cli.commands.jobs import tagged_of
        from structag_cli.endpoint.body import chat_messages, raw_body, tools_body
        from structag_cli.endpoint.judge import Ask
        from structag_cli.generate.prompts import prompt_text

        tagged = tagged_of(inputs, ban_mode, say)
        request, hidden = inputs.request, inputs.deployment.exclude_tools_on_none
        body: dict[str, Any]
        if self.way == "tools":
            body = tools_body(request, self.model, settings)
        else:
            body = raw_body(tagged.tag, self.engine, self.model, settings)
            grammar = tagged.grammar
            if self.way == "chat":
                body |= chat_messages(request, grammar, exclude_tools_on_none=hidden)
            else:
                body["prompt"] = prompt_text(
                    self.template, request, grammar, exclude_tools_on_none=hidden
                )
        return Ask(self.way, body, request, tagged.grammar, tagged.tag, tagged.in_reasoning)

    def answer(
        self,
        ask: Ask,
        settings: Decoding,
        stream: int = 0,
        on_text: Callable[[str], None] = lambda _: None,
    ) -> Answer:
        """Ask; safe in any thread.

        Raises:
            ServerFault: there is no whole answer.
        """
        from structag_cli.endpoint.body import CALLS, seeded

        return self.client.ask(CALLS[self.way], seeded(ask.body, settings, stream), on_text)

    def judge(self, ask: Ask, answer: Answer) -> Generation:
        """The verdicts on an answer."""
        from structag_cli.endpoint.judge import judged

        return judged(ask, answer, self.key)


def open_server(flags: ServedModel, say: Callable[[str], None]) -> Server:
    """Everything that is needed to ask the server; nothing is sent yet.

    Raises:
        StructagError: the options contradict each other, or cannot be used.
    """
    from structag_cli.endpoint.address import read_address
    from structag_cli.endpoint.client import Client
    from structag_cli.endpoint.key import read_key
    from structag_cli.endpoint.retries import Retries
    from structag_cli.endpoint.transport import Transport

    address = read_address(flags.url or "")
    if flags.model is None:
        raise UsageError(
            "no model named for the server",
            mend=f"--model NAME; {address.url('/models')} lists what it serves",
        )
    way, engine = _way(flags), flags.engine or "openai"
    template = _template(flags.template) if way == "completions" else None
    key = read_key(flags.key_env or "OPENAI_API_KEY")
    transport = Transport(address, 120.0 if flags.timeout is None else flags.timeout)
    retries = Retries(3 if flags.retries is None else flags.retries)
    client = Client(transport, key, retries, say)
    return Server(client, key, way, engine, flags.model, template, address.url(), flags.template)


def _way(flags: ServedModel) -> Way:
    """How to ask, where the options leave it open: the way that shows the raw text."""
    if flags.engine == DYNAMO:
        if flags.api not in (None, "tools") or flags.template is not None:
            raise UsageError(
                "Dynamo's frontend takes no tag from clients; it builds its own",
                mend="--for dynamo with --api tools, without --template",
            )
        return "tools"
    if flags.api == "completions" and flags.template is None:
        raise UsageError(
            "--api completions sends a prompt, and there is no template to render it",
            mend="--template FOLDER of the model, or a Jinja file",
        )
    if flags.api in ("chat", "tools") and flags.template is not None:
        raise UsageError(
            f"--api {flags.api} lets the server render the prompt", mend="drop --template or --api"
        )
    if flags.api in ("chat", "tools"):
        return flags.api  # type: ignore[return-value]
    return "chat" if flags.template is None else "completions"


def _template(name: str | None) -> ChatTemplate:
    """The template of completions: their servers write the first token themselves."""
    from structag_cli.generate.models import chat_template

    found = chat_template(str(name))
    if found is None:
        raise UsageError(
            f"{name} has no chat template", mend="a Jinja file, or leave --template out"
        )
    return replace(found, tokens={**found.tokens, "bos_token": ""})
