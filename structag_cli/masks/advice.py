"""What to do about a ban, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from structag_cli.masks.bans import BanMode

REFUSED_BY_ENGINES = (
    "xgrammar refuses the whole tag, so it bans nothing",
    "SGLang aborts the request when its grammar does not compile",
    "vLLM checks tags without a tokenizer and refuses token strings even where they exist; "
    "its backend `auto` then falls to another backend (ai-dynamo/dynamo issue 12638)",
)
"""What a ban string that is no token comes to, by engine."""


def advise(modes: Sequence[BanMode]) -> list[str]:
    """Sentences for a person, the most important first."""
    by_name = {mode.mode: mode for mode in modes}
    token, string = by_name.get("token"), by_name.get("string")
    said: list[str] = []
    if token is not None:
        said += _on_token(token)
    if string is not None and not string.error:
        said += _on_string(string, token)
    said.append(
        "Keeping the tools in the prompt on none keeps the prefix for the KV cache, but the "
        "model still sees tools it must not call and may write around the ban; leaving them "
        "out (Dynamo's default) gives cleaner answers and breaks the shared prefix."
    )
    return said


def _on_token(mode: BanMode) -> list[str]:
    absent = [ban.string for ban in mode.bans if not ban.single_token]
    if mode.error and absent:
        return [
            f"A ban by token cannot work here: {_names(absent)} is not one token of this "
            f"vocabulary. {'; '.join(REFUSED_BY_ENGINES)}."
        ]
    if mode.error:
        return [f"The ban by token does not compile: {mode.error}."]
    leaking = [ban for ban in mode.bans if ban.leak.leaks]
    if not leaking:
        return ["The ban by token holds: no other tokens spell what it bans."]
    ways = sum(ban.leak.spellings for ban in leaking)
    read = any(ban.parsed_calls for ban in leaking)
    names = _names([ban.string for ban in leaking])
    text = f"The ban by token leaks: {ways} other spellings of {names} are allowed"
    return [text + (", and a text parser reads a call from them." if read else ".")]


def _on_string(mode: BanMode, token: BanMode | None) -> list[str]:
    said = []
    if mode.leaks:
        said.append("The ban by string leaks: see the witness.")
    elif token is not None and (token.leaks or token.error):
        said.append(f"Ban by string instead: no spelling is left{_cost(mode, token)}.")
    if mode.innocent:
        said.append(f"By string, these become impossible to write: {_names(mode.innocent)}.")
    return said


def _cost(mode: BanMode, token: BanMode) -> str:
    """The price of a step beside the other mode's, when it is more than noise."""
    if token.error or token.step_seconds <= 0:
        return ""
    ratio = mode.step_seconds / token.step_seconds
    if ratio <= 2:
        return ", and a step costs no more than by token"
    return f", and a step costs {ratio:.1f} times as much as by token"


def _names(items: Sequence[str]) -> str:
    return ", ".join(items)
