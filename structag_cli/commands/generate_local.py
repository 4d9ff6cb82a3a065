"""``structag generate`` with a model on this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from structag_cli.commands.generate_task import Task
    from structag_cli.generate.models import LoadedModel
    from structag_cli.generate.result import Generation
    from structag_cli.generate.run import Generator, Job


@dataclass(slots=True)
class LocalModel:
    """A model by name, and how it decodes; loaded when it is first needed."""

    name: str
    device: str
    dtype: str
    engine: Any
    _generator: Generator | None = field(default=None, repr=False)

    @property
    def described(self) -> dict[str, Any]:
        """What an output depends on."""
        return {"model": self.name, "dtype": self.dtype, "engine": self.engine}

    def load(self, say: Callable[[str], None]) -> LoadedModel:
        """Load the model; its layers stay plain under ``--engine hf``, which is for comparing.

        Raises:
            StructagError: there is none, or it is broken.
        """
        from structag_cli.generate.cpu_layers import pack_linear_layers
        from structag_cli.generate.models import load_model

        loaded = load_model(self.name, device=self.device, dtype=self.dtype, say=say)
        if self.engine == "loop":
            pack_linear_layers(loaded.model)
        return loaded

    def prompt(self, task: Task) -> str:
        """What the model sees. Its weights stay where they are.

        Raises:
            StructagError: there is no such model, or its template fails.
        """
        from structag_cli.commands.jobs import job_of
        from structag_cli.generate.models import chat_template

        return job_of(task.inputs, chat_template(self.name), task.ban_mode, task.say).prompt

    def run(self, task: Task) -> list[Generation]:
        """The outputs.

        Raises:
            StructagError: the model, the prompt or the tag cannot be used.
        """
        job, generator = self._job(task), self._ready(task)
        show = _printer(generator, task.live and not os.environ.get("NO_COLOR"))
        results: list[Generation] = []
        for stream in range(task.count):
            results += generator.generate(
                [job],
                task.settings,
                on_token=show if task.live and self.engine == "loop" else None,
                streams=[stream],
                engine=self.engine,
            )
            if task.live:
                print("\n")
        return results

    def free(self, task: Task) -> Generation:
        """One output without the tag."""
        job = replace(self._job(task), tag=None)
        return self._ready(task).generate([job], task.settings, engine=self.engine)[0]

    def _ready(self, task: Task) -> Generator:
        from structag_cli.generate.run import Generator

        if self._generator is None:
            self._generator = Generator(self.load(task.say))
        return self._generator

    def _job(self, task: Task) -> Job:
        from structag_cli.commands.jobs import job_of

        template = self._ready(task).loaded.chat_template
        return job_of(task.inputs, template, task.ban_mode, task.say)


def _printer(generator: Generator, color: bool) -> Any:
    """Prints tokens as they come; bytes wait until they are whole characters."""
    import codecs

    from structag_cli.generate.render import piece

    decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def show(_row: object, token: int, kind: str) -> None:
        text = decoder.decode(generator.tokens.piece(token))
        sys.stdout.write(piece(text, kind) if color else text)
        sys.stdout.flush()

    return show
