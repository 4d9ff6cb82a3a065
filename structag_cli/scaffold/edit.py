"""Flags set in an existing manifest, as edits of its text: all else stays as it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from structag_cli.deployments.containers import Container, containers
from structag_cli.deployments.flags import SPELLINGS
from structag_cli.deployments.manifest import runs_script
from structag_cli.deployments.reading import deployment_of
from structag_cli.deployments.values import read_value
from structag_cli.emit.yaml_text import yaml_text
from structag_cli.errors import InputError, UsageError
from structag_cli.place import Place
from structag_cli.scaffold.parts import FlagValue
from structag_cli.sources import Document
from structag_cli.sources.yaml_source import parse_yaml_stream


def with_flags(text: str, path: str, worker: str | None, wanted: Sequence[FlagValue]) -> str:
    """The manifest with a worker's flags set.

    Args:
        text: the manifest.
        path: what to call it in messages.
        worker: the component's name; not needed where only one answers requests.
        wanted: the flags and their values.

    Raises:
        InputError: the worker's arguments are no list of their own.
        UsageError: there is no such worker, or several.
    """
    name = _worker_name(text, path, worker)
    documents = parse_yaml_stream(text, path)
    for index, document in enumerate(documents):
        for container in containers(document.value):
            if container.name == name and _runs(container):
                pieces = [each.text or "" for each in documents]
                pieces[index] = _edited(document, container, wanted)
                edited = "".join(pieces)
                _check(edited, path, name, wanted, document.locate(f"{container.pointer}/args"))
                return edited
    raise InputError(f"{name} has no arguments", place=Place(path), mend="give it `args: []`")


def _check(text: str, path: str, name: str, wanted: Sequence[FlagValue], place: Place) -> None:
    """Read the result back: the worker must have what was wanted.

    Raises:
        InputError: it has not, as where the arguments are a shell's.
    """
    found = next((each for each in deployment_of(text, path).workers if each.name == name), None)
    for flag, value in wanted:
        plain = SPELLINGS[flag]
        setting = None if found is None else found.get(plain.name)
        meant = flag == plain.name if value is None else read_value(plain, value)
        if setting is None or setting.intended or setting.value != meant:
            raise InputError(
                f"{flag} cannot be set here: the arguments are not the worker's own",
                place=place,
                mend="take `structag init --part args` and put them where the worker starts",
            )


def _worker_name(text: str, path: str, worker: str | None) -> str:
    names = list(dict.fromkeys(each.name for each in deployment_of(text, path).workers))
    if worker is None and len(names) == 1:
        return names[0]
    if worker in names:
        return str(worker)
    known = ", ".join(names) or "none"
    problem = "which worker is meant?" if worker is None else f"no worker {worker!r} in {path}"
    raise UsageError(problem, mend=f"--worker NAME, of {known}")


def _runs(container: Container) -> bool:
    return bool({"command", "args"} & set(container.value))


def _edited(document: Document, container: Container, wanted: Sequence[FlagValue]) -> str:
    text = document.text or ""
    place = document.locate(f"{container.pointer}/args")
    node = _composed(text, f"{container.pointer}/args", place)
    if node is None or node.id != "sequence" or not node.value:
        raise InputError(
            "the worker's arguments are no list",
            place=place,
            mend="write them as a YAML list, or take `structag init --part args`",
        )
    if runs_script(container):
        raise InputError(
            "the arguments are a shell's, not the worker's own",
            place=place,
            mend="take `structag init --part args` and put them where the worker starts",
        )
    if not _inside(node, text, document, container):
        raise InputError(
            "the arguments come from an anchor, which others may share",
            place=place,
            mend="edit them where the anchor stands",
        )
    changes = _changes(text, node, wanted)
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _composed(text: str, pointer: str, place: Place) -> Any:
    """The node at a pointer.

    Raises:
        InputError: the loader wants more than the reader does: each anchor once, for one.
    """
    import yaml

    try:
        return _node(text, pointer)
    except yaml.YAMLError as err:
        raise InputError(
            f"the manifest cannot be edited: {getattr(err, 'problem', None) or 'invalid YAML'}",
            place=place,
            mend="mend it, or take `structag init --part args`",
        ) from None


def _inside(node: Any, text: str, document: Document, container: Container) -> bool:
    """Whether the list stands in the container, not at an anchor elsewhere."""
    own = _node(text, container.pointer)
    if own is None:
        return False
    return bool(own.start_mark.index <= node.start_mark.index <= own.end_mark.index)


def _node(text: str, pointer: str) -> Any:
    """The node at a pointer, composed without building values: aliases stay shared."""
    import yaml

    node: Any = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    for part in pointer.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, yaml.MappingNode):
            node = next((value for key, value in node.value if key.value == part), None)
        elif isinstance(node, yaml.SequenceNode) and part.isdigit():
            node = node.value[int(part)] if int(part) < len(node.value) else None
        else:
            return None
    return node


def _changes(text: str, node: Any, wanted: Sequence[FlagValue]) -> list[tuple[int, int, str]]:
    """Pieces of the text to replace: values that differ, and what is appended."""
    changes: list[tuple[int, int, str]] = []
    missing: list[str] = []
    items = node.value
    for flag, value in wanted:
        at = _index(items, flag)
        if at is None:
            missing += [flag] if value is None else [flag, value]
            continue
        change = _replacement(items, at, flag, value)
        if change is not None:
            changes.append(change)
    if missing:
        changes.append(_appended(text, node, missing))
    return changes


def _index(items: Sequence[Any], flag: str) -> int | None:
    """The item that sets a flag, in whatever spelling."""
    forms = SPELLINGS[flag].spellings
    found = [at for at, item in enumerate(items) if str(item.value).partition("=")[0] in forms]
    return found[-1] if found else None


def _replacement(
    items: Sequence[Any], at: int, flag: str, value: str | None
) -> tuple[int, int, str] | None:
    item = items[at]
    written = str(item.value)
    if value is None:
        return None if written == flag else _swap(item, flag)
    if "=" in written:
        whole = f"{flag}={value}"
        return None if written == whole else _swap(item, whole)
    following = items[at + 1] if at + 1 < len(items) else None
    if following is None or str(following.value).startswith("--"):
        return _swap(item, f"{flag}={value}")
    return None if str(following.value) == value else _swap(following, value)


def _swap(item: Any, new: str) -> tuple[int, int, str]:
    return item.start_mark.index, item.end_mark.index, _scalar(new, item)


def _appended(text: str, node: Any, words: Sequence[str]) -> tuple[int, int, str]:
    last = node.value[-1]
    end = last.end_mark.index
    if node.flow_style:
        return end, end, "".join(f", {_scalar(word, last)}" for word in words)
    dash = text.rfind("-", 0, last.start_mark.index)
    indent = " " * (dash - text.rfind("\n", 0, dash) - 1)
    # After the last item's own line: a comment behind it stays with it.
    line_end = text.find("\n", end)
    stop = len(text) if line_end < 0 else line_end
    return stop, stop, "".join(f"\n{indent}- {_scalar(word, last)}" for word in words)


def _scalar(word: str, beside: Any) -> str:
    """A word as text; in double quotes where the word beside it has them, as JSON must."""
    return json.dumps(word) if getattr(beside, "style", None) == '"' else yaml_text(word).strip()
