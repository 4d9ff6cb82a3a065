"""The list of parser names without a grammar."""

from __future__ import annotations

import pytest

from structag_cli.formats.names import names_of_release, names_without_grammar, releases
from structag_cli.formats.registry import grammars


@pytest.mark.parametrize("release", releases())
def test_every_name_of_a_release_is_known(release: str) -> None:
    dynamo = {name for grammar in grammars() for name in grammar.names.get("dynamo", ())}
    bare = {n for n, info in names_without_grammar().items() if "dynamo" in info.engines}
    assert set(names_of_release(release)) <= dynamo | bare
    assert not dynamo & bare


def test_grammars_claim_no_name_that_dynamo_lacks() -> None:
    known = set(names_of_release("dynamo-1.6.1"))
    assert {n for g in grammars() for n in g.names.get("dynamo", ())} <= known


@pytest.mark.parametrize(
    ("profile", "release"), [("dynamo-1.3", "dynamo-1.3.1"), ("dynamo-1.6", "dynamo-1.6.1")]
)
def test_profiles_name_only_parsers_of_their_release(profile: str, release: str) -> None:
    known = set(names_of_release(release))
    for grammar in grammars():
        support = grammar.profiles.get(profile)
        assert support is None or set(support.names) <= known


def test_names_with_a_grammar_are_not_listed_again() -> None:
    with_grammar = {name for grammar in grammars() for name in grammar.engine_names()}
    assert not with_grammar & set(names_without_grammar())


def test_recorded_releases_agree_with_the_full_lists() -> None:
    for name, info in names_without_grammar().items():
        listed = {r.removeprefix("dynamo-") for r in releases() if name in names_of_release(r)}
        assert set(info.engines.get("dynamo", ())) == listed, name
