"""``structag mask``: what a tag lets a real tokenizer emit, and whether a ban bans."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from structag_cli.commands.options import RequestFlags, with_request_flags


class MaskFormat(str, Enum):
    """How the result is printed."""

    text = "text"
    json = "json"
    csv = "csv"


class BanModeName(str, Enum):
    """How a ban is made."""

    token = "token"
    string = "string"
    both = "both"


@with_request_flags
def mask(
    flags: RequestFlags,
    tokenizer: Annotated[
        list[str],
        typer.Option(
            "--tokenizer",
            "-T",
            help="A name of `structag tokenizers`, a folder, a file or a hub id in the local "
            "cache. Repeatable: several are compared.",
        ),
    ],
    tag: Annotated[
        str | None, typer.Option("--tag", help="A saved tag, instead of --parser and --tools.")
    ] = None,
    prefix: Annotated[
        str | None, typer.Option("--prefix", help="The mask after this text.")
    ] = None,
    prefix_file: Annotated[
        str | None, typer.Option("--prefix-file", help="The mask after this file's text.")
    ] = None,
    tokens: Annotated[
        str | None, typer.Option("--tokens", help="The mask after these ids: 1,2,3.")
    ] = None,
    token: Annotated[
        list[str] | None,
        typer.Option(
            "--token", help="Is this token (text or id) allowed, and if not, why? Repeatable."
        ),
    ] = None,
    walk: Annotated[
        str | None, typer.Option("--walk", help="Walk this saved output, token by token.")
    ] = None,
    ban: Annotated[
        list[str] | None,
        typer.Option("--ban", help="Ban this string, not what the parser bans. Repeatable."),
    ] = None,
    ban_mode: Annotated[
        BanModeName | None,
        typer.Option(
            "--ban-mode",
            help="For tool_choice none: by token (Dynamo), by string, or both side by side. "
            "[default: both; by token with a prefix or --walk]",
        ),
    ] = None,
    vocab_size: Annotated[
        int | None,
        typer.Option("--vocab-size", help="Width of the model's logits, padding included."),
    ] = None,
    self_check: Annotated[
        bool,
        typer.Option("--self-check", help="Try every token on the matcher; exit 1 on a mismatch."),
    ] = False,
    svg: Annotated[str | None, typer.Option("--svg", help="Also draw a picture here.")] = None,
    html: Annotated[str | None, typer.Option("--html", help="Also write a page here.")] = None,
    save: Annotated[
        str | None, typer.Option("--save", help="Also save the packed masks here (.npz).")
    ] = None,
    allow_download: Annotated[
        bool,
        typer.Option("--allow-download", help="Fetch hub ids that are not in the local cache."),
    ] = False,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Prepare the tokenizer anew and keep nothing.")
    ] = False,
    format: Annotated[
        MaskFormat, typer.Option("--format", "-f", help="How to print the result.")
    ] = MaskFormat.text,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the result.")] = False,
) -> None:
    """Show which tokens a tag allows on a tokenizer, and prove the leaks of a ban.

    With --tool-choice none: the ban report. Otherwise the mask at the start or after a
    prefix, or a walk over a saved output. --parser takes several names, by commas.
    """
    from structag_cli.commands.mask_run import MaskJob, run

    job = MaskJob(
        flags=flags,
        tokenizers=tuple(tokenizer),
        tag=tag,
        prefix=prefix,
        prefix_file=prefix_file,
        tokens=tokens,
        token=tuple(token or ()),
        walk=walk,
        ban=tuple(ban or ()),
        ban_mode=None if ban_mode is None else ban_mode.value,
        vocab_size=vocab_size,
        self_check=self_check,
        svg=svg,
        html=html,
        save=save,
        allow_download=allow_download,
        no_cache=no_cache,
        format=format.value,
        output=output,
        quiet=quiet,
    )
    code = run(job)
    if code:
        raise typer.Exit(int(code))
