"""Write ``docs/rules/`` from the rules, or with ``--check`` say whether it is up to date."""

import sys
from pathlib import Path

from structag_cli.lint.pages import page, table_of_rules
from structag_cli.lint.registry import rules

FOLDER = Path(__file__).parent.parent / "docs" / "rules"


def pages() -> dict[str, str]:
    found = {f"{rule.code}.md": page(rule) for rule in rules().values()}
    found["index.md"] = table_of_rules(list(rules().values()))
    return found


def main() -> int:
    wanted = pages()
    if "--check" in sys.argv:
        stale = [n for n, t in wanted.items() if not _same(FOLDER / n, t)]
        print("\n".join(f"stale: {name}" for name in stale) or "docs/rules is up to date")
        return bool(stale)
    FOLDER.mkdir(exist_ok=True)
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


def _same(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    raise SystemExit(main())
