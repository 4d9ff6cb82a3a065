"""What a deployment file says: workers, their settings, and where each stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

from structag_cli.deployments.flags import MODE
from structag_cli.place import Place
from structag_cli.sources import Document

Engine = Literal["sglang", "vllm", "trtllm", "frontend", "other"]
Role = Literal["worker", "frontend", "prefill", "encode"]


class Unknown(Enum):
    """The value of a setting that cannot be told from the file."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN


@dataclass(frozen=True, slots=True)
class Word:
    """One argument, as the process will see it, and where it stands."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Slip:
    """A fault that may have one reading alone.

    ``flag`` and ``variable``: a name that is unknown; ``value``: a word that the flag does
    not take; ``switch``: a value behind one; ``joined``: a flag and its value in one item;
    ``quote``: a number or boolean where text belongs. ``text`` is what was written and
    ``flag`` the flag's plain name, where it is known; ``at`` is where the flag stands.
    """

    kind: Literal["flag", "variable", "value", "switch", "joined", "quote"]
    text: str = ""
    flag: str = ""
    at: Place | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one flag or variable.

    ``kind`` is ``name`` where the name is wrong and ``value`` where its value is.
    ``flag``: where the flag itself stands, if the fault is at its value.
    """

    kind: Literal["name", "value"]
    message: str
    place: Place
    mend: str = ""
    slip: Slip | None = None
    flag: Place | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """One occurrence of a flag or of its environment variable.

    ``flag`` is the flag's plain name even for ``--no-`` forms and variables; ``value`` is
    ``UNKNOWN`` where it is faulty or holds a variable of the shell. ``wrote`` is the name as
    it stands in the file. ``intended``: a misspelt name, taken for what it means.
    """

    flag: str
    value: Any
    place: Place
    wrote: str
    from_env: bool = False
    intended: bool = False

    @property
    def known(self) -> bool:
        """Whether the value is what the process will see."""
        return self.value is not UNKNOWN


@dataclass(slots=True)
class Worker:
    """One process of a deployment.

    ``name`` is the component's name, ``place`` where it stands. ``dynamo`` tells a Dynamo
    worker from an engine's own server. ``component`` is what the manifest calls its type.
    ``graph``: which graph of the file it belongs to; workers of one graph serve together.
    ``opaque``: words that stand for arguments which the file does not tell, as ``"$@"``.
    """

    name: str
    place: Place
    engine: Engine = "other"
    dynamo: bool = True
    component: str = ""
    settings: list[Setting] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    bare: dict[str, Place] = field(default_factory=dict)
    model: str | None = None
    graph: str = ""
    opaque: list[Word] = field(default_factory=list)

    def get(self, flag: str) -> Setting | None:
        """The occurrence that counts: the last on the command line, else the environment's."""
        found = self.all(flag)
        typed = [setting for setting in found if not setting.from_env] or found
        return typed[-1] if typed else None

    def lacks(self, flag: str) -> bool:
        """Whether it is sure that nothing sets a flag."""
        return self.get(flag) is None and not self.opaque

    def all(self, flag: str) -> list[Setting]:
        """Every occurrence, in order."""
        return [setting for setting in self.settings if setting.flag == flag]

    def value(self, flag: str, default: Any = None) -> Any:
        """The value that counts; ``UNKNOWN`` where the file does not tell."""
        found = self.get(flag)
        return default if found is None else found.value

    @property
    def role(self) -> Role:
        """What the process does for requests."""
        if self.engine == "frontend" or self.component == "frontend":
            return "frontend"
        mode = self.value(MODE)
        if "--is-prefill-worker" in self.bare or "prefill" in (mode, self.component):
            return "prefill"
        if "encode" in (mode, self.component):
            return "encode"
        return "worker"


@dataclass(slots=True)
class DeploymentFile:
    """A file, or an argument of the command line, with all its workers."""

    file: str
    processes: list[Worker] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def workers(self) -> list[Worker]:
        """The processes that answer requests."""
        return [process for process in self.processes if process.role == "worker"]

    @property
    def frontends(self) -> list[Worker]:
        """The processes that take requests in."""
        return [process for process in self.processes if process.role == "frontend"]
