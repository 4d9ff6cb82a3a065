"""Words of shell lines: as the shell makes them, each where it stands."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structag_cli.deployments.shell import UnclosedQuote, commands, tokens


def words(text):
    return [token.text for token in tokens(text) if not token.operator]


@pytest.mark.parametrize(
    "text",
    [
        "python3 -m dynamo.sglang --x 'a b' \"c d\" e\\ f",
        'a --x=\'{"scope": "auto"}\' b',
        "a # not this\nb",
        '"quo\\"ted" x',
        "''",
    ],
)
def test_words_are_the_shells(text):
    assert words(text) == shlex.split(text, comments=True)


def test_a_backslash_joins_lines():
    assert words("a \\\n  --b c \\\n  --d") == ["a", "--b", "c", "--d"]


def test_operators_part_commands():
    found = [[token.text for token in command] for command in commands("a b && c; d | e &\nf")]
    assert found == [["a", "b"], ["c"], ["d"], ["e"], ["f"]]


def test_redirections_are_no_words():
    line = "a --b 2>&1 >out.txt 2> err.txt < in | tee x &> all"
    found = [[token.text for token in command] for command in commands(line)]
    assert found == [["a", "--b"], ["tee", "x"]]


def test_offsets_are_those_of_the_text():
    text = "a 'b c' --d=e"
    assert [text[token.offset : token.end] for token in tokens(text)] == ["a", "'b c'", "--d=e"]


def test_variables_stay():
    assert words('x ${A:-b c} "$B" $(date +%s)') == ["x", "${A:-b c}", "$B", "$(date +%s)"]


@pytest.mark.parametrize("text", ["a 'b", 'a "b', "a ${b", "a $(b"])
def test_a_quote_without_an_end(text):
    with pytest.raises(UnclosedQuote) as caught:
        list(tokens(text))
    assert caught.value.offset == 2


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        found = list(tokens(text))
    except UnclosedQuote:
        return
    assert all(token.end > token.offset for token in found)


@given(st.lists(st.text(alphabet=st.characters(codec="ascii", exclude_characters="\0\r"))))
def test_quoted_words_come_back(given_words):
    line = shlex.join(given_words)
    assert words(line) == given_words
