"""``waymark anomaly`` as a person or a script uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.cli import main as command

LIBRARY = """interference_library:
  - id: mine
    category: App Malfunction
    target_activity: LowBatteryActivity
    params: {param_title: Oh, param_button_text: Go, param_log_event: GO}
    post_actions: {"EVENT:GO": [{type: adb, command: reboot}]}
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str]:
        status = command.main(["anomaly", *(str(argument) for argument in arguments)])
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    return call


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "library.yaml"
    path.write_text(LIBRARY, encoding="utf-8")
    return path


def test_the_list_is_narrowed_by_category_and_language(run) -> None:
    status, printed = run("list", "--category", "permission control", "--language", "zh", "--json")
    listed = json.loads(printed)["anomalies"]
    assert status == 0
    assert {entry["category"] for entry in listed} == {"Permission Control"}
    assert {entry["language"] for entry in listed} == {"zh", ""}


def test_the_list_is_a_table_of_any_library(run, library: Path) -> None:
    status, printed = run("list", "--library", library)
    assert status == 0
    assert [line.split()[0] for line in printed.splitlines()] == ["Id", "mine"]


def test_one_anomaly_is_shown_with_its_answers(run, library: Path) -> None:
    assert run("show", "mine", "--library", library)[1].splitlines() == [
        "mine",
        "  App Malfunction, companion, LowBatteryActivity",
        "  param_title: Oh",
        "  accept: Go [GO]",
        "    reboot",
    ]


def test_a_native_anomaly_is_shown_with_what_it_runs_and_takes_back(run) -> None:
    printed = run("show", "font_scale")[1]
    assert "remember before: settings get system font_scale" in printed
    assert "undo: settings put system font_scale {before}" in printed


def test_an_unknown_id_is_refused_with_those_meant(run) -> None:
    status, printed = run("show", "app_stopped")
    assert status == 1
    assert "app_stopped_double_en" in printed


def test_the_studios_own_library_is_checked_when_no_file_is_named(run) -> None:
    assert run("check") == (0, "Everything is in order\n")


def test_findings_of_a_file_are_told_and_errors_fail(run, library: Path) -> None:
    status, printed = run("check", library)
    assert status == 0
    assert f"{library}:6:" in printed
    assert "The command restarts the device: reboot [W503]" in printed
    library.write_text(LIBRARY.replace("LowBattery", "NoBattery"), encoding="utf-8")
    status, printed = run("check", library, "--json")
    assert status == 1
    assert json.loads(printed)["counts"]["error"] == 1
