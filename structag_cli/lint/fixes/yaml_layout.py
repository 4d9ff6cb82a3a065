"""The layout of a YAML document, from parser events."""

from __future__ import annotations

from typing import Any

from structag_cli.lint.fixes.layout import Part


class YamlLayout:
    """All parts of a valid document."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root = Part(0, 0)
        self._open: list[Part] = []
        self._key: Any = None
        for event in _events(text):
            self._take(event)

    def children(self, part: Part) -> list[Part]:
        """The members or items of a container, in order."""
        return part.children

    def _take(self, event: Any) -> None:
        import yaml

        if isinstance(event, yaml.ScalarEvent):
            if self._expects_key():
                self._key = event
                return
            part = self._part(event)
            part.style = event.style or ""
            self._put(part)
        elif isinstance(event, yaml.AliasEvent):
            part = self._part(event)
            part.kind, part.held = "alias", "it is an alias"
            self._put(part)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            part = self._part(event)
            part.kind = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
            part.block = not event.flow_style
            self._put(part)
            self._open.append(part)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self._close(event.end_mark)

    def _close(self, mark: Any) -> None:
        """A block's own end mark stands at what comes after it: its last part ends it."""
        part = self._open.pop()
        part.end = part.children[-1].end if part.block and part.children else mark.index

    def _expects_key(self) -> bool:
        return bool(self._open) and self._open[-1].kind == "map" and self._key is None

    def _part(self, event: Any) -> Part:
        part = Part(event.start_mark.index, event.end_mark.index)
        if event.anchor is not None:
            part.held = "it has an anchor"
        elif getattr(event, "tag", None) is not None:
            part.held = "it has a tag"
        return part

    def _put(self, part: Part) -> None:
        if not self._open:
            self.root = part
            return
        holder = self._open[-1]
        part.name = str(len(holder.children))
        if holder.kind == "map":
            key, self._key = self._key, None
            part.name = key.value
            part.key = (key.start_mark.index, key.end_mark.index)
            part.key_style = key.style or ""
            if key.anchor is not None or key.tag is not None:
                part.held = "its key has an anchor or a tag"
        holder.children.append(part)


def _events(text: str) -> Any:
    import yaml

    return yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
