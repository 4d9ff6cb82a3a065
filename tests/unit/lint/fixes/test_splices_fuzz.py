"""Whatever the text looks like: outside of the edits each byte stays, inside is what was meant."""

import json

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from structag_cli.errors import InputError
from structag_cli.lint.fixes.edits import Insert, Quote, Remove, Rename, Replace, edited
from structag_cli.lint.fixes.layout import layout_of
from structag_cli.lint.fixes.rounds import mended
from structag_cli.lint.fixes.splices import Splicer, spliced
from structag_cli.place import escape_pointer
from structag_cli.sources import Document, parse_document

CHARS = st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\t\"'\\")
TEXTS = st.one_of(
    st.sampled_from(
        ["true", "5", "null", "a: b", "# no", "- x", "", " ", "é", "a,b]", "'", "\U0001f600"]
    ),
    st.text(CHARS, max_size=6),
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-999, 10**20), st.floats(-1e30, 1e30), TEXTS
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=14,
)
DOCUMENTS = st.lists(VALUES, min_size=1, max_size=4) | st.dictionaries(
    TEXTS, VALUES, min_size=1, max_size=4
)
FEW = settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def json_texts(draw, value, yaml=False):
    """A value as JSON with white space of any kind; or such that YAML reads it, too."""
    space = lambda: draw(st.sampled_from(["", "", " ", "\n", "\r\n  ", "\t"]))  # noqa: E731
    if isinstance(value, dict):
        inner = ",".join(
            f"{space()}{draw(json_texts(key, yaml))}{'' if yaml else space()}:"
            f"{' ' if yaml else space()}{draw(json_texts(each, yaml))}{space()}"
            for key, each in value.items()
        )
        return f"{{{inner or space()}}}"
    if isinstance(value, list):
        inner = ",".join(f"{space()}{draw(json_texts(v, yaml))}{space()}" for v in value)
        return f"[{inner or space()}]"
    return json.dumps(value, ensure_ascii=not yaml and draw(st.booleans()))


@st.composite
def yaml_texts(draw, value, indent=0):
    """A value as YAML: blocks and brackets, comments, anchors, quotes; ends with its line."""
    comment = draw(st.sampled_from(["", "", " # note, [", "  # ä: b"]))
    if not isinstance(value, (dict, list)) or not value or draw(st.integers(0, 4)) == 0:
        flow = (
            draw(json_texts(value, True))
            if isinstance(value, (dict, list))
            else _scalar(draw, value)
        )
        flow = (
            flow.replace("\t", " ").replace("\r\n", "\n").replace("\n", "\n" + " " * (indent + 1))
        )
        return f" {draw(st.sampled_from(['', '', '', '&a ']))}{flow}{comment}\n"
    pad = " " * indent
    lines = [f"{comment}\n"]
    step = indent + draw(st.integers(1, 3))
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in items:
        if draw(st.integers(0, 5)) == 0:
            lines.append(f"{pad}# above\n" if draw(st.booleans()) else "\n")
        head = f"{_key(draw, key)}:" if isinstance(value, dict) else "-"
        lines.append(f"{pad}{head}{draw(yaml_texts(each, step))}")
    return "".join(lines)


def _key(draw, key):
    plain = key.isascii() and key.isalpha() and key not in ("true", "null")
    return key if plain and draw(st.booleans()) else json_quoted(key)


def _scalar(draw, value):
    if isinstance(value, str):
        if value.isprintable() and draw(st.booleans()):
            return "'" + value.replace("'", "''") + "'"
        if value.isascii() and value.isalpha() and value not in ("true", "null"):
            return value
        return json_quoted(value)
    return json.dumps(value)


def json_quoted(text):
    """In double quotes as JSON and YAML both read them; no pairs of surrogates."""
    return json.dumps(text, ensure_ascii=False)


def pointers(value, pointer=""):
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    yield pointer, value
    for key, each in items:
        yield from pointers(each, f"{pointer}/{escape_pointer(str(key))}")


@st.composite
def edits(draw, value):
    pointer, at = draw(st.sampled_from(list(pointers(value))))
    kinds = [Replace(pointer, draw(SCALARS)), Remove(pointer), Rename(pointer, draw(TEXTS))]
    kinds.append(Quote(pointer))
    if isinstance(at, dict):
        kinds += 3 * [Insert(pointer, draw(TEXTS), draw(SCALARS))]
    return draw(st.sampled_from(kinds))


def check(document, fixes):
    """What was made is what its edits say, and all else is byte for byte the same."""
    outcome = mended(document, fixes)
    splicer = Splicer(layout_of(document.text, document.kind), document.kind)
    pairs = [splicer.splice(edit) for index in outcome.made for edit in fixes[index]]
    assert outcome.text == spliced(document.text, [splice for splice, _ in pairs])
    read = parse_document(outcome.text, document.file, kind=document.kind).value
    meant = edited(document.value, [edit for _, edit in pairs])
    assert json.dumps(read, sort_keys=True) == json.dumps(meant, sort_keys=True)
    kept = [char for at, char in enumerate(document.text) if not _cut(at, pairs)]
    assert is_subsequence(kept, outcome.text)
    return outcome


def _cut(at, pairs):
    return any(splice.start <= at < splice.end for splice, _ in pairs)


def is_subsequence(chars, text):
    rest = iter(text)
    return all(char in rest for char in chars)


@FEW
@given(st.data())
def test_json(data):
    value = data.draw(DOCUMENTS)
    text = data.draw(json_texts(value))
    fixes = data.draw(st.lists(st.lists(edits(value), min_size=1, max_size=2), max_size=4))
    document = parse_document(text, "x.json")
    outcome = check(document, fixes)
    for index, reason in outcome.refused.items():
        assert reason, fixes[index]


@FEW
@given(st.data())
def test_lines_of_json(data):
    values = data.draw(st.lists(DOCUMENTS, min_size=1, max_size=3))
    break_ = data.draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
    text = break_.join(json.dumps(value) for value in values)
    fixes = data.draw(st.lists(st.lists(edits(values), min_size=1, max_size=2), max_size=4))
    document = parse_document(text, "x.jsonl")
    outcome = check(document, fixes)
    assert outcome.text.count("\n") == text.count("\n")


@FEW
@given(st.data())
def test_yaml(data):
    value = data.draw(DOCUMENTS)
    text = data.draw(yaml_texts(value)).lstrip(" ")
    text = text.replace("\n", data.draw(st.sampled_from(["\n", "\r\n"])))
    text = text if data.draw(st.booleans()) else text.rstrip("\r\n")
    try:
        document = parse_document(text, "x.yaml")
    except InputError:
        assume(False)
    fixes = data.draw(st.lists(st.lists(edits(document.value), min_size=1, max_size=2), max_size=4))
    outcome = check(document, fixes)
    for index, fix in enumerate(fixes):
        names = "+".join(type(edit).__name__ for edit in fix)
        event(f"{names}: {outcome.refused.get(index) or index in outcome.made}")
    for comment in ("# note, [", "# ä: b", "# above"):
        assert outcome.text.count(comment) >= text.count(comment)


@FEW
@given(st.data())
def test_one_replacement_of_a_plain_value_is_always_made(data):
    value = data.draw(DOCUMENTS)
    text = data.draw(json_texts(value))
    places = [p for p, each in pointers(value) if p and not isinstance(each, (dict, list))]
    if places:
        fix = [Replace(data.draw(st.sampled_from(places)), data.draw(SCALARS))]
        document = Document(value, "x.json", text)
        assert mended(document, [fix]).made == [0]
