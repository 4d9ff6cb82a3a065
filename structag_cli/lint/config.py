"""Settings of a project: ``structag.toml``, or ``[tool.structag.lint]`` in ``pyproject.toml``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from structag_cli.errors import InputError
from structag_cli.place import Place

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Word = Literal["info", "warning", "error"]


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
    fail_on: Literal["info", "warning", "error", "never"] | None = None
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
        return _from_file(Path(path)) or Config()
    here = Path.cwd()
    for folder in (here, *here.parents):
        for name in ("structag.toml", "pyproject.toml"):
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
    tables = ("lint",) if path.name == "structag.toml" else ("tool", "structag", "lint")
    for table in tables:
        value = value.get(table) if isinstance(value, dict) else None
    if value is None:
        return None
    try:
        return msgspec.convert(value, Config)
    except msgspec.ValidationError as err:
        raise InputError(f"lint settings: {err}", place=Place(str(path))) from None
