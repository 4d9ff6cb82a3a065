"""From a manifest, a shell script or a command line to a deployment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from structag_cli.deployments.command_line import (
    assignments,
    engine_of,
    read_variable,
    read_words,
    sets_variables_only,
    take_stray,
)
from structag_cli.deployments.containers import containers
from structag_cli.deployments.locate import Locator
from structag_cli.deployments.manifest import read_container
from structag_cli.deployments.model import DeploymentFile, Word, Worker
from structag_cli.deployments.shell import Token, UnclosedQuote, commands
from structag_cli.deployments.variables import Variables
from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.sources import Document, parse_document, read_text
from structag_cli.sources.document import line_column
from structag_cli.sources.reading import MAX_YAML_BYTES

ARGUMENTS = "--deployment-args"
"""The name of the command line's option, where places need a file's name."""

SCRIPTS = (".sh", ".bash", ".zsh")
"""Suffixes of files that are read as shell scripts."""

_MARKS = re.compile(
    r"dynamo\.(sglang|vllm|trtllm|frontend)\b|--dyn-[a-z]|\bDYN_[A-Z_]+\b"
    r"|kind['\"]?:\s*['\"]?Dynamo|vllm\.entrypoints|(vllm|sglang)['\",\s-]+serve\b"
    r"|sglang(_router)?\.launch_server|trtllm-serve|tensorrt_llm\.commands|/vllm-openai\b"
)
_TEMPLATE = re.compile(r"\{\{")
_MAPPING = re.compile(r"""^[ -]*["']?[\w./-]+["']?:(\s|$)""", re.MULTILINE)


def looks_like_deployment(text: str) -> bool:
    """Whether a text speaks of servers that structag knows."""
    return bool(_MARKS.search(text))


def is_script(path: str, text: str) -> bool:
    """Whether a file is a shell script."""
    if Path(path).suffix.lower() in SCRIPTS or text.startswith("#!"):
        return True
    return text.lstrip()[:1] not in ("{", "[") and not _MAPPING.search(text)


def read_deployment(path: str) -> DeploymentFile:
    """Read a deployment.

    Args:
        path: a manifest in YAML or JSON, a shell script, or ``-`` for stdin.

    Raises:
        InputError: it cannot be read, or no server that structag knows is in it.
    """
    found = deployment_of(read_text(path), path)
    if not found.processes:
        raise InputError(
            "no worker of Dynamo, vLLM, SGLang or TensorRT-LLM in it",
            place=Place(path),
            mend="it needs a container or a line that starts one, as `python3 -m dynamo.sglang`",
        )
    return found


def read_arguments(text: str) -> DeploymentFile:
    """Read a worker's command line, or its arguments alone.

    Raises:
        InputError: a quote is not closed.
    """
    found = DeploymentFile(ARGUMENTS)
    _read_script(found, text, ARGUMENTS, whole=True)
    return found


def deployment_of(text: str, path: str) -> DeploymentFile:
    """The deployment in a text that was read from a path.

    Raises:
        InputError: it is neither YAML, JSON nor a script.
    """
    if not text.strip():
        raise InputError("the input is empty", place=Place(path))
    found = DeploymentFile(path)
    if is_script(path, text):
        _read_script(found, text, path)
        return found
    for number, document in enumerate(_documents(text, path)):
        found.documents.append(document)
        located: Locator | None = None
        before = len(found.processes)
        for container in containers(document.value):
            located = located or Locator(document)
            read_container(found, container, located)
        for process in found.processes[before:]:
            process.graph = _graph(document.value, number)
    return found


def _graph(value: Any, number: int) -> str:
    """What tells a document's graph from the others': each DynamoGraphDeployment is one."""
    whole = isinstance(value, dict) and value.get("kind") == "DynamoGraphDeployment"
    return f"graph {number}" if whole else ""


def _documents(text: str, path: str) -> list[Document]:
    if Path(path).suffix.lower() == ".json" or text.lstrip()[:1] == "{":
        return [parse_document(text, path, kind="json")]
    if len(text) > MAX_YAML_BYTES:
        size = MAX_YAML_BYTES // (1024 * 1024)
        raise InputError(f"larger than {size} MiB", place=Place(path), mend="split it")
    from structag_cli.sources.yaml_source import parse_yaml_stream

    try:
        return parse_yaml_stream(text, path)
    except InputError as err:
        if _TEMPLATE.search(text):
            mend = "it is a template: render it first, with `helm template` say"
            raise InputError(err.message, place=err.place, mend=mend) from None
        raise


def _read_script(found: DeploymentFile, text: str, path: str, *, whole: bool = False) -> None:
    """Add the servers that a script starts. ``whole``: the text is one server's arguments."""
    exported: list[tuple[str, str, Word]] = []
    variables = Variables()
    for tokens in _commands(text, path):
        words = [Word(token.text, _place(text, token, path)) for token in tokens]
        words = variables.command(words)
        given = [(name, value, words[at]) for at, name, value in assignments(words)]
        if sets_variables_only(words, given):
            exported += given
            continue
        if found.processes and take_stray(found.processes[-1], words):
            continue
        started = engine_of(words)
        if started is None and not whole:
            continue
        engine, dynamo = started or ("other", True)
        name = "arguments" if whole and started is None else _name(engine, len(found.processes))
        worker = Worker(name, words[0].place, engine, dynamo)
        for variable, value, word in (*exported, *given):
            read_variable(worker, variable, value, word)
        read_words(worker, words)
        found.processes.append(worker)


def _name(engine: str, count: int) -> str:
    return f"{engine}-{count + 1}"


def _commands(text: str, path: str) -> Iterator[list[Token]]:
    try:
        yield from commands(text)
    except UnclosedQuote as err:
        line, column = line_column(text, err.offset)
        raise InputError(
            "a quote that is not closed", place=Place(path, line, column), mend="close it"
        ) from None


def _place(text: str, token: Token, path: str) -> Place:
    line, column = line_column(text, token.offset)
    return Place(path, line, column)
