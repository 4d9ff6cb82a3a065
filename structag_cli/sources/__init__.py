"""Reading input: files, stdin and logs become documents that remember places."""

from structag_cli.sources.document import Document, Kind
from structag_cli.sources.reading import (
    MAX_BYTES,
    decode,
    iter_jsonl,
    open_input,
    parse_document,
    read_bytes,
    read_document,
    read_text,
)

__all__ = [
    "MAX_BYTES",
    "Document",
    "Kind",
    "decode",
    "iter_jsonl",
    "open_input",
    "parse_document",
    "read_bytes",
    "read_document",
    "read_text",
]
