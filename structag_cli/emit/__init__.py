"""From a structural tag to text: JSON, YAML, tree, EBNF, example outputs, engine payloads."""

from structag_cli.emit.formats import emit
from structag_cli.emit.payload import payload

__all__ = ["emit", "payload"]
