"""The rig most tests of the recorder sit at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.recorder_rig import BUY, RecorderRig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[RecorderRig]:
    one = RecorderRig(tmp_path)
    one.screen(40, BUY)
    yield one
    one.close()
