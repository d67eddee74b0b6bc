"""What a check says: its document, verdicts, settings, report, and nothing private in any of them."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace
from pathlib import Path

import pytest

from collector.device_check.private_texts import PrivateTexts
from collector.device_check.report_page import read_report, report_page
from collector.device_check.results import (
    Ability,
    CheckedPhone,
    CheckOutcome,
    CheckStepResult,
    DeviceCheckResults,
    PhoneMeasurement,
    WorkspaceVerdict,
)
from collector.device_check.results_document import results_as_dict, results_of_dict
from collector.device_check.results_text import measurement_text, quirk_lines
from collector.device_check.steps.all_steps import STEPS, chosen_steps
from collector.device_check.suitable_settings import suitable_settings
from collector.device_check.verdicts import workspace_verdicts
from collector.model.errors import UserError

VERDICT = WorkspaceVerdict("run", True, ("a & b",))
SECRETS = (
    "R58M123ABC", "192.168.1.20:5555", "02:00:00:44:55:66", "lin@example.org", "+49 170 1234567",
    "/home/lin/scrcpy/scrcpy-server", r"C:\Users\lin\scrcpy-server",
)  # fmt: skip


def results(*abilities: Ability, **measured: int) -> DeviceCheckResults:
    numbers = tuple(PhoneMeasurement(name, value, "ms") for name, value in measured.items())
    step = CheckStepResult("video", CheckOutcome.PASSED, "", 1.5, numbers, abilities, ("miui-switch",))
    phone = CheckedPhone("Maker", "Brand", "Model </script>", "15", 35, "B", "1080x2400", 420)
    return DeviceCheckResults(
        phone, (step,), (WorkspaceVerdict("run", True, ("a & b",)),), {"settle-ms": "600"}
    )


WORKING = tuple(Ability(name, True) for name in ("pictures.scrcpy", "trees.uiautomator", "input.tap"))


def test_a_report_is_read_back_as_it_was_written(tmp_path: Path):
    found = results(*WORKING, settle=50)
    path = tmp_path / "phone.html"
    path.write_bytes(report_page(found))
    assert read_report(path) == found
    path.write_text(json.dumps(results_as_dict(found)), encoding="utf-8")
    assert read_report(path) == found


def test_no_text_of_a_phone_becomes_markup_of_the_page():
    page = report_page(results()).decode()
    assert "Model </script>" not in page
    assert "a &amp; b" in page
    assert "http" not in page.replace("http-equiv", "")


@pytest.mark.parametrize(
    "text", ["", "<html>", "[]", '{"kind": "other"}', '{"kind": "waymark-device-check", "format": 1}']
)
def test_a_file_that_is_no_report_is_said_to_be_none(tmp_path: Path, text: str):
    path = tmp_path / "odd.html"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError):
        read_report(path)


def test_a_report_of_a_later_format_is_not_guessed():
    with pytest.raises(UserError, match="format"):
        results_of_dict(results_as_dict(results()) | {"format": 99})


def test_a_workspace_works_when_one_way_of_each_need_does():
    found = results(*WORKING, Ability("pictures.screencap", False, "No screenshot"))
    verdicts = {verdict.workspace: verdict for verdict in workspace_verdicts(found)}
    assert all(verdict.works for verdict in verdicts.values())
    assert verdicts["record"].limits == ("No screenshot",)
    assert verdicts["rules"].limits == ()


def test_a_workspace_without_a_tree_does_not_work_and_one_that_was_not_tried_has_no_verdict():
    found = results(Ability("pictures.scrcpy", True), Ability("trees.uiautomator", False, "No tree"))
    verdicts = {verdict.workspace: verdict for verdict in workspace_verdicts(found)}
    assert (verdicts["states"].works, verdicts["states"].limits) == (False, ("No tree",))
    assert verdicts["review"].works
    assert "run" not in verdicts


def test_the_settings_are_the_best_sources_that_work_and_a_time_with_something_to_spare():
    found = results(
        Ability("pictures.scrcpy", False, "x"), Ability("pictures.screenrecord", True),
        Ability("trees.uiautomator2", False, "x"), Ability("trees.uiautomator", True), settle=800,
    )  # fmt: skip
    assert suitable_settings(found) == {
        "frame-source": "screenrecord",
        "tree-source": "uiautomator",
        "settle-ms": "1200",
    }


def test_a_verdict_has_one_line_for_each_step():
    lacks = (
        *(Ability(f"anomalies.{name}", False, "a dialog lies on top") for name in ("wifi_off", "app_crash")),
    )
    step = CheckStepResult("anomalies", CheckOutcome.PASSED, abilities=lacks)
    found = results(*WORKING)
    found = dataclasses.replace(found, steps=(*found.steps, step))
    (run,) = [verdict for verdict in workspace_verdicts(found) if verdict.workspace == "run"]
    assert run.limits == ("2 anomalies cannot be injected: wifi_off, app_crash",)


def test_no_exception_of_java_is_read_to_a_person():
    java = "Exception occurred while executing 'input': java.lang.SecurityException: a.b.C x"
    said = f"It is refused. {java}. Mend it"
    assert PrivateTexts(()).hidden(said) == "It is refused. SecurityException. Mend it"


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(12, "12 ms ahead of"), (-881_423_045, "10 d 5 h behind"), (5_400_000, "2 h ahead of")],
)
def test_a_clock_is_told_in_words(milliseconds: int, words: str):
    said = measurement_text(PhoneMeasurement("skew", milliseconds, "ms"))
    assert said == f"Phone's clock: {words} this computer's"


def test_no_source_is_advised_while_a_better_one_was_not_tried():
    assert suitable_settings(results(Ability("pictures.screencap", True))) == {}


@pytest.mark.parametrize("secret", SECRETS, ids=map(str, range(len(SECRETS))))
def test_nothing_private_stays_in_a_sentence(secret: str):
    said = PrivateTexts(["R58M123ABC", "on"]).hidden(f"Device {secret} is offline, on port 5")
    assert secret not in said
    assert said.endswith("is offline, on port 5")


def test_steps_are_chosen_by_their_ids_in_their_own_order():
    assert [step.id for step in chosen_steps(("clock", "connection"))] == ["connection", "clock"]
    assert chosen_steps() == STEPS
    assert len({step.id for step in STEPS}) == len(STEPS)
    with pytest.raises(UserError, match="flying"):
        chosen_steps(("flying",))


def test_a_known_quirk_is_told_with_its_remedy_and_who_reported_it():
    step = CheckStepResult("input", CheckOutcome.PASSED, quirks=("input-refused", "what-nobody-knows"))
    found = replace(results(), steps=(step,))
    page = report_page(found).decode()
    assert "USB debugging may not simulate input" in page
    assert 'href="https://github.com/Genymobile/scrcpy/issues/4199"' in page
    assert "what-nobody-knows" not in page.partition('<script type="application/json"')[0]
    title, _effect, mend = quirk_lines(found.quirks)
    assert "Security settings" in mend
    assert title in page
