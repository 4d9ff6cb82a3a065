"""YAML that reads back as the same JSON, under YAML 1.1 and the 1.2 core schema alike."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_READ_AS_OTHER = re.compile(
    r"[-+.]?[0-9._]|[-+]?\.(inf|nan)$|(null|true|false|yes|no|on|off|y|n|~|=|<<)?$", re.IGNORECASE
)
"""Strings that some YAML reader takes for a number, a bool, a date or null."""

_OTHER_BREAKS = re.compile("[\x85\u2028\u2029]")
"""Line breaks of YAML 1.1 that readers fold; only an escape keeps them."""


def yaml_text(value: Any) -> str:
    """The value as YAML: keys in their order, multi-line strings as literal blocks."""
    import yaml

    text = yaml.dump(value, Dumper=_dumper(), allow_unicode=True, sort_keys=False, width=4096)
    return str(text).removesuffix("...\n")


@cache
def _dumper() -> type[Any]:
    import yaml

    class Dumper(yaml.SafeDumper):
        """Safe, without aliases, and careful with strings."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    def represent(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
        style = None
        if _OTHER_BREAKS.search(text):
            style = '"'
        elif "\n" in text:
            style = "|"
        elif _READ_AS_OTHER.match(text):
            style = '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, represent)
    return Dumper
