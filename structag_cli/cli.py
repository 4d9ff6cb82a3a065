"""The ``structag`` command: wiring alone. Commands live in ``structag_cli.commands``."""

from __future__ import annotations

import contextlib
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
    """Run the app; leave at once where native libraries would print at their end.

    The bindings of triton, which transformers loads, report leaks to stderr when the
    interpreter tears them down.
    """
    # Shell completion asks for all commands, and names none on the command line.
    chosen = sys.argv[1] if len(sys.argv) > 1 and "_STRUCTAG_COMPLETE" not in os.environ else None
    if chosen in WATCHED:
        watch.start()
    try:
        make_app(chosen)()
    except SystemExit as stop:
        if "triton" not in sys.modules:
            raise
        sys.stdout.flush()
        sys.stderr.flush()
        code = stop.code
        os._exit(code if isinstance(code, int) else int(code is not None))


def _drop_stdout() -> None:
    """Keep the interpreter from flushing at its end into what cannot be written."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run the command line; the only place that prints errors and exits."""
    for stream in (sys.stdout, sys.stderr):
        # Markers and argument values are not ASCII, whatever the locale says.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        _run()
    except StructagError as err:
        print(f"error: {err}", file=sys.stderr)
        raise SystemExit(int(err.exit_code)) from None
    except BrokenPipeError:
        # The reader went away (`| head`): not an error of ours.
        _drop_stdout()
        raise SystemExit(int(ExitCode.OK)) from None
    except OSError as err:
        # What no command foresees: a full disk under stdout, a current folder that is gone.
        where = f"{err.filename}: " if err.filename else ""
        print(f"error: {where}{err.strerror or err}", file=sys.stderr)
        _drop_stdout()
        raise SystemExit(int(ExitCode.USAGE)) from None
    except RecursionError:
        print("error: the input is nested too deeply (flatten it)", file=sys.stderr)
        raise SystemExit(int(ExitCode.USAGE)) from None
    except MemoryError:
        print("error: out of memory (try a smaller input)", file=sys.stderr)
        raise SystemExit(int(ExitCode.USAGE)) from None
