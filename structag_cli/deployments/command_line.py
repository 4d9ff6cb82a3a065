"""From the words of one command to a worker: its engine, its settings, what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from structag_cli.deployments.flags import (
    BARE,
    ENGINE_PARSER,
    FLAGS,
    OTHERS,
    SPELLINGS,
    VARIABLES,
    Flag,
)
from structag_cli.deployments.model import UNKNOWN, Engine, Fault, Setting, Slip, Word, Worker
from structag_cli.deployments.values import BadValue, nearest, read_env, read_value, shown
from structag_cli.place import Place

_MODULES: dict[str, tuple[Engine, bool]] = {
    "dynamo.sglang": ("sglang", True),
    "dynamo.vllm": ("vllm", True),
    "dynamo.trtllm": ("trtllm", True),
    "dynamo.frontend": ("frontend", True),
    "dynamo.mocker": ("other", True),
    "sglang.launch_server": ("sglang", False),
    "sglang_router.launch_server": ("sglang", False),
    "vllm.entrypoints.openai.api_server": ("vllm", False),
    "tensorrt_llm.commands.serve": ("trtllm", False),
}
_PROGRAMS: dict[str, tuple[Engine, bool]] = {"trtllm-serve": ("trtllm", False)}
_OTHER_PROGRAMS = ("echo", "printf", "grep", "egrep", "pgrep", "pkill", "killall", "pip", "pip3")
"""Programs that are often given a server's name and start none."""
_RUNTIMES = ("docker", "podman", "nerdctl")
_BEFORE = ("export", "env", "exec", "sudo", "nohup", "time", "if", "while", "until", "then", "!")
_VLLM_IMAGE = re.compile(r"(^|/)vllm-openai([:@]|$)")
_SERVERS: dict[str, tuple[Engine, bool]] = {
    "vllm": ("vllm", False),
    "sglang": ("sglang", False),
}
_ALIASES = {"--tool-parser": ENGINE_PARSER}
"""Names of TensorRT-LLM's own server for flags of ours."""
_MORE_ARGUMENTS = re.compile(
    r"\$(@|\*|\{[@*]|\{\w+\[|\{?\w*(ARG|FLAG|OPT|EXTRA|PARAM))", re.IGNORECASE
)
_MODEL_FLAGS = ("--served-model-name", "--model-path", "--model")
_FLAG_CUTOFF = 0.86
_DYN_CUTOFF = 0.75


def engine_of(words: Sequence[Word]) -> tuple[Engine, bool] | None:
    """Which server the words start, and whether Dynamo runs it."""
    program = _program(words)
    if program in _OTHER_PROGRAMS:
        return None
    for index, word in enumerate(words):
        name = word.text.rpartition("/")[2]
        before = words[index - 1].text if index else ""
        following = words[index + 1].text if index + 1 < len(words) else ""
        if name in _SERVERS and following == "serve":
            return _SERVERS[name]
        if name in _PROGRAMS:
            return _PROGRAMS[name]
        if re.fullmatch(r"-[a-zA-Z]*m", before):
            for module, server in _MODULES.items():
                if name == module or name.startswith(module + "."):
                    return server
    if program in _RUNTIMES:
        return next((found for word in words if (found := server_of_image(word.text))), None)
    return None


def _program(words: Sequence[Word]) -> str:
    """The program of a command, after its assignments."""
    skipped = {at for at, _, _ in assignments(words)}
    first = (word.text for at, word in enumerate(words) if at not in skipped)
    return next((text for text in first if text not in _BEFORE), "").rpartition("/")[2]


def server_of_image(image: str) -> tuple[Engine, bool] | None:
    """The server that an image starts without a command of its own."""
    return ("vllm", False) if _VLLM_IMAGE.search(image) else None


def read_words(worker: Worker, words: Sequence[Word]) -> None:
    """Add to a worker what its arguments say. Faults are kept, not raised."""
    at = 0
    while at < len(words):
        at = _argument(worker, words, at)
    worker.model = worker.model or _model(worker, words)


def read_variable(worker: Worker, name: str, value: object, place: Word) -> None:
    """Add to a worker what one environment variable says.

    Args:
        worker: takes the setting or the fault.
        name: the variable.
        value: its value as the manifest has it; ``UNKNOWN`` where it comes from elsewhere.
        place: where it stands; its text is not used.
    """
    flag = VARIABLES.get(name)
    if flag is None:
        _misspelt_variable(worker, name, value, place)
        return
    worker.settings.append(
        Setting(flag.name, _env_value(worker, flag, value, place), place.place, name, True)
    )


def _env_value(worker: Worker, flag: Flag, value: object, place: Word) -> object:
    if value is UNKNOWN:
        return UNKNOWN
    if not isinstance(value, str):
        shape = "a number" if isinstance(value, (int, float)) else "no text"
        shape = "a boolean" if isinstance(value, bool) else shape
        message = f"the value of {flag.env} is {shape}; Kubernetes takes text alone"
        worker.faults.append(Fault("value", message, place.place, "quote it", Slip("quote")))
        return UNKNOWN
    try:
        return read_env(flag, value)
    except BadValue as bad:
        slip = Slip("value", value, flag.name)
        worker.faults.append(Fault("value", bad.message, place.place, bad.mend, slip))
        return UNKNOWN


def _misspelt_variable(worker: Worker, name: str, value: object, place: Word) -> None:
    near = nearest(name, VARIABLES, 0.85) if name.upper().startswith("DYN") else None
    if near is None:
        return
    message = f"nothing reads the variable {name}"
    slip = Slip("variable", name)
    worker.faults.append(Fault("name", message, place.place, f"did you mean {near}?", slip))
    flag = VARIABLES[near]
    meant = _quiet_env(flag, value) if isinstance(value, str) else UNKNOWN
    worker.settings.append(Setting(flag.name, meant, place.place, name, True, True))


def _quiet_env(flag: Flag, value: str) -> object:
    try:
        return read_env(flag, value)
    except BadValue:
        return UNKNOWN


def _argument(worker: Worker, words: Sequence[Word], at: int) -> int:
    """Read the argument at an index; returns the index after it and its value."""
    word = words[at]
    if not word.text.startswith("--"):
        if _MORE_ARGUMENTS.match(word.text):
            worker.opaque.append(word)
        return at + 1
    name, equals, value = word.text.partition("=")
    name = _hyphened(worker, name)
    if any(space in name for space in " \t\n"):
        return _one_argument(worker, word, at)
    if name in BARE:
        worker.bare[name] = word.place
        return at + 1
    flag = SPELLINGS.get(name)
    if flag is None:
        return _unknown(worker, words, at)
    given = Word(value, word.place) if equals else None
    return _known(worker, flag, name, given, words, at)


def _hyphened(worker: Worker, name: str) -> str:
    """The plain name of an engine's flag: vLLM's and trtllm-serve's may have underscores."""
    if worker.engine != "vllm" and (worker.engine != "trtllm" or worker.dynamo):
        return name
    plain = name.replace("_", "-")
    if worker.engine == "trtllm":
        plain = _ALIASES.get(plain, plain)
    flag = SPELLINGS.get(plain)
    return plain if plain in BARE or (flag is not None and flag.home == "engine") else name


def _known(
    worker: Worker, flag: Flag, name: str, given: Word | None, words: Sequence[Word], at: int
) -> int:
    place = words[at].place
    if flag.kind == "switch":
        return _switch(worker, flag, name, given, words, at)
    taken = 0
    if given is None and _takes_next(flag, words, at):
        given, taken = words[at + 1], 1
    if given is None and flag.kind == "tag":
        given = Word("true", place)
    if given is None:
        message = f"{flag.name} has no value"
        worker.faults.append(Fault("value", message, place, _expects(flag), flag=place))
        value: object = UNKNOWN
    else:
        value = _value(worker, flag, given, place)
    worker.settings.append(Setting(flag.name, value, place, name))
    return at + 1 + taken


def _takes_next(flag: Flag, words: Sequence[Word], at: int) -> bool:
    if at + 1 >= len(words):
        return False
    text = words[at + 1].text
    return not text.startswith("-") or text.lstrip("-").isdigit()


def _switch(
    worker: Worker, flag: Flag, name: str, given: Word | None, words: Sequence[Word], at: int
) -> int:
    taken = 0
    if given is None and at + 1 < len(words):
        following = words[at + 1]
        if following.text.lower() in ("true", "false", "1", "0", "yes", "no", "on", "off"):
            given, taken = following, 1
    on: object = name == flag.name
    if given is not None:
        message = f"{name} is a switch and takes no value, not {shown(given.text)}"
        mend = f"{flag.name} turns it on, {flag.negated} off"
        slip = Slip("switch", given.text, flag.name, words[at].place) if name == flag.name else None
        worker.faults.append(
            Fault("value", message, given.place, mend, slip=slip, flag=words[at].place)
        )
        on = UNKNOWN
    worker.settings.append(Setting(flag.name, on, words[at].place, name))
    return at + 1 + taken


def _value(worker: Worker, flag: Flag, given: Word, place: Place) -> object:
    try:
        return read_value(flag, given.text)
    except BadValue as bad:
        slip = Slip("value", given.text, flag.name)
        fault = Fault("value", bad.message, given.place, bad.mend, slip=slip, flag=place)
        worker.faults.append(fault)
        return UNKNOWN


def _expects(flag: Flag) -> str:
    if flag.choices:
        return f"it takes {', '.join(flag.choices)}"
    return "give its value after it"


def _one_argument(worker: Worker, word: Word, at: int) -> int:
    """A flag and its value in one item of a list: the process sees one unknown argument."""
    first, *rest = word.text.split()
    flag = SPELLINGS.get(first.partition("=")[0])
    if flag is None:
        return at + 1
    message = f"{shown(word.text)} is one argument, with the space in it"
    mend = "write the flag and its value as two items, or with ="
    slip = Slip("joined", word.text, flag.name)
    worker.faults.append(Fault("name", message, word.place, mend, slip))
    _add_intended(worker, flag, first, rest[0] if rest else None, word)
    return at + 1


def _unknown(worker: Worker, words: Sequence[Word], at: int) -> int:
    """A flag that is none of ours: another of the engine's, or one of ours misspelt."""
    word = words[at]
    name, equals, value = word.text.partition("=")
    if name in OTHERS or (name.startswith("--no-") and f"--{name[5:]}" in OTHERS):
        return at + 1
    cutoff = _DYN_CUTOFF if name.lower().startswith("--dyn") else _FLAG_CUTOFF
    near = nearest(name, SPELLINGS, cutoff)
    if near is None or (near in _MODEL_FLAGS and "-" in name[2:]):
        return at + 1
    flag = SPELLINGS[near]
    message = f"there is no flag {name}"
    slip = Slip("flag", name)
    worker.faults.append(Fault("name", message, word.place, f"did you mean {near}?", slip))
    text = value if equals else None
    if text is None and flag.kind != "switch" and _takes_next(flag, words, at):
        text = words[at + 1].text
    _add_intended(worker, flag, near, text, word)
    return at + 1


def _add_intended(worker: Worker, flag: Flag, name: str, text: str | None, word: Word) -> None:
    """Take a misspelt flag for what it means, so that nothing else is found for its lack."""
    value: object = UNKNOWN
    if flag.kind == "switch":
        value = name == flag.name
    elif text is not None or flag.kind == "tag":
        try:
            value = read_value(flag, "true" if text is None else text)
        except BadValue:
            value = UNKNOWN
    worker.settings.append(Setting(flag.name, value, word.place, word.text, intended=True))


def _model(worker: Worker, words: Sequence[Word]) -> str | None:
    """What the worker serves, as far as its arguments say."""
    for flag in _MODEL_FLAGS:
        value = worker.value(flag)
        if isinstance(value, str):
            return value
    texts = [word.text for word in words]
    if "serve" in texts:
        following = texts[texts.index("serve") + 1 :]
        if following and not following[0].startswith("-"):
            return following[0]
    return None


def assignments(words: Sequence[Word]) -> Iterator[tuple[int, str, str]]:
    """The assignments that a shell command begins with: index, name and value."""
    for index, word in enumerate(words):
        if index == 0 and word.text in ("export", "env"):
            continue
        match = re.match(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", word.text, re.DOTALL)
        if match is None:
            return
        yield index, match.group(1), match.group(2)


def sets_variables_only(words: Sequence[Word], given: Sequence[object]) -> bool:
    """Whether a command does nothing but set variables, for what comes after it."""
    prefix = bool(words) and words[0].text == "export"
    return bool(given) and len(given) + prefix == len(words)


def take_stray(worker: Worker, words: Sequence[Word]) -> bool:
    """Whether a command is the flags of the one before it, cut off by a line's end.

    The flags are taken for what they mean, and the line is a fault.
    """
    if not words or SPELLINGS.get(words[0].text.partition("=")[0]) is None:
        return False
    message = f"{words[0].text} begins a command of its own: the flags do not reach the worker"
    mend = "end the line before it with a backslash, or put all on one line"
    worker.faults.append(Fault("name", message, words[0].place, mend))
    stray = Worker(worker.name, worker.place)
    read_words(stray, words)
    worker.settings += [replace(setting, intended=True) for setting in stray.settings]
    return True


def flags_of(worker: Worker) -> list[Flag]:
    """The flags that a worker sets, each once, in order."""
    return list(dict.fromkeys(FLAGS[setting.flag] for setting in worker.settings))
