"""With a real tokenizer, tags are held against its own tokens and stop tokens."""

import json

import pytest

from structag_cli.commands.lint import lint as command
from structag_cli.engine.native import xgrammar
from structag_cli.errors import StructagError
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.stops import KNOWN, opened_tokenizer, stop_texts
from structag_cli.lint.subject import Settings

BAN = {"type": "any_tokens", "exclude_tokens": ["<tool_call>"]}


def ending(text):
    """A tag that goes on after a text."""
    tag = {"type": "tag", "begin": "<f>", "content": {"type": "any_text"}, "end": text}
    return {"type": "sequence", "elements": [tag, {"type": "const_string", "value": "more"}]}


def findings(node, folder, code, tokenizer):
    path = folder / "tag.json"
    path.write_text(json.dumps({"type": "structural_tag", "format": node}))
    settings = Settings(deep=False, tokenizer=tokenizer)
    return list(lint([str(path)], settings, Selection((code,))))


def compiles(node, tokenizer):
    opened = opened_tokenizer(tokenizer)
    xgr = xgrammar()
    info = xgr.TokenizerInfo(
        opened.pieces, vocab_type=xgr.VocabType.RAW, stop_token_ids=opened.stop_ids()
    )
    tag = json.dumps({"type": "structural_tag", "format": node})
    try:
        xgr.GrammarCompiler(info).compile_structural_tag(tag)
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("tokenizer", ["qwen3.6", "deepseek-v4", "smollm2"])
@pytest.mark.parametrize("text", ["<tool_call>", "<|im_end|>", "｜DSML｜", "no token of anybody"])
def test_a_string_that_is_no_token(tokenizer, text, tmp_path):
    node = {**BAN, "exclude_tokens": [text]}
    found = findings(node, tmp_path, "G016", tokenizer)
    assert [f.severity.word for f in found] == ([] if compiles(node, tokenizer) else ["error"])


def test_stop_tokens_are_the_tokenizers_own(tmp_path):
    assert "<｜end▁of▁sentence｜>" in stop_texts("deepseek-v4")
    assert stop_texts(None) == KNOWN
    assert findings(ending("<|im_end|>"), tmp_path, "G018", None)
    assert findings(ending("<|im_end|>"), tmp_path, "G018", "smollm2")
    assert findings(ending("<|im_end|>"), tmp_path, "G018", "deepseek-v4") == []
    assert findings(ending("<｜end▁of▁sentence｜>"), tmp_path, "G018", "deepseek-v4")


def test_an_unknown_tokenizer_is_told_before_anything(tmp_path, capsys):
    path = tmp_path / "tag.json"
    path.write_text(json.dumps({"type": "structural_tag", "format": BAN}))
    with pytest.raises(StructagError, match="nobody/none"):
        command([str(path)], tokenizer="nobody/none")
    assert capsys.readouterr().out == ""


def test_markers_of_the_tokenizer_may_be_spelled_in_pieces(tmp_path):
    node = {
        "type": "triggered_tags",
        "triggers": ["<tool_call>"],
        "tags": [
            {"type": "tag", "begin": "<tool_call>", "content": {"type": "any_text"}, "end": "</f>"}
        ],
    }
    (found,) = findings(node, tmp_path, "G022", "qwen3.6")
    assert "'<tool_call>'" in found.message
    assert findings(node, tmp_path, "G022", "smollm2") == []
    assert findings(node, tmp_path, "G022", None) == []
    opened = opened_tokenizer("qwen3.6")
    xgr = xgrammar()
    info = xgr.TokenizerInfo(
        opened.pieces, vocab_type=xgr.VocabType.RAW, stop_token_ids=opened.stop_ids()
    )
    tag = json.dumps({"type": "structural_tag", "format": node})
    compiled = xgr.GrammarCompiler(info).compile_structural_tag(tag)
    one = opened.pieces.index(b"<tool_call>")
    pieces = [opened.pieces.index(bytes([byte])) for byte in b"<tool_call>"]
    for spelling in ([one], pieces):
        matcher = xgr.GrammarMatcher(compiled)
        assert all(matcher.accept_token(token) for token in spelling)
        assert not matcher.accept_token(opened.stop_ids()[0])
