"""The whole check on a virtual phone, by the command line: all works, and nothing of the phone is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from collector.cli.main import main
from collector.cli.verb_groups import device
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device_check.report_page import read_report
from collector.device_check.steps import video
from collector.device_check.steps.all_steps import STEPS
from collector.model.geometry import Size
from tests.helpers.phone_state import phone_state
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker")
assert main


def test_everything_works_on_a_virtual_phone_and_it_is_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(video, "_TOUCHES", 2)  # what is measured is not looked at here
    monkeypatch.setattr(video, "_SWIPES", 1)
    report = tmp_path / "phone.html"
    with virtual_device(size=Size(360, 800), density=160) as phone:
        AdbServer().connect(phone.address)
        over_adb = AdbDevice(phone.address)
        over_adb.shell("am start -n com.waymark.shop/.MainActivity")
        before = phone_state(over_adb, "com.waymark.maps")
        words = ["check", "--device", phone.address, "--yes", "--json", "--report", str(report)]
        result = CliRunner().invoke(device, words, standalone_mode=False)
        after = phone_state(over_adb, "com.waymark.maps")
        AdbServer().disconnect(phone.address)
    assert result.return_value == 0, result.output
    said = json.loads(result.output)
    assert {step["step"]: step["reason"] for step in said["steps"]} == {step.id: "" for step in STEPS}
    lacking = [each for step in said["steps"] for each in step["abilities"] if not each["works"]]
    assert (lacking, said["unrestored"], said["changed_meanwhile"]) == ([], [], [])
    assert [verdict["workspace"] for verdict in said["verdicts"]] == [
        "record",
        "rules",
        "states",
        "run",
        "review",
    ]
    assert before == after
    page = report.read_text(encoding="utf-8")
    assert phone.address not in page
    assert "WAYMARK" not in page
    assert str(tmp_path.home()) not in page
    assert [step.step for step in read_report(report).steps] == [step.id for step in STEPS]
