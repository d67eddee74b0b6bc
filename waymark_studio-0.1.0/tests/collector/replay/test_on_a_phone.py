"""Golden trajectories recorded and replayed on a virtual phone, through a real adb."""

from __future__ import annotations

import pytest

from collector.device.input.input_sinks import ShellInput
from collector.judge.replay_verdict import BY_LAST_STATE
from collector.replay.outcomes import ReplayStage, ReplayStatus
from collector.replay.phone import ReplayPhone
from collector.replay.replay import Replay
from collector.replay.replay_options import ReplayOptions
from tests.helpers.golden import seen

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone", "virtual", "scrcpy")
_DIALOG = "am start -n com.example.adbsmarttest/.LowBatteryActivity --es param_title 'Battery almost empty'"


def test_what_was_recorded_is_done_again(device, phone, recording):
    result = Replay(recording, phone, ReplayOptions(fresh=True)).run()
    assert result.status is ReplayStatus.DONE, result
    assert len(result.steps) == 6
    assert result.verdict.by == BY_LAST_STATE
    assert result.verdict.share == 1.0


def test_it_is_done_with_the_input_command_too(phone, recording):
    plain = ReplayPhone(phone.device, phone.trees, ShellInput(phone.device))
    assert Replay(recording, plain, ReplayOptions(fresh=True)).run().status is ReplayStatus.DONE


def test_a_dialog_in_front_stops_it_at_its_step(phone, recording):
    replay = Replay(recording, phone, ReplayOptions(fresh=True, patience_s=3.0))

    def interrupt(event):
        if (event.stage, event.step, event.outcome) == (ReplayStage.LOOKING, 2, None):
            # A touch is on its way for a moment: the form it opens would come to lie over the dialog.
            seen(replay.observer, "title")
            phone.device.shell(_DIALOG)

    replay.events.subscribe(interrupt)
    result = replay.run()
    phone.device.shell("am force-stop com.example.adbsmarttest")
    assert (result.status, result.stopped_at) == (ReplayStatus.DIVERGED, 2)
    assert result.last.divergence.reason == "app"
    assert "Battery almost empty" in result.last.problem
