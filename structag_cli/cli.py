"""The ``structag`` command: wiring alone. Commands live in ``structag_cli.commands``."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from importlib import import_module
from typing import Annotated

import typer

from structag_cli import __version__, watch
from structag_cli.errors import ExitCode, StructagError

COMMANDS = {
    "demo": "demo:demo",
    "build": "build:build",
    "show": "show:show",
    "explain": "explain:explain",
    "parsers": "parsers:parsers",
    "lint": "lint:lint",
    "check": "check:check",
    "rule": "rule:rule",
    "mask": "mask:mask",
    "generate": "generate:generate",
    "prefix": "prefix:prefix",
    "init": "init:init",
    "tokenizers": "tokenizers:tokenizers",
    "grammar": "grammar:app",
    "cache": "tokenizers:cache",
}
"""Every command: its module in ``structag_cli.commands`` and the function or group in it."""

_NOT_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""What a write to a stream meets; a file has its name in the error."""

WATCHED = ("demo", "build", "show", "check", "mask", "generate")
"""Commands that run the engine in their own process; lint has workers for that."""


def make_app(chosen: str | None = None) -> typer.Typer:
    """The command line, with all commands or one.

    Building the options of a command takes typer milliseconds, so a run that names its
    command builds that one alone.
    """
    app = typer.Typer(
        name="structag",
        help=root.__doc__,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(root)
    for name in [chosen] if chosen in COMMANDS else COMMANDS:
        module, _, attribute = COMMANDS[name].partition(":")
        found = getattr(import_module(f"structag_cli.commands.{module}"), attribute)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name)
        else:
            app.command(name)(found)
    return app


def _version(value: bool) -> None:
    if value:
        typer.echo(f"structag {__version__}")
        raise typer.Exit


def root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Build, inspect and verify xgrammar structural tags for LLM tool calling."""


def _run() -> None:
    """Run the app. What it printed is written when this ends, or why not is known."""
    # Shell completion asks for all commands, and names none on the command line.
    chosen = sys.argv[1] if len(sys.argv) > 1 and "_STRUCTAG_COMPLETE" not in os.environ else None
    if chosen in WATCHED:
        watch.start()
    try:
        make_app(chosen)()
    except SystemExit as stop:
        # typer ends with 1 where the reader of stdout or stderr went away.
        if isinstance(stop.__context__, BrokenPipeError):
            raise stop.__context__ from None
        sys.stdout.flush()
        raise


def _leave(stop: SystemExit) -> None:
    """Leave at once where native libraries would print at their end.

    The bindings of triton, which transformers loads, report leaks to stderr when the
    interpreter tears them down.
    """
    if "triton" not in sys.modules:
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(stop.code if isinstance(stop.code, int) else int(stop.code is not None))


def _prepare_streams() -> None:
    """Markers and argument values are not ASCII; and a caller may have closed a stream."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    # No file may get the number of a closed stream: what others print would go there.
    while (spare := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(spare)
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


class _Closed(io.StringIO):
    """Stands for a stdout that the caller has closed: a result has nowhere to go."""

    def write(self, _text: str) -> int:
        raise OSError(errno.EBADF, "stdout is closed")


def _forget_stdout() -> None:
    """Keep the interpreter from writing once more, at its end, what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def main() -> None:
    """Run the command line; the only place that prints errors and exits."""
    _prepare_streams()
    try:
        _guarded()
    except SystemExit as stop:
        _leave(stop)
        raise


def _of_system(err: OSError) -> str:
    reason = err.strerror or str(err)
    if err.filename:
        return f"{err.filename}: {reason}"
    return f"cannot write the output: {reason}" if err.errno in _NOT_WRITTEN else reason


def _tell(error: str) -> None:
    with contextlib.suppress(OSError):  # nobody may be there to read it
        print(f"error: {error}", file=sys.stderr)


def _guarded() -> None:
    try:
        _run()
    except StructagError as err:
        _tell(str(err))
        raise SystemExit(int(err.exit_code)) from None
    except BrokenPipeError:
        # The reader went away (`| head`): not an error of ours.
        _forget_stdout()
        raise SystemExit(int(ExitCode.OK)) from None
    except OSError as err:
        # What no command foresees: a full disk under stdout, a current folder that is gone.
        _tell(_of_system(err))
        _forget_stdout()
        raise SystemExit(int(ExitCode.USAGE)) from None
    except RecursionError:
        _tell("the input is nested too deeply (flatten it)")
        raise SystemExit(int(ExitCode.USAGE)) from None
    except MemoryError:
        _tell("out of memory (try a smaller input)")
        raise SystemExit(int(ExitCode.USAGE)) from None
