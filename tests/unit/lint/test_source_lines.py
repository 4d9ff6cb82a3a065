"""The source lines that text output shows, read on from the last one."""

from __future__ import annotations

import os

import pytest

from structag_cli.lint.report.text import _line


@pytest.mark.parametrize("order", [(1, 2, 3, 4, 5, 6), (6, 1, 3, 3, 2, 5), (9, 4, 1)])
def test_lines_in_any_order(tmp_path, order) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\n\nZ\xc3\xbcrich \xe2\x80\xa8\n\xff\nlast")
    lines = {1: "one", 2: "", 3: "Zürich \u2028", 4: "\ufffd", 5: "last"}
    assert [_line(str(path), number) for number in order] == [lines.get(n, "") for n in order]


def test_a_file_that_changed_is_read_anew(tmp_path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\ntwo\n")
    assert _line(str(path), 2) == "two"
    path.write_text("a longer first line\nanother\n")
    assert _line(str(path), 2) == "another"


def test_no_pipe_is_waited_for(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert _line(str(tmp_path / "pipe"), 1) == ""
    assert _line(str(tmp_path / "missing"), 1) == ""
