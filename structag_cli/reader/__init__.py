"""The grammar file in the other directions: calls to text, and text to calls."""

from structag_cli.reader.read import read_calls
from structag_cli.reader.render import render_calls
from structag_cli.reader.values import Call, Problem, ReadCall, Reading

__all__ = ["Call", "Problem", "ReadCall", "Reading", "read_calls", "render_calls"]
