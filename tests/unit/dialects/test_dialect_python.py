"""Tools from modules in the current folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from structag_cli.dialects.python import python_tools
from structag_cli.errors import InputError

MODULE = '''
from typing import Literal, Optional
import pydantic

class Bare(pydantic.BaseModel):
    x: int

class Nested(pydantic.BaseModel):
    """Has a child."""
    child: Bare
    kind: Literal["a", "b"] = "a"

def plain(city: str, unit: Literal["C", "F"] = "C", when: Optional[str] = None) -> str:
    """Weather.

    More about it.
    """
    return city

async def later(model: Nested) -> None: ...

def untyped(a, b=1): ...

def keyed(*, only: int) -> None: ...

def positional(a: int, /) -> None: ...

def spread(**options: int) -> None: ...

def odd(a: "NoSuchType") -> None: ...

def opaque(a: object()) -> None: ...

class Holder:
    @staticmethod
    def inside(a: int) -> None:
        """Inside."""

    @property
    def boom(self):
        raise RuntimeError("no")

holder = Holder()
TOOLS = [plain, Nested]
PAIR = (Bare, later)
EMPTY = []
NUMBER = 3
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "structag_test_tools.py").write_text(MODULE)
    (tmp_path / "structag_test_raises.py").write_text("1 / 0")
    (tmp_path / "structag_test_exits.py").write_text("import sys; sys.exit(3)")
    (tmp_path / "structag_test_needs.py").write_text("import structag_test_absent")
    (tmp_path / "structag_test_syntax.py").write_text("def (")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p != str(tmp_path)])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield "structag_test_tools"
    for name in [n for n in sys.modules if n.startswith("structag_test_")]:
        del sys.modules[name]


def test_a_function(module: str) -> None:
    (tool,) = python_tools(f"{module}:plain")
    assert (tool.name, tool.description) == ("plain", "Weather.\n\nMore about it.")
    assert tool.parameters["required"] == ["city"]
    assert tool.parameters["properties"]["unit"]["enum"] == ["C", "F"]
    assert tool.parameters["type"] == "object"
    assert (tool.strict, tool.place.file) == (None, f"{module}:plain")


def test_models(module: str) -> None:
    (bare,) = python_tools(f"{module}:Bare")
    (nested,) = python_tools(f"{module}:Nested")
    assert (bare.name, bare.description, bare.parameters["required"]) == ("Bare", None, ["x"])
    assert (nested.name, nested.description) == ("Nested", "Has a child.")
    assert nested.parameters["$defs"]["Bare"]["properties"] == bare.parameters["properties"]
    assert "title" not in nested.parameters


@pytest.mark.parametrize(
    ("attribute", "names"),
    [
        ("TOOLS", ["plain", "Nested"]),
        ("PAIR", ["Bare", "later"]),
        ("EMPTY", []),
        ("Holder.inside", ["inside"]),
        ("untyped", ["untyped"]),
        ("keyed", ["keyed"]),
    ],
)
def test_what_holds_tools(module: str, attribute: str, names: list[str]) -> None:
    assert [tool.name for tool in python_tools(f"{module}:{attribute}")] == names


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("structag_test_tools:NUMBER", "3 is not a pydantic model, a typed function"),
        ("structag_test_tools:spread", "spread has no JSON schema: *args and **kwargs"),
        ("structag_test_tools:positional", "positional has no JSON schema: positional-only"),
        ("structag_test_tools:odd", "odd has no JSON schema: "),
        ("structag_test_tools:opaque", "opaque has no JSON schema: "),
        ("structag_test_tools:holder.boom", "module structag_test_tools has no holder.boom"),
        ("structag_test_tools:none", "module structag_test_tools has no none"),
        ("structag_test_tools:", "not module:attribute"),
        (":x", "not module:attribute"),
        (".relative:x", "import fails: TypeError: "),
        ("structag_test_absent:x", "no module named structag_test_absent (it is looked for in"),
        ("structag_test_tools.sub:x", "no module named structag_test_tools.sub ("),
        ("structag_test_needs:x", "import fails: ModuleNotFoundError: No module named 'struct"),
        ("structag_test_raises:x", "import fails: ZeroDivisionError: division by zero"),
        ("structag_test_exits:x", "import fails: SystemExit: 3"),
        ("structag_test_syntax:x", "import fails: SyntaxError: "),
    ],
)
@pytest.mark.usefixtures("module")
def test_faults(spec: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        python_tools(spec)
    assert str(caught.value).startswith(f"{spec}: {message}")
    assert "\n" not in str(caught.value)
