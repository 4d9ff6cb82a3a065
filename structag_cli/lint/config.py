"""Settings of a project: ``structag.toml``, or ``[tool.structag.lint]`` in ``pyproject.toml``."""

from __future__ import annotations

import glob
import os
import sys
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import fields

from structag_cli.errors import InputError, UsageError
from structag_cli.lint.selection import rule_codes
from structag_cli.place import Place

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_PROJECT = "pyproject.toml"
Word = Literal["info", "warning", "error"]
FailOn = Literal["info", "warning", "error", "never"]


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What a project's file may set; the command line beats it."""

    parser: str | None = None
    grammar: str | None = None
    deployment: str | None = None
    target: str | None = None
    tokenizer: str | None = None
    template: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Word | None = None
    fail_on: FailOn | None = None
    deep: bool | None = None
    seconds: Annotated[float, Meta(gt=0)] | None = None
    baseline: str | None = None
    per_file_ignores: dict[str, tuple[str, ...]] = {}


def read_config(path: str | None = None) -> Config:
    """The settings in a file, or in the nearest one at or above the current folder.

    Raises:
        InputError: the file is no TOML, or sets something that does not exist.
    """
    if path is not None:
        found = _from_file(Path(path))
        if found is None:
            message, mend = "no settings of lint in it", "[tool.structag.lint], or [lint]"
            raise InputError(message, place=Place(path), mend=mend)
        return found
    here = Path.cwd()
    for folder in (here, *here.parents):
        for name in ("structag.toml", _PROJECT):
            found = _from_file(folder / name) if (folder / name).is_file() else None
            if found is not None:
                return found
    return Config()


def _from_file(path: Path) -> Config | None:
    """The settings of one file; ``None`` where it has no table for them."""
    try:
        value: Any = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as err:
        raise InputError(f"cannot read: {err.strerror}", place=Place(str(path))) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as err:
        raise InputError(f"not TOML: {err}", place=Place(str(path))) from None
    value = _table(value, "tool", "structag", "lint") if path.name == _PROJECT else _own(value)
    if value is None:
        return None
    try:
        config = msgspec.convert(value, Config)
        for codes in (config.select, config.ignore, *config.per_file_ignores.values()):
            rule_codes(codes)
    except msgspec.ValidationError as err:
        mend = _mend(str(err))
        raise InputError(f"lint settings: {err}", place=Place(str(path)), mend=mend) from None
    except UsageError as err:
        place = Place(str(path))
        raise InputError(f"lint settings: {err.message}", place=place, mend=err.mend) from None
    return _beside(path, config)


def _mend(error: str) -> str:
    """The names or words that may stand there, where the error is about one."""
    if "unknown field" in error:
        return f"known are {', '.join(field.encode_name for field in fields(Config))}"
    key = error.rpartition("$.")[2].rstrip("`")
    words = {"severity": get_args(Word), "fail-on": get_args(FailOn)}.get(key, ())
    return f"known are {', '.join(words)}" if words else ""


def _own(value: Any) -> Any:
    """The settings in a file of ours, whose table may have its full name as well."""
    found = _table(value, "lint")
    return _table(value, "tool", "structag", "lint") if found is None else found


def _table(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _beside(path: Path, config: Config) -> Config:
    """The settings with names of files as seen from the current folder, not from theirs."""

    def seen(name: str | None) -> str | None:
        if name is None or os.path.isabs(name):
            return name
        return os.path.relpath(path.parent / name)

    def found(name: str | None) -> str | None:
        """What may be a name of another kind, which is no path."""
        return seen(name) if name is not None and (path.parent / name).exists() else name

    return msgspec.structs.replace(
        config,
        grammar=seen(config.grammar),
        deployment=seen(config.deployment),
        template=seen(config.template),
        tokenizer=found(config.tokenizer),
        baseline=seen(config.baseline),
        per_file_ignores={
            written: codes
            for pattern, codes in config.per_file_ignores.items()
            for written in (
                pattern,
                os.path.join(glob.escape(os.path.relpath(path.parent)), pattern),
            )
        },
    )
