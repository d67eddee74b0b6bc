"""Episodes on a phone in memory, whose waits are left out."""

from __future__ import annotations

import pytest

from collector.recorder import observer
from collector.replay import action_executor
from collector.run.cycle import action_runner as episode_hands
from collector.run.cycle import episode_screens
from tests.helpers.cycle_room import CycleRoom


@pytest.fixture
def room(tmp_path, monkeypatch):
    monkeypatch.setattr(observer, "PAUSE_S", 0.0)
    monkeypatch.setattr(action_executor, "TAP_MS", 0)
    monkeypatch.setattr(episode_screens, "EFFECT_S", 0.0)
    monkeypatch.setattr(episode_hands, "FOCUS_S", 0.0)
    return CycleRoom(tmp_path / "shop")
