"""The desk most tests of the recorder sit at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.desk import BUY, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    one = Desk(tmp_path)
    one.screen(40, BUY)
    yield one
    one.close()
