"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the large corpora, beside the checkout or where the environment says."""
    folder = Path(os.environ.get("STRUCTAG_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no corpora at {folder} (STRUCTAG_SHARED names their folder)")
    return folder
