"""``structag lint --fix`` and ``--diff``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from structag_cli.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from structag_cli.lint.fixes.files import FileMends
    from structag_cli.lint.selection import Selection
    from structag_cli.lint.subject import Settings


def check_use(paths: list[str], *, fix: bool, diff: bool, baseline: str | None) -> None:
    """Refuse what cannot go together.

    Raises:
        UsageError: it cannot.
    """
    if fix and diff:
        raise UsageError("--fix and --diff exclude each other", mend="--fix shows the diff, too")
    if fix and "-" in paths:
        raise UsageError("stdin cannot be mended in place", mend="--diff prints a patch of it")
    if baseline is not None:
        option = "--fix" if fix else "--diff"
        raise UsageError(f"--write-baseline with {option}", mend="run one after the other")


def print_diff(
    paths: list[str],
    settings: Settings,
    selection: Selection,
    output: str | None,
    *,
    quiet: bool = False,
) -> None:
    """Print a patch of all mends.

    Raises:
        typer.Exit: there are some, or something cannot be read, status 1.
    """
    from structag_cli.commands.output import result_stream, talk
    from structag_cli.lint.fixes.files import mend_files

    total = files = unread = 0
    with result_stream(output) as stream:
        for each in mend_files(paths, settings, selection, write=False):
            stream.write(each.diff)
            total += each.mended.count
            files += bool(each.diff)
            _tell_refused(each, quiet)
            unread += len(each.mended.troubles)
            for trouble in each.mended.troubles:
                talk(f"{trouble.place}: {trouble.message}")
    talk(_counted(total, files, "can be mended"), quiet=quiet)
    if files or unread:
        raise typer.Exit(int(ExitCode.FAILED))


def fix_files(
    paths: list[str], settings: Settings, selection: Selection, *, quiet: bool = False
) -> None:
    """Mend the files, and show on stderr what changed."""
    from structag_cli.commands.output import talk
    from structag_cli.lint.fixes.files import mend_files

    total = files = 0
    for each in mend_files(paths, settings, selection, write=True):
        talk(each.diff.removesuffix("\n"), quiet=quiet or not each.diff)
        total += each.mended.count
        files += bool(each.diff)
        _tell_refused(each, quiet)
    talk(_counted(total, files, "mended"), quiet=quiet)


def _counted(findings: int, files: int, what: str) -> str:
    from structag_cli.emit.words import counted

    return f"{counted(findings, 'finding')} {what} in {counted(files, 'file')}"


def _tell_refused(each: FileMends, quiet: bool) -> None:
    """Say which mends were not made, and why."""
    from structag_cli.commands.output import talk

    for finding, why in each.mended.refused:
        talk(f"{finding.place}: {finding.code} is not mended: {why}", quiet=quiet)
