"""From paths to subjects: walking, reading, telling the kind."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from io import BytesIO
from pathlib import Path
from typing import Any

from structag_cli.deployments.reading import (
    SCRIPTS,
    deployment_of,
    looks_like_deployment,
)
from structag_cli.errors import InputError
from structag_cli.lint.subject import RawTool, Settings, Subject, SubjectKind
from structag_cli.place import Place, escape_pointer
from structag_cli.sources import Document, iter_jsonl, parse_document, read_text
from structag_cli.sources.reading import MAX_YAML_BYTES

PATTERNS = ("*.json", "*.jsonl", "*.ndjson", "*.yaml", "*.yml", "*.sh")
"""Files that a folder is searched for."""

_SEPARATOR = re.compile(r"^---", re.MULTILINE)
_LOGS = (".jsonl", ".ndjson")
_SKIPPED = {"node_modules", "__pycache__", "site-packages", "dist", "build"}
_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema")
_REQUEST_HOLDERS = ("request", "body", "params", "payload")
_GRAMMAR_MARKS = {"calls", "triggers", "profiles"}
_REQUEST_MARKS = {"messages", "input", "tools", "functions", "tool_choice", "response_format"}


@dataclass(frozen=True, slots=True)
class Trouble:
    """A file, or a line of one, that cannot be read; or whose kind is unknown."""

    place: Place
    message: str
    mend: str = ""
    unknown: bool = False


def walk(paths: list[str], patterns: tuple[str, ...] = PATTERNS) -> Iterator[tuple[str, bool]]:
    """Files to lint, and whether each was named itself rather than found in a folder.

    A file comes once, however often it is named or found. A folder that cannot be listed
    comes as a file would, and cannot be read as one.
    """
    folders = {path for path in paths if path != "-" and os.path.isdir(path)}
    named = {os.path.normpath(path) for path in paths if path not in folders}
    seen: set[str] = set()
    for path in paths:
        for found in _below(path, patterns) if path in folders else (path,):
            name = os.path.normpath(found)
            if name not in seen:
                seen.add(name)
                yield found, name in named


def _below(folder: str, patterns: tuple[str, ...]) -> Iterator[str]:
    closed: list[str] = []

    def note(err: OSError) -> None:
        closed.append(str(err.filename))

    for root, folders, files in os.walk(folder, onerror=note):
        folders[:] = sorted(f for f in folders if f not in _SKIPPED and not f.startswith("."))
        for name in sorted(files):
            where = os.path.join(root, name)
            if any(fnmatch(name, pattern) for pattern in patterns) and not _special(where):
                yield where
    yield from closed


def _special(path: str) -> bool:
    """Whether a name stands for a pipe, a socket or a device: reading it may wait for ever."""
    try:
        mode = os.stat(path).st_mode
    except OSError:  # a link to nothing: told when it is read
        return False
    return not stat.S_ISREG(mode)


def subjects(
    path: str, settings: Settings, *, named: bool = True, text: str | None = None
) -> Iterator[Subject | Trouble]:
    """The subjects of one file; a log has one or more a line.

    ``text``: what to take for the file's content, instead of reading it.
    """
    try:
        if Path(path).suffix.lower() in _LOGS:
            yield from _log(path, settings, text)
            return
        text = read_text(path) if text is None else text
        deployment = _deployment(text, path, settings)
        if deployment is not None:
            yield deployment
            return
        if Path(path).suffix.lower() in SCRIPTS:
            if named:
                yield _unknown(Place(path))
            return
        pieces = _yaml_pieces(text, path)
        if pieces:
            found = [
                each for piece in pieces for each in _of_value(piece, piece.value, "", settings)
            ]
            yield from found
            if not found and named:
                yield _unknown(Place(path))
            return
        document = parse_document(text, path)
        if document.kind == "jsonl":
            for index, value in enumerate(document.value):
                yield from _of_value(document, value, f"/{index}", settings)
            return
        found = list(_of_value(document, document.value, "", settings))
    except InputError as err:
        yield Trouble(err.place or Place(path), err.message, err.mend)
        return
    except RecursionError:
        yield Trouble(Place(path), "nested too deeply", "flatten it")
        return
    yield from found
    if not found and named:
        yield _unknown(document.locate(""))


def _yaml_pieces(text: str, path: str) -> list[Document]:
    """The documents of a YAML file that has several, as files of Kubernetes have."""
    several = Path(path).suffix.lower() in (".yaml", ".yml") and _SEPARATOR.search(text)
    if not several or len(text) > MAX_YAML_BYTES:
        return []
    from structag_cli.sources.yaml_source import parse_yaml_stream

    pieces = parse_yaml_stream(text, path)
    return pieces if len(pieces) > 1 else []


def _deployment(text: str, path: str, settings: Settings) -> Subject | None:
    """The manifest or script in a text, if it starts servers that structag knows."""
    if not looks_like_deployment(text):
        return None
    found = deployment_of(text, path)
    if not found.processes and not found.faults:
        return None
    document = found.documents[0] if found.documents else Document(None, path)
    return Subject(document, "deployment", settings, document.value, deployment=found)


def _unknown(place: Place) -> Trouble:
    mend = "tools, requests, tags, grammars, schemas, logs and deployments are linted"
    return Trouble(place, "nothing in it that can be linted", mend, unknown=True)


def _log(path: str, settings: Settings, text: str | None) -> Iterator[Subject | Trouble]:
    source = path if text is None else BytesIO(text.encode())
    for number, row in iter_jsonl(source, path):
        if isinstance(row, InputError):
            yield Trouble(row.place or Place(path, number), row.message, row.mend)
            continue
        found = list(_of_value(row, row.value, "", settings))
        yield from found
        if not found and number == 1:
            yield _unknown(Place(path, number, 1))


def _of_value(
    document: Document, value: Any, pointer: str, settings: Settings
) -> Iterator[Subject]:
    """What a value holds: tools or a request, and a tag, which a request may carry."""
    kind = _kind(value)
    if kind is None and isinstance(value, list):
        for index, each in enumerate(value):
            if _kind(each) in ("request", "holder"):
                yield from _of_value(document, each, f"{pointer}/{index}", settings)
        return
    if kind == "holder":
        key = next(k for k in _REQUEST_HOLDERS if _kind(value.get(k)) is not None)
        yield from _of_value(document, value[key], f"{pointer}/{key}", settings)
        return
    if kind in ("tools", "request"):
        tools = tuple(raw_tools(value, pointer))
        yield Subject(document, _known(kind), settings, value, pointer, tools)
    elif kind == "schema":
        tool = BareSchema(0, {"name": "schema", "": value}, pointer, "")
        yield Subject(document, "schema", settings, value, pointer, (tool,))
    elif kind == "grammar":
        yield Subject(document, "grammar", settings, value, pointer)
        # Its `format` is a name, not the format of a tag.
        return
    yield from _tag(document, value, pointer, settings)


def _known(kind: str) -> SubjectKind:
    return "tools" if kind == "tools" else "request"


class BareSchema(RawTool):
    """A schema that stands alone, as if it were a tool's parameters."""

    @property
    def schema_pointer(self) -> str:
        """The document itself."""
        return self.pointer


def _tag(document: Document, value: Any, pointer: str, settings: Settings) -> Iterator[Subject]:
    from structag_cli.emit.finding import find_tag

    if not isinstance(value, dict):
        return
    found = find_tag(value)
    if found is None or found.tag is None:
        return
    where = pointer + found.pointer
    subject = Subject(document, "tag", settings, found.tag, where, tag=found.tag)
    subject.bare, subject.quoted = found.bare, found.quoted
    yield subject


def _kind(value: Any) -> str | None:
    """What a value is; ``holder`` for a row that keeps the request in a field."""
    if isinstance(value, list):
        return "tools" if any(_is_tool(item) for item in value) else None
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("format"), str) and _GRAMMAR_MARKS & set(value):
        return "grammar"
    if "jsonrpc" in value or isinstance(value.get("result"), dict):
        return "tools" if _mcp_tools(value) is not None else None
    if _REQUEST_MARKS & set(value) and not _is_tool(value):
        return "request"
    if _is_tool(value):
        return "tools"
    if any(_kind(value.get(key)) is not None for key in _REQUEST_HOLDERS):
        return "holder"
    return "schema" if _is_schema(value) else None


def _is_tool(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("function"), dict) or value.get("type") == "function":
        return True
    return "name" in value and (any(key in value for key in _SCHEMA_KEYS) or "description" in value)


def _is_schema(value: dict[str, Any]) -> bool:
    if isinstance(value.get("$schema"), str):
        return "json-schema.org" in value["$schema"]
    marks = ("properties", "items", "$defs", "anyOf", "oneOf", "allOf", "required")
    return any(mark in value for mark in marks) and "structures" not in value


def _mcp_tools(value: dict[str, Any]) -> Any:
    result = value.get("result")
    tools = result.get("tools") if isinstance(result, dict) else None
    return tools if isinstance(tools, list) else None


def raw_tools(value: Any, pointer: str) -> Iterator[RawTool]:
    """The tools of a list, a request or an answer, as they are written."""
    listed, where = _listed(value, pointer)
    for index, item in enumerate(listed):
        if not isinstance(item, dict):
            continue
        here = f"{where}/{index}" if where is not None else pointer
        inner = item.get("function")
        if isinstance(inner, dict):
            yield RawTool(index, inner, f"{here}/function", _schema_key(inner), item)
        elif item.get("type") in (None, "function", "custom", "object") or _has_schema(item):
            yield RawTool(index, item, here, _schema_key(item), item)


def _listed(value: Any, pointer: str) -> tuple[list[Any], str | None]:
    """The tools, and the pointer of their list (``None``: one tool that stands alone)."""
    if isinstance(value, list):
        return value, pointer
    if isinstance(value, dict):
        tools = _mcp_tools(value)
        if tools is not None:
            return tools, f"{pointer}/result/tools"
        for key in ("tools", "functions"):
            if isinstance(value.get(key), list):
                return value[key], f"{pointer}/{escape_pointer(key)}"
        if _is_tool(value):
            return [value], None
    return [], pointer


def _has_schema(item: dict[str, Any]) -> bool:
    return any(key in item for key in _SCHEMA_KEYS)


def _schema_key(item: dict[str, Any]) -> str:
    return next((key for key in _SCHEMA_KEYS if key in item), "parameters")
