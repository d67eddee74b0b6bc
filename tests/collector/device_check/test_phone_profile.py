"""The report of a check becomes a profile for phones of that model, also a report that somebody made up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click.testing import CliRunner

from collector.cli.verb_groups import device
from collector.device_check.phone_profile import profile_of
from collector.device_check.report_page import report_page
from collector.device_check.results import (
    CheckedPhone,
    CheckOutcome,
    CheckStepResult,
    DeviceCheckResults,
)
from collector.model.errors import UserError
from collector.phone_profiles.profile import PhoneNames
from collector.phone_profiles.registry import find_profile

RESULTS = DeviceCheckResults(
    CheckedPhone(manufacturer="Example", model="One [X]", android="14", sdk=34, size="720x1600", density=320),
    (CheckStepResult("trees", CheckOutcome.PASSED, quirks=("noisy-dumps", "what-nobody-knows")),),
    settings={"frame-source": "screencap", "tree-source": "uiautomator", "settle-ms": "650"},
)


def test_a_report_becomes_a_profile_that_counts_from_then_on(monkeypatch, tmp_path):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))
    report = tmp_path / "report.html"
    report.write_bytes(report_page(RESULTS))
    result = CliRunner().invoke(device, ["profile", str(report)], catch_exceptions=False)
    assert "example-one-x-14" in result.output
    found = find_profile(PhoneNames("example", "One [X]", "14"))
    assert (found.name, found.quirks) == ("example-one-x-14", ("noisy-dumps",))
    assert (found.settings.frame_source, found.settings.settle_ms) == ("screencap", 650)
    assert found.virtual.model == "One [X]"
    assert not find_profile(PhoneNames("example", "One X", "14")).name
    assert not find_profile(PhoneNames("example", "One [X]", "15")).name


def test_a_profile_that_is_there_is_replaced_only_when_told(monkeypatch, tmp_path):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))
    report, output = tmp_path / "report.html", tmp_path / "mine.yaml"
    report.write_bytes(report_page(RESULTS))
    words = ["profile", str(report), "--output", str(output)]
    CliRunner().invoke(device, words, catch_exceptions=False)
    assert "noisy-dumps" in output.read_text()
    again = CliRunner().invoke(device, words)
    assert isinstance(again.exception, UserError)
    assert CliRunner().invoke(device, [*words, "--force"]).exit_code == 0


@pytest.mark.parametrize(
    ("phone", "said"),
    [
        ({"model": ""}, "names no model"),
        ({"model": "a;b=c"}, "no : ; ="),
        ({"size": "9x9"}, "240 to 4096"),
    ],
)
def test_a_report_that_makes_no_profile_is_refused_in_a_sentence(phone, said):
    with pytest.raises(UserError, match=said):
        profile_of(replace(RESULTS, phone=replace(RESULTS.phone, **phone)))


def test_settings_that_there_are_not_are_refused():
    with pytest.raises(UserError, match="no frame-source called camera"):
        profile_of(replace(RESULTS, settings={"frame-source": "camera"}))
