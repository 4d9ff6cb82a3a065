"""``structag generate --suite --endpoint``: a server answers the suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from structag_cli.errors import StructagError

if TYPE_CHECKING:
    from structag_cli.commands.generate_served import ServedModel, Server
    from structag_cli.commands.inputs import Inputs
    from structag_cli.commands.options import RequestFlags
    from structag_cli.endpoint.answer import Answer
    from structag_cli.endpoint.judge import Ask
    from structag_cli.generate.result import Generation
    from structag_cli.generate.settings import Decoding
    from structag_cli.generate.suite import Case, Record, Store, Suite


@dataclass(frozen=True, slots=True)
class ServedSuite:
    """A server, as a suite asks it."""

    server: Server
    flags: RequestFlags
    inputs: Inputs
    ban_mode: str
    settings: Decoding

    @property
    def described(self) -> Mapping[str, Any]:
        """What an output depends on."""
        return self.server.described

    def records(self, suite: Suite, store: Store) -> Iterator[tuple[Record, bool]]:
        """Run what the store has not."""
        from structag_cli.generate.suite.pool import run_on_server

        return run_on_server(suite, self, store)

    def prepare(self, case: Case) -> Ask:
        """What to ask for a case."""
        from structag_cli.commands.inputs import with_request

        mine = with_request(self.inputs, self.flags, case.request)
        return self.server.prepare(mine, self.ban_mode, self.settings, lambda _text: None)

    def ask(self, question: Ask, stream: int) -> Answer:
        """The answer, raw."""
        return self.server.answer(question, self.settings, stream)

    def judge(self, question: Ask, answer: Answer) -> Generation:
        """What came of it."""
        return self.server.judge(question, answer)

    def ends_it(self, err: StructagError) -> bool:
        """Whether every other case would fail in the same way."""
        from structag_cli.endpoint.faults import ServerFault

        return isinstance(err, ServerFault) and err.everyone

    def stop(self) -> None:
        """Break off what is under way."""
        self.server.client.stop()


def served(
    flags: RequestFlags,
    inputs: Inputs,
    model: ServedModel,
    ban_mode: str,
    settings: Decoding,
    say: Callable[[str], None],
) -> ServedSuite:
    """A server ready for a suite.

    Raises:
        StructagError: the options contradict each other, or cannot be used.
    """
    from structag_cli.commands.generate_served import open_server

    return ServedSuite(open_server(model, say), flags, inputs, ban_mode, settings)
