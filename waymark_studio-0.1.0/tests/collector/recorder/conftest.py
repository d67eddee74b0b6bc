"""The rig most tests of the recorder sit at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.recorder_rig import BUY, RecorderRig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[RecorderRig]:
    recorder_rig = RecorderRig(tmp_path)
    recorder_rig.screen(40, BUY)
    yield recorder_rig
    recorder_rig.close()
