"""``--with-pip``: install the wheel with pip, as a user does, and not with uv from its cache."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--with-pip", action="store_true", help="install the wheel with pip (slow)")
