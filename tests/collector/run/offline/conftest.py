"""A shop in memory with golden trajectories, whose waits are left out."""

from __future__ import annotations

import pytest

from collector.recorder import observer
from collector.replay import action_executor
from collector.run.cycle import episode_screens
from tests.helpers.cycle_room import CycleRoom
from tests.helpers.offline_room import OfflineRoom


@pytest.fixture
def offline(tmp_path, monkeypatch):
    monkeypatch.setattr(observer, "PAUSE_S", 0.0)
    monkeypatch.setattr(action_executor, "TAP_MS", 0)
    monkeypatch.setattr(episode_screens, "EFFECT_S", 0.0)
    return OfflineRoom(CycleRoom(tmp_path / "shop"))
