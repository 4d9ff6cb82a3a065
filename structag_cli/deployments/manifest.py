"""From one container of a manifest to a process of a deployment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from structag_cli.deployments.command_line import (
    assignments,
    engine_of,
    read_variable,
    read_words,
    server_of_image,
    sets_variables_only,
    take_stray,
)
from structag_cli.deployments.containers import COMMAND_KEYS, Container
from structag_cli.deployments.locate import Locator
from structag_cli.deployments.model import (
    UNKNOWN,
    DeploymentFile,
    Engine,
    Fault,
    Slip,
    Word,
    Worker,
)
from structag_cli.deployments.shell import UnclosedQuote, simple, tokens
from structag_cli.deployments.variables import Variables, kubernetes

_SHELLS = ("sh", "bash", "dash", "zsh", "ash")
_ENGINES: tuple[Engine, ...] = ("sglang", "vllm", "trtllm")


def read_container(found: DeploymentFile, container: Container, located: Locator) -> None:
    """Add the process of a container to a deployment, if it is one that matters."""
    faults: list[Fault] = []
    told = _told(container, located)
    words = [
        kubernetes(word, told) if container.kubernetes else word
        for key in COMMAND_KEYS
        for word in _words(container, key, located, faults)
    ]
    script = _shell_words(words, located, faults)
    variables = Variables(None if script is None else told)
    exported: list[tuple[str, str, Word]] = []
    last: Worker | None = None
    parts = [
        variables.command(part) for part in _simple_commands(words if script is None else script)
    ]
    started = any(engine_of(part) for part in parts)
    for command in parts:
        given = [(name, value, command[at]) for at, name, value in assignments(command)]
        if sets_variables_only(command, given):
            exported += given
            continue
        if last is not None and take_stray(last, command):
            continue
        worker = _worker(container, command, located)
        if worker is None or (started and engine_of(command) is None):
            continue
        worker.faults += faults
        _read_env(worker, container, located)
        for name, value, word in (*exported, *given):
            read_variable(worker, name, value, word)
        read_words(worker, command)
        worker.faults = _one_each(worker.faults)
        if worker.engine != "other" or worker.settings or worker.faults:
            found.processes.append(worker)
            last, faults = worker, []
    if faults:
        found.faults += faults


def _one_each(faults: list[Fault]) -> list[Fault]:
    """One fault for each place: what a flag says of its value beats what Kubernetes says."""
    return list({fault.place: fault for fault in faults}.values())


def _told(container: Container, located: Locator) -> dict[str, Word]:
    """The variables of a container whose values its manifest tells."""
    told: dict[str, Word] = {}
    for pointer, listed in container.env:
        for name, value, where in _variables(listed, pointer):
            told.pop(name, None)
            if isinstance(value, str):
                told[name] = Word(value, located.place(where))
    return told


def _worker(container: Container, words: list[Word], located: Locator) -> Worker | None:
    started = engine_of(words) or _of_image(container)
    if started is None and words and not container.main:
        return None
    engine, dynamo = started or (_guess(container), True)
    if started is None and container.component == "frontend":
        engine = "frontend"
    if started is None and not container.component and not _ours(words):
        # A name alone tells the engine, but not that a server of it runs here.
        known = container.dynamo or container.framework
        if engine == "other" or not known:
            return None
    place = located.place(container.name_pointer)
    return Worker(container.name, place, engine, dynamo, container.component)


def _of_image(container: Container) -> tuple[Engine, bool] | None:
    image = container.value.get("image")
    if container.value.get("entrypoint") or not isinstance(image, str):
        return None
    if container.kubernetes and container.value.get("command"):
        return None
    return server_of_image(image)


def _ours(words: list[Word]) -> bool:
    return any(word.text.startswith("--dyn-") for word in words)


def _guess(container: Container) -> Engine:
    """The engine that names say, where the image's own command starts it."""
    said = f"{container.framework} {container.name} {container.value.get('image', '')}".lower()
    return next(
        (engine for engine in _ENGINES if engine in said.replace("tensorrt", "trt")), "other"
    )


def _words(container: Container, key: str, located: Locator, faults: list[Fault]) -> Iterator[Word]:
    """The words of ``command`` or ``args``: a list, or one string."""
    value = container.value.get(key)
    pointer = f"{container.pointer}/{key}"
    if value is None:
        return
    if isinstance(value, str):
        yield from _script(value, pointer, located, faults)
        return
    if not isinstance(value, list):
        message = f"{key} is {_shape(value)} where a list of texts belongs"
        faults.append(Fault("value", message, located.place(pointer), "write a list"))
        return
    for index, item in enumerate(value):
        place = located.place(f"{pointer}/{index}")
        if not isinstance(item, str):
            if container.kubernetes:
                message = f"an item of {key} is {_shape(item)}; Kubernetes takes text alone"
                faults.append(Fault("value", message, place, "quote it", Slip("quote")))
            item = _plain(item)
        yield Word(item, place)


def _shape(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, list) else "a text"


def _plain(value: Any) -> str:
    """The text of an item that is none; of one without a text, a variable: nothing is told."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "$(item)" if isinstance(value, (dict, list)) or value is None else str(value)


def _shell_words(words: list[Word], located: Locator, faults: list[Fault]) -> list[Word] | None:
    """The words of the script, where a shell is given one with ``-c``."""
    shells = (at for at, word in enumerate(words) if word.text.rpartition("/")[2] in _SHELLS)
    first = next(shells, None)
    if first is None or any(word.text.startswith("\0") for word in words[:first]):
        return None
    for word, following in pairwise(words[first + 1 :]):
        if _takes_script(word.text):
            return list(_script(following.text, following.place.pointer, located, faults))
    return None


def _takes_script(flag: str) -> bool:
    return flag.startswith("-") and not flag.startswith("--") and flag.endswith("c")


def runs_script(container: Container) -> bool:
    """Whether the arguments of a container are a shell's, which runs a script of them."""
    listed = [container.value.get(key) for key in COMMAND_KEYS]
    words = [each for items in listed if isinstance(items, list) for each in items]
    texts = [word for word in words if isinstance(word, str)]
    shell = any(text.rpartition("/")[2] in _SHELLS for text in texts)
    return shell and any(_takes_script(text) for text in texts)


def _script(text: str, pointer: str, located: Locator, faults: list[Fault]) -> Iterator[Word]:
    """The words of a script; its operators come as words of their own."""
    try:
        found = list(tokens(text))
    except UnclosedQuote as err:
        place = next(located.words(text, [], pointer), located.place(pointer))
        message = f"a quote that is not closed: {text[err.offset : err.offset + 30]!r}"
        faults.append(Fault("value", message, place, "close it"))
        return
    for token, place in zip(found, located.words(text, found, pointer), strict=True):
        yield Word(f"\0{token.text}" if token.operator else token.text, place)


def _simple_commands(words: list[Word]) -> Iterator[list[Word]]:
    """The commands between operators; one empty command where there are no words."""
    pairs = ((word, word.text[1:] if word.text.startswith("\0") else None) for word in words)
    found = [command for command in simple(pairs) if command]
    yield from found or [[]]


def _read_env(worker: Worker, container: Container, located: Locator) -> None:
    for pointer, listed in container.env:
        for name, value, where in _variables(listed, pointer):
            read_variable(worker, name, value, Word("", located.place(where)))


def _variables(listed: Any, pointer: str) -> Iterator[tuple[str, object, str]]:
    """Name, value and pointer of each variable."""
    if isinstance(listed, dict):
        for name, value in listed.items():
            yield name, value, f"{pointer}/{name}"
        return
    for index, item in enumerate(listed):
        if isinstance(item, str):
            name, _, value = item.partition("=")
            yield name, value, f"{pointer}/{index}"
        elif isinstance(item, dict) and isinstance(item.get("name"), str):
            if "value" in item:
                yield item["name"], item["value"], f"{pointer}/{index}/value"
            else:
                yield item["name"], UNKNOWN, f"{pointer}/{index}"
