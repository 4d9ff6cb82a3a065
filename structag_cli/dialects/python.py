"""Tools from Python: pydantic models and typed functions, by import."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from structag_cli.errors import InputError
from structag_cli.place import Place
from structag_cli.request import Tool

_KINDS = "a pydantic model, a typed function, or a list of these"


def python_tools(spec: str) -> tuple[Tool, ...]:
    """The tools that ``module:attribute`` names. Importing runs the user's code.

    Raises:
        InputError: there is no such module or attribute, its import fails, or it is not
            something that a tool can be made of.
    """
    place = Place(spec)
    module, colon, attribute = spec.partition(":")
    if not (module and colon and attribute):
        raise InputError("not module:attribute", place=place, mend="e.g. myapp.tools:get_weather")
    found = _attribute(_import(module, place), attribute, place)
    listed = list(found) if isinstance(found, (list, tuple)) else [found]
    return tuple(_tool(item, place) for item in listed)


def _import(module: str, place: Place) -> Any:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as err:  # a module may raise anything, SystemExit included
        missing = getattr(err, "name", None) if isinstance(err, ModuleNotFoundError) else None
        if missing and f"{module}.".startswith(f"{missing}."):
            mend = "it is looked for in the current folder, then where Python looks"
            raise InputError(f"no module named {missing}", place=place, mend=mend) from None
        raise InputError(f"import fails: {type(err).__name__}: {err}", place=place) from None


def _attribute(module: Any, attribute: str, place: Place) -> Any:
    found = module
    for name in attribute.split("."):
        try:
            found = getattr(found, name)
        except Exception:
            message = f"module {module.__name__} has no {attribute}"
            raise InputError(message, place=place) from None
    return found


def _tool(item: Any, place: Place) -> Tool:
    import pydantic

    doc = None
    if inspect.isclass(item) and issubclass(item, pydantic.BaseModel):
        # Its docstring is in the schema; inspect would give BaseModel's own for want of one.
        name, make = item.__name__, _model_schema(item)
    elif inspect.isfunction(item) or inspect.ismethod(item):
        name, make, doc = item.__name__, _function_schema(item), inspect.getdoc(item)
    else:
        raise InputError(f"{item!r:.60} is not {_KINDS}", place=place)
    try:
        schema = make()
    except Exception as err:
        raise InputError(f"{name} has no JSON schema: {err}", place=place) from None
    schema.pop("title", None)
    description = schema.pop("description", None) or doc
    return Tool(name, description, schema, None, place)


def _model_schema(model: Any) -> Callable[[], dict[str, Any]]:
    return lambda: dict(model.model_json_schema())


def _function_schema(function: Callable[..., Any]) -> Callable[[], dict[str, Any]]:
    """The schema of a function's parameters, as pydantic validates calls of it."""

    def make() -> dict[str, Any]:
        import pydantic

        parameters = inspect.signature(function).parameters.values()
        if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
            raise TypeError("*args and **kwargs have no schema")
        if any(p.kind is p.POSITIONAL_ONLY for p in parameters):
            raise TypeError("positional-only parameters have no names to call by")
        adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(function)  # type: ignore[arg-type]
        return adapter.json_schema()

    return make
