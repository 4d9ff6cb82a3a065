"""Checks that a wheel holds every grammar, the demo's tools, the data files and the type marker."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(wheel: str) -> int:
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"structag_cli/_grammars/{path.name}" for path in ROOT.glob("grammars/*.yaml")}
    wanted.add("structag_cli/_examples/weather.json")
    package = ROOT / "structag_cli"
    wanted |= {
        path.relative_to(ROOT).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    missing = sorted(wanted - names)
    if missing:
        print(f"{wheel} lacks {', '.join(missing)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
