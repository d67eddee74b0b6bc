"""The hook that ``forked_workers`` adds to those of pytest."""

from __future__ import annotations

import pytest


def pytest_worker_begin(config: pytest.Config) -> None:
    """A forked worker begins: make its own what no two workers may share."""
