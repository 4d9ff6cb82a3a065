"""The ``structag`` command: wiring alone. Commands live in ``structag_cli.commands``."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from structag_cli import __version__
from structag_cli.errors import ExitCode, StructagError

app = typer.Typer(
    name="structag",
    help="Build, inspect and verify xgrammar structural tags for LLM tool calling.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"structag {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Build, inspect and verify xgrammar structural tags for LLM tool calling."""


def _register() -> None:
    from structag_cli.commands import (
        build,
        explain,
        generate,
        grammar,
        lint,
        mask,
        parsers,
        show,
        tokenizers,
    )

    app.command()(build.build)
    app.command()(show.show)
    app.command()(explain.explain)
    app.command()(parsers.parsers)
    app.command()(lint.lint)
    app.command()(mask.mask)
    app.command()(generate.generate)
    app.command()(tokenizers.tokenizers)
    app.add_typer(grammar.app, name="grammar")
    app.add_typer(tokenizers.cache, name="cache")


_register()


def _run() -> None:
    """Run the app; leave at once where native libraries would print at their end.

    The bindings of triton, which transformers loads, report leaks to stderr when the
    interpreter tears them down.
    """
    try:
        app()
    except SystemExit as stop:
        if "triton" not in sys.modules:
            raise
        sys.stdout.flush()
        sys.stderr.flush()
        code = stop.code
        os._exit(code if isinstance(code, int) else int(code is not None))


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
        # The reader went away (`| head`): not an error of ours. Keep the
        # interpreter from flushing into the closed pipe at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(int(ExitCode.OK)) from None
    except RecursionError:
        print("error: the input is nested too deeply (flatten it)", file=sys.stderr)
        raise SystemExit(int(ExitCode.USAGE)) from None
    except MemoryError:
        print("error: out of memory (try a smaller input)", file=sys.stderr)
        raise SystemExit(int(ExitCode.USAGE)) from None
