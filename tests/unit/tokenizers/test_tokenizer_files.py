"""Each form of tokenizer file becomes the same vocabulary."""

from __future__ import annotations

import base64
import json
import random
import struct
from pathlib import Path
from typing import Any

import pytest

from structag_cli.errors import InputError, StructagError, UsageError
from structag_cli.tokenizers.cache import DiskCache
from structag_cli.tokenizers.spelling import char_of_byte, from_byte_fallback, from_byte_level
from structag_cli.tokenizers.tokenizer import Tokenizer, open_tokenizer

NO_CACHE = DiskCache(None)


def byte_level(text: str) -> str:
    return "".join(char_of_byte()[byte] for byte in text.encode())


def hf_document(**changes: Any) -> dict[str, Any]:
    vocab = {char_of_byte()[value]: value for value in range(256)}
    vocab.update({byte_level(" tool"): 256, byte_level("中"): 257})
    document = {
        "version": "1.0",
        "added_tokens": [
            _added(258, "<tool_call>", False),
            _added(259, "<|im_end|>", True),
            _added(260, "<|endoftext|>", True),
        ],
        "pre_tokenizer": {
            "type": "ByteLevel",
            "add_prefix_space": False,
            "trim_offsets": True,
            "use_regex": True,
        },
        "decoder": {
            "type": "ByteLevel",
            "add_prefix_space": False,
            "trim_offsets": True,
            "use_regex": True,
        },
        "model": {"type": "BPE", "vocab": vocab, "merges": []},
    }
    return {**document, **changes}


def _added(index: int, text: str, special: bool) -> dict[str, Any]:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return {"id": index, "content": text, "special": special, **flags}


def hf_folder(folder: Path, document: Any = None, **configs: Any) -> Path:
    text = document if isinstance(document, str) else json.dumps(document or hf_document())
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")
    for name, value in configs.items():
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


def opened(path: Path, **options: Any) -> Tokenizer:
    return open_tokenizer(str(path), cache=NO_CACHE, **options)


def test_hf_pieces_markers_and_stops(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    folder = hf_folder(
        tmp_path,
        generation_config={"eos_token_id": [259, 260]},
        config={"eos_token_id": 260, "vocab_size": 272},
        tokenizer_config={"eos_token": {"content": "<|im_end|>"}},
    )
    found = opened(folder)
    assert found.pieces[256:260] == [b" tool", "中".encode(), b"<tool_call>", b"<|im_end|>"]
    assert found.vocabulary.encoding == "byte-level"
    assert found.size == 272
    assert list(found.padding) == list(range(261, 272))
    assert [(stop.id, stop.source) for stop in found.vocabulary.stops] == [
        (259, "generation_config.json eos_token_id"),
        (260, "generation_config.json eos_token_id"),
        (260, "config.json eos_token_id"),
        (259, "tokenizer_config.json eos_token"),
    ]
    assert found.stop_ids() == [259, 260]
    assert {a.text: a.special for a in found.vocabulary.added}["<tool_call>"] is False
    assert found.encode("a<tool_call>")[-1] == 258
    assert not found.vocabulary.misread


def test_vocab_size_widens_and_cuts(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    folder = hf_folder(tmp_path)
    assert len(opened(folder, vocab_size=300).pieces) == 300
    assert len(opened(folder, vocab_size=200).pieces) == 200
    with pytest.raises(UsageError, match="--vocab-size 0"):
        opened(folder, vocab_size=0)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("", "the file is empty"),
        ("{", "not valid JSON"),
        ("{}", "no object with a `model`"),
        ('{"model": {}}', "no model.vocab"),
        ('{"model": {"vocab": {"a": -1}}}', "not a token id"),
        ('{"model": {"vocab": {"a": "b"}}}', "not a token id"),
        ('{"model": {"vocab": {"a": 99999999}}}', "not a token id"),
        ('{"model": {"vocab": [1]}}', "not a list of"),
        ('{"model": {"vocab": {}}}', "the vocabulary is empty"),
        ('{"model": {"vocab": {"a": 0}}, "added_tokens": [{}]}', "has no content"),
        ('{"model": {"vocab": {"a": 0}}, "added_tokens": 3}', "tokenizer"),
        ("[" * 100_000, "tokenizer"),
        ("not a tokenizer", "not a tokenizer file"),
    ],
)
def test_broken_hf_files_are_refused(tmp_path: Path, document: str, said: str) -> None:
    (tmp_path / "tokenizer.json").write_text(document)
    with pytest.raises(InputError, match=said) as caught:
        opened(tmp_path)
    assert "tokenizer.json" in str(caught.value.place)


def test_holes_and_twins_are_known(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    document = hf_document(added_tokens=[_added(300, "<x>", True), _added(301, "<x>", True)])
    found = opened(hf_folder(tmp_path, document))
    assert found.vocabulary.holes == list(range(258, 300))
    assert [300, 301] in found.vocabulary.twins


def test_misread_pieces_are_found(tmp_path: Path) -> None:
    """A vocabulary that its own decoder reads otherwise: the pieces say one thing, text another."""
    pytest.importorskip("tokenizers")
    document = hf_document(decoder={"type": "Replace", "pattern": {"String": "t"}, "content": "T"})
    found = opened(hf_folder(tmp_path, document))
    assert any(wrong.piece == b"t" and wrong.decoded == "T" for wrong in found.vocabulary.misread)


def tiktoken_lines() -> bytes:
    ranks = [bytes([value]) for value in range(256)] + [b" tool"]
    return b"".join(b"%s %d\n" % (base64.b64encode(p), r) for r, p in enumerate(ranks))


def test_tiktoken_with_its_special_tokens(tmp_path: Path) -> None:
    pytest.importorskip("tiktoken")
    (tmp_path / "my.tiktoken").write_bytes(tiktoken_lines())
    config = {
        "added_tokens_decoder": {"257": {"content": "<tool_call>", "special": True}},
        "eos_token": "<tool_call>",
    }
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    found = opened(tmp_path)
    assert found.source.kind == "tiktoken"
    assert found.pieces[256:] == [b" tool", b"<tool_call>"]
    assert found.stop_ids() == [257]
    assert found.encode("a tool<tool_call>") == [97, 256, 257]


def test_tiktoken_faults_name_the_line(tmp_path: Path) -> None:
    (tmp_path / "my.tiktoken").write_bytes(b"IQ== 0\nIg== x\n")
    with pytest.raises(InputError, match="line 2"):
        opened(tmp_path / "my.tiktoken")


def test_tekken(tmp_path: Path) -> None:
    pytest.importorskip("tiktoken")
    document = {
        "config": {
            "pattern": r"[^ ]+| ",
            "default_vocab_size": 260,
            "default_num_special_tokens": 3,
        },
        "vocab": [
            {"rank": v, "token_bytes": base64.b64encode(bytes([v])).decode()} for v in range(256)
        ],
        "special_tokens": [
            {"rank": 0, "token_str": "<unk>", "is_control": True},
            {"rank": 1, "token_str": "</s>", "is_control": True},
            {"rank": 2, "token_str": "[TOOL_CALLS]", "is_control": True},
        ],
    }
    (tmp_path / "tekken.json").write_text(json.dumps(document))
    found = opened(tmp_path)
    assert found.encode("[TOOL_CALLS]a") == [2, 3 + ord("a")]
    assert found.stop_ids() == [1]
    assert found.pieces[3 + ord("a")] == b"a"


def gguf_bytes(values: dict[str, Any], version: int = 3) -> bytes:
    def text(value: str) -> bytes:
        data = value.encode()
        return struct.pack("<Q", len(data)) + data

    parts = [b"GGUF", struct.pack("<IQQ", version, 0, len(values))]
    for key, value in values.items():
        parts.append(text(key))
        if isinstance(value, str):
            parts += [struct.pack("<I", 8), text(value)]
        elif isinstance(value, int):
            parts += [struct.pack("<I", 4), struct.pack("<I", value)]
        elif isinstance(value[0], str):
            parts += [struct.pack("<IIQ", 9, 8, len(value)), *map(text, value)]
        else:
            parts.append(struct.pack(f"<IIQ{len(value)}i", 9, 5, len(value), *value))
    return b"".join(parts)


def gguf_values() -> dict[str, Any]:
    tokens = [char_of_byte()[value] for value in range(256)]
    tokens += [byte_level(" t"), "<tool_call>", "<|im_end|>"]
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "default",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [1] * 257 + [4, 3],
        "tokenizer.ggml.merges": [f"{byte_level(' ')} t"],
        "tokenizer.ggml.eos_token_id": 258,
    }


def test_gguf(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf_bytes(gguf_values()))
    found = opened(path)
    assert found.source.kind == "gguf"
    assert found.pieces[256:] == [b" t", b"<tool_call>", b"<|im_end|>"]
    assert found.stop_ids() == [258]
    assert found.encode("a t<tool_call>") == [97, 256, 257]


def test_every_cut_of_a_gguf_file_is_refused(tmp_path: Path) -> None:
    whole = gguf_bytes(gguf_values())
    path = tmp_path / "m.gguf"
    for size in [*range(4, 80), *range(80, len(whole), 97)]:
        path.write_bytes(whole[:size])
        with pytest.raises(StructagError):
            opened(path)


def test_gguf_lengths_are_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 60))
    with pytest.raises(InputError, match="a string of"):
        opened(path)


def test_names_that_are_nothing(tmp_path: Path) -> None:
    for name in ("nothing", "no/such-model", str(tmp_path / "none")):
        with pytest.raises(UsageError):
            open_tokenizer(name, cache=NO_CACHE)
    with pytest.raises(InputError, match="no tokenizer in this folder"):
        opened(tmp_path)


def test_spelling_tables() -> None:
    assert from_byte_level("Ġtool") == b" tool"
    assert from_byte_level("<｜DSML｜") == "<｜DSML｜".encode()
    assert from_byte_fallback("<0x0A>") == b"\n"
    assert from_byte_fallback("▁Paris") == b" Paris"
    assert from_byte_fallback("<0xZZ>") == b"<0xZZ>"


def mutated(chance: random.Random, data: bytes) -> bytes:
    """A file with a few bytes changed, lost or added."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(found))
        how = chance.randrange(3)
        if how == 0:
            found[at] = chance.randrange(256)
        elif how == 1:
            del found[at : at + chance.randrange(30)]
        else:
            found[at:at] = chance.randbytes(chance.randrange(9))
    return bytes(found)


@pytest.mark.parametrize("seed", range(60))
def test_damaged_files_are_read_or_refused_and_nothing_else(tmp_path: Path, seed: int) -> None:
    pytest.importorskip("tokenizers")
    pytest.importorskip("tiktoken")
    chance = random.Random(seed)
    files = {
        "tokenizer.json": json.dumps(hf_document()).encode(),
        "x.gguf": gguf_bytes(gguf_values()),
        "x.tiktoken": tiktoken_lines(),
    }
    for name, data in files.items():
        path = tmp_path / name
        path.write_bytes(mutated(chance, data))
        try:
            opened(path).encode("hello <tool_call>")
        except StructagError as err:
            assert err.place is not None  # noqa: PT017


def test_ranks_that_the_library_would_panic_on(tmp_path: Path) -> None:
    pytest.importorskip("tiktoken")
    path = tmp_path / "x.tiktoken"
    path.write_bytes(tiktoken_lines().replace(b"AA== 0\n", b""))
    with pytest.raises(InputError, match="byte 0x00 has no token"):
        opened(path).encode("a")
    path.write_bytes(tiktoken_lines().replace(b"IHRvb2w= 256", b"IHRvb2w= 7"))
    with pytest.raises(InputError, match="id 7 is both"):
        opened(path).encode("a")
