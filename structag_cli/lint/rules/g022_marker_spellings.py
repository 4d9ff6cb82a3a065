"""G022: a marker that is one token may also be written in pieces."""

from collections.abc import Iterator

from structag_cli.findings import Found, Severity
from structag_cli.lint.rule import Rule
from structag_cli.lint.subject import Subject
from structag_cli.lint.tag_nodes import tag_root
from structag_cli.lint.tag_shape import texts


def check(subject: Subject) -> Iterator[Found]:
    """One finding a tag, with the markers."""
    name = subject.settings.tokenizer
    root, pointer = tag_root(subject)
    if name is None or root is None:
        return
    from structag_cli.lint.stops import opened_tokenizer

    opened = opened_tokenizer(name)
    written = " ".join(text for at, text, _ in texts(root, pointer) if not at.endswith("/token"))
    stops = set(opened.stop_ids())
    markers = [a.text for a in opened.vocabulary.added if a.id not in stops and a.text.strip()]
    held = sorted({text for text in markers if text in written})
    if held:
        shown = ", ".join(map(repr, held[:6]))
        yield Found(pointer, f"single tokens of {name} that may also be spelled in pieces: {shown}")


RULE = Rule(
    code="G022",
    name="marker-spellings",
    severity=Severity.INFO,
    summary="A marker that is one token of the model may also be written in pieces.",
    why=(
        "A tag of texts accepts every spelling of its markers: the one token, and the same "
        "letters in ordinary tokens. Parsers that wait for the token's id see no call in the "
        "second, and the call is lost in the text. Told with `--tokenizer` alone; `structag "
        "mask` shows the spellings."
    ),
    mend="use a parser that reads text, or token_triggered_tags",
    check=check,
    bad=None,
    good=None,
    source="xgrammar 0.2.9, measured",
)
