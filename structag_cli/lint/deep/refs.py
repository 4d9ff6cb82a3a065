"""Where references lead: pointers, anchors and ``$id``, in one schema document.

By JSON Schema 2020-12 section 8.2 and the older drafts' ``id``; nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from structag_cli.lint.nodes import subschemas
from structag_cli.place import escape_pointer

Found = tuple[Any, str]
"""A node and its pointer from the root."""

_ANCHORS = ("$anchor", "$dynamicAnchor")
_SPECIFICATIONS = ("http://json-schema.org/", "https://json-schema.org/")


class References:
    """What the references of one document can lead to.

    ``bases`` are the absolute identifiers in it, the root's first.
    """

    def __init__(self, root: Any) -> None:
        self.root = root
        self.resources: dict[str, Found] = {"": (root, "")}
        self.anchors: dict[str, list[Found]] = {}
        base_at = {"": ""}
        for node, pointer in subschemas(root):
            base = _base_of(pointer, base_at)
            for own in (node.get("$id"), node.get("id")):
                if isinstance(own, str):
                    self._identify(own, base, node, pointer, base_at)
            for word in _ANCHORS:
                name = node.get(word)
                if isinstance(name, str):
                    self.anchors.setdefault(name, []).append((node, pointer))
        self.bases = list(self.resources)
        self._found: dict[str, Found | None] = {}

    def _identify(
        self, own: str, base: str, node: Any, pointer: str, base_at: dict[str, str]
    ) -> None:
        uri, fragment = urldefrag(own)
        if fragment and not uri:
            self.anchors.setdefault(fragment, []).append((node, pointer))
            return
        base_at[pointer] = _joined(base, uri)
        self.resources.setdefault(base_at[pointer], (node, pointer))

    def target(self, ref: Any) -> Found | None:
        """What a reference leads to; ``None`` where that is not in the document."""
        if not isinstance(ref, str):
            return None
        if ref not in self._found:
            self._found[ref] = self._search(ref)
        return self._found[ref]

    def _search(self, ref: str) -> Found | None:
        uri, fragment = urldefrag(ref)
        for resource in self._resources(uri):
            found = self._within(resource, unquote(fragment))
            if found is not None:
                return found
        return None

    def _resources(self, uri: str) -> Iterator[Found]:
        """The likely resources first; a reference's own base is not known here."""
        if not uri:
            yield from self.resources.values()
            return
        for base in self.bases:
            found = self.resources.get(_joined(base, uri))
            if found is not None:
                yield found

    def _within(self, resource: Found, fragment: str) -> Found | None:
        if not fragment:
            return resource
        if fragment.startswith("/"):
            return _walk(*resource, fragment)
        named = self.anchors.get(fragment) or []
        inside = [found for found in named if found[1].startswith(resource[1])]
        return inside[0] if inside else None


def _joined(base: str, uri: str) -> str:
    try:
        return urldefrag(urljoin(base, uri))[0]
    except ValueError:
        return uri


def _base_of(pointer: str, base_at: Mapping[str, str]) -> str:
    """The base of the nearest node above that has one."""
    while pointer not in base_at:
        pointer = pointer.rpartition("/")[0]
    return base_at[pointer]


def _walk(node: Any, pointer: str, fragment: str) -> Found | None:
    for part in fragment[1:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, Mapping) and key in node:
            node = node[key]
        elif isinstance(node, list) and key.isdigit() and int(key) < len(node):
            node = node[int(key)]
        else:
            return None
        pointer += "/" + escape_pointer(key)
    return node, pointer


def is_specification(ref: str) -> bool:
    """Whether a reference leads to a meta-schema, which every validator knows."""
    return ref.startswith(_SPECIFICATIONS)


_known: list[References] = []


def references(root: Any) -> References:
    """The references of a document; those of the last documents are remembered."""
    for known in _known:
        if known.root is root:
            return known
    found = References(root)
    _known[:] = [found, *_known[:3]]
    return found
