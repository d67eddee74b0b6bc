"""``--every-line``: run the commands of tutorials and chapters that take seconds, too."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every-line", action="store_true", help="run the slow commands of tutorials, too")
