"""Steps, walks, findings and the self-check on a small vocabulary."""

from __future__ import annotations

from pathlib import Path

import pytest

from structag_cli.errors import UsageError
from structag_cli.masks.self_check import self_check
from structag_cli.masks.step import Stepper
from structag_cli.masks.trust import findings
from structag_cli.masks.walk import walk
from structag_cli.tokenizers.cache import DiskCache
from structag_cli.tokenizers.source import Source
from structag_cli.tokenizers.tokenizer import Tokenizer
from structag_cli.tokenizers.vocabulary import Added, Stop, Vocabulary, looked_over

TAG = {
    "type": "structural_tag",
    "format": {
        "type": "tag",
        "begin": "<call>",
        "content": {
            "type": "json_schema",
            "json_schema": {"type": "object", "properties": {}, "additionalProperties": False},
            "style": "json",
        },
        "end": "</call>",
    },
}
END = 258


class Bytes(Tokenizer):
    """One token a byte, then a marker and a stop."""

    def encode(self, text: str) -> list[int]:
        ids: list[int] = []
        for number, part in enumerate(text.split("<call>")):
            ids += [256] if number else []
            ids += list(part.encode())
        return ids


def tokenizer(size: int = 259, stops: list[Stop] | None = None) -> Tokenizer:
    pieces = [bytes([value]) for value in range(256)] + [b"<call>", b"", b"<|im_end|>"]
    added = [Added(256, "<call>", False), Added(END, "<|im_end|>", True)]
    known = [Stop(END, "<|im_end|>", "a.json")] if stops is None else stops
    vocabulary = looked_over(
        Vocabulary(kind="tiktoken", encoding="raw", pieces=pieces, added=added, stops=known)
    )
    source = Source("bytes", "tiktoken", Path("x"))
    return Bytes(source, vocabulary, size, DiskCache(None), "")


@pytest.fixture(scope="module")
def stepper() -> Stepper:
    return Stepper(tokenizer(300), TAG)


def test_start_is_forced(stepper: Stepper) -> None:
    step = stepper.at([])
    assert step.mask.allowed_ids() == [ord("<"), 256]
    assert step.mask.padding == 41
    assert step.mask.padding_allowed() == []
    assert step.forced_text.startswith("<call>")
    assert step.stop_ids_allowed == ()


def test_end_is_allowed_after_the_call(stepper: Stepper) -> None:
    step = stepper.at(stepper.tokenizer.encode("<call>{}</call>"))
    assert step.stop_ids_allowed == (END,)
    assert step.words == "the end and nothing else"
    ended = stepper.at([*stepper.tokenizer.encode("<call>{}</call>"), END])
    assert ended.mask.allowed == 0
    assert ended.words == "nothing: the output has ended"


def test_refusals_say_why(stepper: Stepper) -> None:
    step = stepper.at(stepper.tokenizer.encode("<call>"), [ord("["), END, 257, 299, ord("{")])
    by_id = {query.id: query for query in step.queries}
    assert by_id[ord("{")].allowed
    assert "arguments of the call" in by_id[ord("[")].why
    assert by_id[ord("[")].place == "/format/content/json_schema"
    assert "not complete" in by_id[END].why
    assert "no token has this id" in by_id[257].why
    assert "no token has this id" in by_id[299].why


def test_bytes_that_fit_are_told_from_those_that_do_not() -> None:
    pieces = ["<call>", "{x"]
    tag = {"type": "structural_tag", "format": {"type": "const_string", "value": "<call>{}"}}
    vocabulary = looked_over(
        Vocabulary(
            kind="tiktoken",
            encoding="raw",
            pieces=[piece.encode() for piece in [*pieces, "</s>"]],
            added=[],
            stops=[Stop(2, "</s>", "a.json")],
        )
    )
    own = Tokenizer(Source("x", "tiktoken", Path("x")), vocabulary, 3, DiskCache(None), "")
    query = Stepper(own, tag).at([0], [1]).queries[0]
    assert query.why.startswith("\u2039{\u203a fits, \u2039x\u203a does not")


def test_a_refused_prefix_says_where(stepper: Stepper) -> None:
    with pytest.raises(UsageError, match=r"refuses the prefix at token 1, 91 .* byte 6") as caught:
        stepper.at([256, ord("[")])
    assert "accepted there" in caught.value.mend


def test_ids_out_of_range(stepper: Stepper) -> None:
    for bad in (-1, 300):
        with pytest.raises(UsageError, match="vocabulary ends at 299"):
            stepper.at([bad])
        with pytest.raises(UsageError):
            walk(stepper, [bad])


def test_walks(stepper: Stepper) -> None:
    whole = walk(stepper, stepper.tokenizer.encode("<call>{}</call>"), keep_masks=True)
    assert whole.complete
    assert whole.refused is None
    assert whole.words is not None
    assert whole.words.shape == (len(whole.rows) + 1, 10)
    assert any(row.forced for row in whole.rows)
    cut = walk(stepper, stepper.tokenizer.encode("<call>{"))
    assert not cut.complete
    refused = walk(stepper, stepper.tokenizer.encode("<call>[}"))
    assert refused.refused is not None
    assert refused.refused.position == 1
    assert refused.rows[2].allowed is None
    empty = walk(stepper, [])
    assert empty.rows == ()
    assert not empty.complete


def test_mask_and_matcher_agree(stepper: Stepper) -> None:
    for text in ("", "<call>", "<call>{}", "<call>{}</call>"):
        assert self_check(stepper, stepper.tokenizer.encode(text)).holds


@pytest.mark.parametrize(
    ("stops", "codes"),
    [
        ([], {"no-stop"}),
        ([Stop(97, "a", "generation_config.json")], {"stop-is-text", "turn-end-no-stop"}),
        ([Stop(999, "", "config.json")], {"stop-out-of-range", "turn-end-no-stop"}),
        (
            [Stop(END, "<|im_end|>", "a.json"), Stop(97, "a", "b.json")],
            {"stops-differ", "stop-is-text"},
        ),
        (None, set()),
    ],
)
def test_stops_that_are_odd(stops: list[Stop] | None, codes: set[str]) -> None:
    own = tokenizer(stops=stops)
    found = {finding.code for finding in findings(own, own.stop_ids())}
    assert found - {"holes"} == codes
