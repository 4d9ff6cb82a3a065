"""Containers in manifests: Dynamo graphs, any Kubernetes workload, Compose files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from structag_cli.place import escape_pointer

_SKIPPED = ("initContainers", "status", "annotations", "labels")
COMMAND_KEYS = ("entrypoint", "command", "args")
"""What a container runs, in the order of its words; the first is Compose's."""
_ENV_KEYS = ("env", "envs", "environment")


@dataclass(frozen=True, slots=True)
class Container:
    """One container, with what its surroundings say about it.

    ``env`` are pairs of pointer and list (or mapping) of variables, outermost first.
    ``kubernetes``: the manifest is an object of Kubernetes, whose items must be text.
    ``dynamo``: it is one of Dynamo's own kinds.
    """

    value: dict[str, Any]
    pointer: str
    name: str
    name_pointer: str
    component: str
    framework: str
    env: tuple[tuple[str, Any], ...]
    kubernetes: bool
    dynamo: bool
    main: bool


@dataclass(frozen=True, slots=True)
class _Around:
    """What the path to a value has said so far."""

    name: str = ""
    name_pointer: str = ""
    component: str = ""
    framework: str = ""
    env: tuple[tuple[str, Any], ...] = ()
    kubernetes: bool = False
    dynamo: bool = False
    key: str = ""
    first: bool = True


def containers(document: Any) -> Iterator[Container]:
    """Every container of a document, in order."""
    around = _Around()
    if isinstance(document, dict):
        metadata = document.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
        around = _Around(
            name=name if isinstance(name, str) else "",
            name_pointer="/metadata/name" if isinstance(name, str) else "",
            kubernetes="apiVersion" in document,
            dynamo=_text(document.get("kind")).startswith("dynamo"),
        )
    stack: list[tuple[Any, str, _Around]] = [(document, "", around)]
    while stack:
        value, pointer, around = stack.pop()
        if isinstance(value, list):
            items = [(item, str(at)) for at, item in enumerate(value)]
        elif isinstance(value, dict):
            around = _noted(value, pointer, around)
            if _is_container(value, around):
                yield _container(value, pointer, around)
                continue
            items = [(item, key) for key, item in value.items() if key not in _SKIPPED]
        else:
            continue
        for at in range(len(items) - 1, -1, -1):
            item, key = items[at]
            if isinstance(item, (dict, list)):
                below = _below(value, key, around)
                stack.append((item, f"{pointer}/{escape_pointer(key)}", below))


def _below(value: Any, key: str, around: _Around) -> _Around:
    if isinstance(value, list):
        return replace(around, first=key == "0")
    if around.key == "services":
        # The children of `services` are named by their keys.
        return replace(around, key=key, name=key, name_pointer="", first=True)
    return replace(around, key=key, first=True)


def _noted(value: dict[str, Any], pointer: str, around: _Around) -> _Around:
    """What a mapping on the way adds."""
    if _text(value.get("kind")).startswith("dynamo"):
        around = replace(around, dynamo=True)
    if around.key == "components" and isinstance(value.get("name"), str):
        around = replace(around, name=value["name"], name_pointer=f"{pointer}/name")
        around = replace(around, component=_text(value.get("type")))
    kind = _text(value.get("subComponentType")) or _text(value.get("componentType"))
    if kind:
        around = replace(around, component=kind, name_pointer=around.name_pointer or pointer)
    if _text(value.get("backendFramework")):
        around = replace(around, framework=_text(value["backendFramework"]))
    if not around.name_pointer:
        around = replace(around, name_pointer=pointer)
    for key in _ENV_KEYS:
        if isinstance(value.get(key), (list, dict)):
            around = replace(around, env=(*around.env, (f"{pointer}/{key}", value[key])))
    return around


def _text(value: Any) -> str:
    return value.lower() if isinstance(value, str) else ""


def _is_container(value: dict[str, Any], around: _Around) -> bool:
    if around.key in ("containers", "mainContainer"):
        return True
    if {"containers", "podTemplate", "extraPodSpec", "spec"} & set(value):
        return False
    return any(isinstance(value.get(key), (str, list)) for key in COMMAND_KEYS)


def _container(value: dict[str, Any], pointer: str, around: _Around) -> Container:
    own = value.get("name")
    name = around.name or (own if isinstance(own, str) else "worker")
    return Container(
        value,
        pointer,
        name,
        around.name_pointer or pointer,
        around.component,
        around.framework,
        around.env,
        around.kubernetes,
        around.dynamo,
        around.key == "mainContainer" or around.first or own == "main",
    )
