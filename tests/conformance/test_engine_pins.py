"""The pins of engines as data: readable, in order, each release once, as the page shows them."""

import json
from importlib.resources import files
from itertools import pairwise

import engine_pins as script
import pytest
from packaging.requirements import Requirement
from packaging.version import Version

DATA = json.loads(files("structag_cli.lint").joinpath("engine_pins.json").read_text("utf-8"))
ENGINES = DATA["engines"]

pytestmark = pytest.mark.conformance


@pytest.mark.parametrize("engine", ENGINES)
def test_every_requirement_is_of_xgrammar_and_has_a_lower_bound(engine):
    for pin in ENGINES[engine]["pins"]:
        if pin["requires"] is None:
            continue
        needs = Requirement(pin["requires"])
        operators = [each.operator for each in needs.specifier]
        assert needs.name == "xgrammar"
        assert set(operators) <= {"==", ">=", "<"}
        assert len({"==", ">="} & set(operators)) == 1
        assert not any("*" in each.version for each in needs.specifier)


@pytest.mark.parametrize("engine", ENGINES)
def test_releases_are_stable_sorted_and_unique(engine):
    releases = [Version(each) for pin in ENGINES[engine]["pins"] for each in pin["releases"]]
    assert releases == sorted(set(releases))
    assert not any(each.is_prerelease or each.local for each in releases)


@pytest.mark.parametrize("engine", ENGINES)
def test_neighbours_differ_and_say_their_source(engine):
    pins = ENGINES[engine]["pins"]
    assert all(one["requires"] != other["requires"] for one, other in pairwise(pins))
    assert all(pin["releases"] for pin in pins)
    assert ENGINES[engine]["source"]


def test_dynamo_names_exact_releases_of_its_backends():
    releases = DATA["dynamo"]["releases"]
    assert [Version(each) for each in releases] == sorted({Version(each) for each in releases})
    for backends in releases.values():
        assert tuple(sorted(backends)) == tuple(sorted(script.BACKENDS))
        assert all(Version(release) for release in backends.values())


def test_the_page_shows_the_data():
    assert script.PAGE.read_text("utf-8") == script.page(DATA)


def test_releases_with_one_need_are_grouped_and_told_apart_again():
    needs = {"1.0": None, "1.1": "xgrammar==0.1.25", "1.2": "xgrammar==0.1.25", "1.3": None}
    pins = script._grouped(needs)
    assert [pin["releases"] for pin in pins] == [["1.0"], ["1.1", "1.2"], ["1.3"]]
    assert script._ungrouped({"engines": {"vllm": {"pins": pins}}}, "vllm") == needs


def test_two_needs_of_one_release_stop_the_script():
    with pytest.raises(SystemExit, match="in 2 ways"):
        script._only("vllm", "1.0", ["xgrammar==0.1.25", "xgrammar==0.1.26"])


def test_backends_are_read_without_their_extras():
    lines = ["vllm[flashinfer]==0.11.0; extra == 'vllm'", "numpy", "sglang==0.5.9"]
    assert script._backends(lines) == {"sglang": "0.5.9", "vllm": "0.11.0"}
