"""Write ``structag_cli/lint/engine_pins.json``: which xgrammar each release of an engine needs.

Reads the metadata of every stable release from the package index, by pip, which fetches that
part of a wheel alone (``fast-deps``); a few hundred small downloads. For maintainers, by hand::

    python -m venv /tmp/pip && /tmp/pip/bin/pip install -U pip packaging
    /tmp/pip/bin/python scripts/engine_pins.py

Releases already in the file are not asked for again; ``--all`` asks for all of them. What could
not be read is named on stderr and left out. ``--table`` writes ``docs/reference/engine-pins.md``
from the file and needs no network; with ``--check`` it says whether that page is up to date.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "structag_cli" / "lint" / "engine_pins.json"
PAGE = ROOT / "docs" / "reference" / "engine-pins.md"

# The first release that is looked at: some way before each engine's first use of xgrammar.
ENGINES = {"vllm": "0.6.0", "sglang": "0.3.0"}
# Dynamo needs xgrammar only through these, which stand under the extra of each backend.
BACKENDS = ("vllm", "sglang", "tensorrt-llm")
SOURCE = "Requires-Dist in the metadata of each release's wheel for Linux x86_64 on PyPI"
PLATFORMS = [
    "linux_x86_64",
    *(f"manylinux{each}_x86_64" for each in ("1", "2010", "2014")),
    *(f"manylinux_2_{minor}_x86_64" for minor in range(17, 42)),
]

Needs = dict[str, str | None]


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--all", action="store_true", help="ask for known releases again")
    options.add_argument("--table", action="store_true", help="only write the page")
    options.add_argument("--check", action="store_true", help="with --table: only compare")
    chosen = options.parse_args()
    known = json.loads(DATA.read_text("utf-8")) if DATA.is_file() and not chosen.all else {}
    if chosen.table:
        return _write_page(known, check=chosen.check)
    _need_new_pip()
    engines = {}
    for name, first in ENGINES.items():
        pins = _needs(name, Version(first), _ungrouped(known, name))
        engines[name] = {"source": SOURCE, "pins": _grouped(pins)}
    dynamo = _dynamo(known.get("dynamo", {}).get("releases", {}))
    found = {
        "what": "The xgrammar that releases of engines need, and the engines that releases of "
        "Dynamo need, as their packages say. null: none. Written by scripts/engine_pins.py.",
        "engines": engines,
        "dynamo": {"source": SOURCE + ", by extra", "releases": dynamo},
    }
    DATA.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return _write_page(found, check=False)


def _need_new_pip() -> None:
    """Tried with pip 26; the ones before may download whole wheels, 400 MB each."""
    release = _pip("--version").stdout.split()[1:2]
    if not release or Version(release[0]) < Version("26"):
        raise SystemExit(f"pip {' '.join(release)} is too old: 26 or later")


def _needs(name: str, first: Version, known: Needs) -> Needs:
    """What each release needs of xgrammar; the releases that have been read before as they were."""
    found: Needs = {}
    for release in _releases(name):
        if Version(release) < first:
            continue
        if release in known:
            found[release] = known[release]
        elif (lines := _requirements(name, release)) is not None:
            found[release] = _only(name, release, [each for each in lines if _names(each)])
    return found


def _names(line: str) -> bool:
    return Requirement(line).name == "xgrammar"


def _only(name: str, release: str, lines: list[str]) -> str | None:
    """The one requirement; more than one would have to be understood first."""
    if len(lines) > 1:
        raise SystemExit(f"{name} {release} needs xgrammar in {len(lines)} ways: {lines}")
    return lines[0] if lines else None


def _dynamo(known: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """The exact release of each backend, by release of Dynamo."""
    found = {}
    for release in _releases("ai-dynamo"):
        backends = known.get(release)
        if backends is None and (lines := _requirements("ai-dynamo", release)) is not None:
            backends = _backends(lines)
        if backends:
            found[release] = backends
    return found


def _backends(lines: list[str]) -> dict[str, str]:
    needs = [Requirement(line) for line in lines]
    return {
        each.name: str(each.specifier).removeprefix("==")
        for each in sorted(needs, key=lambda each: each.name)
        if each.name in BACKENDS
    }


def _releases(name: str) -> list[str]:
    """The stable releases, the oldest first."""
    done = _pip("index", "versions", name, "--json")
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr.strip()}")
    return sorted(json.loads(done.stdout)["versions"], key=Version)


def _requirements(name: str, release: str) -> list[str] | None:
    """The ``Requires-Dist`` lines of a wheel; ``None`` where there is none to read."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = _pip(
            *("install", "--dry-run", "--no-deps", "--use-feature=fast-deps"),
            *("--ignore-installed", "--ignore-requires-python", "--target", folder),
            *("--only-binary", ":all:", "--python-version", "3.12"),
            *(f"--platform={each}" for each in PLATFORMS),
            *("--report", str(report), f"{name}=={release}"),
        )
        if done.returncode:
            print(f"{name} {release}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
            return None
        metadata = json.loads(report.read_text("utf-8"))["install"][0]["metadata"]
    return list(metadata.get("requires_dist", []))


def _pip(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _grouped(needs: Needs) -> list[dict[str, Any]]:
    """Runs of releases that need the same."""
    return [
        {"requires": text, "releases": [release for release, _ in run]}
        for text, run in groupby(needs.items(), key=lambda item: item[1])
    ]


def _ungrouped(known: dict[str, Any], name: str) -> Needs:
    pins = known.get("engines", {}).get(name, {}).get("pins", [])
    return {release: pin["requires"] for pin in pins for release in pin["releases"]}


def _write_page(found: dict[str, Any], *, check: bool) -> int:
    text = page(found)
    if check:
        same = PAGE.is_file() and PAGE.read_text("utf-8") == text
        print(f"{PAGE.relative_to(ROOT)} is {'up to date' if same else 'stale'}")
        return not same
    PAGE.write_text(text, encoding="utf-8")
    return 0


def page(found: dict[str, Any]) -> str:
    """The data as a page for people."""
    parts = [
        "# Engines and their xgrammar\n\n"
        "Which xgrammar each release of an engine needs, as its package says; what\n"
        "`structag lint --target vllm==X` [goes by](../guides/linting.md#for-the-release-that-runs)"
        ".\nGenerated by `scripts/engine_pins.py` from the releases' metadata on PyPI. Conditions "
        "on the\nprocessor are left out here, and so is SGLang's `runtime-common` extra, which "
        "held its\nxgrammar up to 0.5.2.\n"
    ]
    for name, engine in found["engines"].items():
        parts.append(f"\n## {name}\n\n| releases | xgrammar |\n|---|---|\n")
        parts += [f"| {runs} | {needs} |\n" for needs, runs in _rows(engine["pins"])]
    parts.append(
        "\n## tensorrt-llm\n\nOn PyPI it has no wheel whose requirements could be read: ask the "
        "installed one\n(`pip show xgrammar`) and lint with `--target xgrammar==X`.\n"
    )
    parts.append("\n## Dynamo\n\nThe engines that its extras bring (`pip install ai-dynamo[vllm]`)")
    parts.append(".\n\n| ai-dynamo | " + " | ".join(BACKENDS) + " |\n|---|" + "---|" * 3 + "\n")
    for release, backends in reversed(found["dynamo"]["releases"].items()):
        cells = " | ".join(backends.get(name, "") for name in BACKENDS)
        parts.append(f"| {release} | {cells} |\n")
    return "".join(parts)


def _rows(pins: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """What is needed and by which releases, the newest first."""
    rows = []
    for text, run in groupby(reversed(pins), key=lambda pin: _shown(pin["requires"])):
        releases = [release for pin in reversed(list(run)) for release in pin["releases"]]
        first, last = releases[0], releases[-1]
        rows.append((text, first if first == last else f"{first} to {last}"))
    return rows


def _shown(text: str | None) -> str:
    return "none" if text is None else f"`{','.join(_specifiers(text))}`"


def _specifiers(text: str) -> list[str]:
    """The bounds of a requirement, the lower one first."""
    return sorted(map(str, Requirement(text).specifier), reverse=True)


if __name__ == "__main__":
    raise SystemExit(main())
