"""Runs structag on one hostile file, in this process, and says what went wrong."""

from __future__ import annotations

import json
import os
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from structag_cli.errors import StructagError
from structag_cli.lint.run import lint
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings
from tests.fuzz.mutations import mutant
from tests.fuzz.seeds import seeds

LIMIT = 5.0
"""Seconds that a file may take beside the deep rules."""

_NEIGHBOUR = [{"name": "bad name", "description": "d", "parameters": {"type": "object"}}]


class TooLong(BaseException):
    """A file took more than its time; no ``except Exception`` may hide that."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop what takes longer, where Python gets to run."""

    def stop(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def write_mutant(number: int, folder: Path, kinds: tuple[str, ...] = ()) -> Path:
    """The hostile file of a number: the same one each time. ``kinds``: of seeds to start from."""
    random = Random(number)
    chosen = [seed for seed in seeds() if not kinds or seed.kind in kinds]
    seed = chosen[number % len(chosen)]
    path = folder / f"f{number}-{seed.kind}{seed.suffix}"
    path.write_bytes(mutant(seed, random))
    return path


def lint_trouble(path: Path, settings: Settings, limit: float = LIMIT) -> str:
    """What is wrong with how a file is linted beside a neighbour; empty where nothing is."""
    neighbour = path.parent / "neighbour.json"
    neighbour.write_text(json.dumps(_NEIGHBOUR))
    start = time.monotonic()
    try:
        with time_limit(limit):
            found = list(lint([str(path), str(neighbour)], settings, Selection()))
    except TooLong:
        where = traceback.format_exc(limit=-6)
        return f"{path.name}: over {limit} s\n{where}"
    except Exception:
        return f"{path.name}: {traceback.format_exc(limit=-6)}"
    if time.monotonic() - start > limit:
        return f"{path.name}: took {time.monotonic() - start:.1f} s"
    for finding in found:
        json.dumps(finding.to_json(), allow_nan=False).encode()
        if finding.code == "E004":
            return f"{path.name}: {finding.message}"
    if not any(f.code == "T002" and f.place.file == str(neighbour) for f in found):
        return f"{path.name}: the neighbour's finding is lost"
    return ""


def command_trouble(arguments: list[str], limit: float = LIMIT) -> str:
    """What is wrong with how a command ends; empty for a result or a clean error."""
    from structag_cli.cli import make_app

    said = " ".join(arguments)
    try:
        with time_limit(limit), open(os.devnull, "w") as nowhere:
            _run(make_app(arguments[0]), arguments, nowhere)
    except TooLong:
        return f"{said}: over {limit} s\n{traceback.format_exc(limit=-6)}"
    except StructagError as err:
        return "" if str(err).strip() else f"{said}: an error without a message"
    except (RecursionError, MemoryError):
        return ""  # the command line turns both into an error
    except Exception:
        return f"{said}: {traceback.format_exc(limit=-6)}"
    return ""


def _run(app: Any, arguments: list[str], nowhere: Any) -> None:
    from contextlib import redirect_stderr, redirect_stdout

    with redirect_stdout(nowhere), redirect_stderr(nowhere):
        try:
            app(arguments)
        except SystemExit:
            return


def deep_neighbour(number: int) -> list[dict[str, Any]]:
    """A tool whose fault only the deep rules find; no two are the same."""
    constraint = {"type": "string", "not": {"const": f"v{number}"}}
    parameters = {"type": "object", "properties": {"a": constraint}, "required": ["a"]}
    return [{"name": "bad name", "description": "d", "parameters": parameters}]
