"""The frame of a check: outcomes, limits, questions, and a phone that is as before whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from collector.anomalies.journal import UndoJournal, phone_key
from collector.device.errors import CommandFailed, DeviceOffline
from collector.device_check import check as check_module
from collector.device_check.check import DeviceCheck
from collector.device_check.events import CheckStepFinished, CheckStepStarted, PhoneRestored
from collector.device_check.results import CheckOutcome, DeviceCheckResults
from collector.device_check.step import CheckStepRun, StepSkipped
from tests.helpers.checked_phone import CheckedShellDevice, TriedStep, checked_shell_device

FONT = "settings get system font_scale"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No phone here sets anything back late."""
    monkeypatch.setattr(check_module, "_LOOK_EVERY_S", 0.01)


@pytest.fixture
def device() -> Iterator[CheckedShellDevice]:
    with checked_shell_device("settings") as phone:
        yield phone


def enlarge(run: CheckStepRun) -> None:
    run.changes.put("the size of texts", "system", "font_scale", "1.3")
    assert run.device.shell(FONT).text.strip() == "1.3"


def checked(
    device: CheckedShellDevice, *works: Callable[[CheckStepRun], None], **options: float
) -> DeviceCheckResults:
    steps = [TriedStep(work, f"step{number}") for number, work in enumerate(works)]
    return DeviceCheck(device, steps, lambda _question: True, **options).run()  # type: ignore[arg-type]


def pending(device: CheckedShellDevice) -> tuple[object, ...]:
    return UndoJournal(phone_key(device)).pending


def test_a_step_that_works_passes_and_is_told_as_it_happens(device):
    def work(run: CheckStepRun) -> None:
        run.measure("speed", 3.14159, "MB/s")
        run.works("a.one")
        run.lacks("a.two", "because of the cable")

    events = []
    check = DeviceCheck(device, [TriedStep(work)], lambda _question: True)
    check.events.subscribe(events.append)
    (result,) = check.run().steps
    assert (result.outcome, result.measurements[0].value) == (CheckOutcome.PASSED, 3.1)
    assert [(each.id, each.works) for each in result.abilities] == [("a.one", True), ("a.two", False)]
    assert [type(event) for event in events] == [CheckStepStarted, CheckStepFinished, PhoneRestored]


def test_a_step_that_finds_nothing_that_works_fails_with_the_first_reason(device):
    (result,) = checked(device, lambda run: run.lacks("a.one", "the phone forbids it")).steps
    assert (result.outcome, result.reason) == (CheckOutcome.FAILED, "the phone forbids it")


def test_what_a_step_changed_is_undone_also_when_it_fails(device):
    def fail(run: CheckStepRun) -> None:
        enlarge(run)
        raise CommandFailed("It broke", "")

    results = checked(device, fail, enlarge)
    assert [step.outcome for step in results.steps] == [CheckOutcome.FAILED, CheckOutcome.PASSED]
    assert device.shell(FONT).text.strip() == "1.0"
    assert (results.unrestored, pending(device)) == ((), ())


def test_a_cancel_ends_the_step_and_puts_the_phone_back(device):
    def wait(run: CheckStepRun) -> None:
        enlarge(run)
        check.cancel()
        run.wait(60)

    check = DeviceCheck(device, [TriedStep(wait), TriedStep(enlarge, "never")], lambda _question: True)
    results = check.run()
    assert [step.step for step in results.steps] == ["tried"]
    assert results.end
    assert device.shell(FONT).text.strip() == "1.0"


def test_a_step_over_its_time_is_ended_and_the_next_one_runs(device):
    slow = TriedStep(lambda run: run.wait(60), "slow", limit_s=0.05)
    results = DeviceCheck(device, [slow, TriedStep(enlarge)], lambda _question: True).run()
    assert [step.outcome for step in results.steps] == [CheckOutcome.FAILED, CheckOutcome.PASSED]
    assert "longer" in results.steps[0].reason


def test_no_step_begins_after_the_time_of_the_whole(device):
    results = checked(device, enlarge, limit_s=0.0)
    assert (results.steps, bool(results.end)) == ((), True)


def test_a_step_that_may_disturb_is_left_out_unless_a_person_allows_it(device):
    asked = []
    step = TriedStep(enlarge, question="May it disturb?")
    (result,) = DeviceCheck(device, [step], lambda question: bool(asked.append(question))).run().steps
    assert (asked, result.outcome) == (["May it disturb?"], CheckOutcome.SKIPPED)
    assert not any("font_scale 1.3" in command for command in device.ran)


def test_a_step_that_does_not_fit_the_phone_is_left_out_with_its_reason(device):
    def skip(_run: CheckStepRun) -> None:
        raise StepSkipped("This phone has no pen")

    (result,) = checked(device, skip).steps
    assert (result.outcome, result.reason) == (CheckOutcome.SKIPPED, "This phone has no pen")


def test_a_phone_that_went_away_and_came_back_is_put_back_too(device):
    def go_away(run: CheckStepRun) -> None:
        enlarge(run)
        raise DeviceOffline("virtual-1")

    results = checked(device, go_away)
    assert results.steps[0].outcome is CheckOutcome.FAILED
    assert (device.shell(FONT).text.strip(), results.unrestored) == ("1.0", ())


def test_a_phone_that_stays_away_is_said_to_be_changed_and_is_undone_later(device, monkeypatch):
    monkeypatch.setattr(check_module, "_BACK_S", 0.0)

    def go_away(run: CheckStepRun) -> None:
        enlarge(run)
        device.failing[""] = DeviceOffline("virtual-1")
        raise device.failing[""]

    results = checked(device, go_away, enlarge)
    assert ([step.step for step in results.steps], bool(results.end)) == (["step0"], True)
    assert any("size of texts" in what for what in results.unrestored)
    assert "virtual-1" not in str(results)
    device.failing.clear()
    assert len(pending(device)) == 1


def test_what_a_step_changes_behind_the_journal_is_named(device, monkeypatch):
    monkeypatch.setattr(check_module, "_LATE_S", 0.0)
    results = checked(device, lambda run: run.device.shell("settings put system font_scale 1.5"))
    assert any("font_scale" in what for what in results.unrestored)


def test_a_change_that_cannot_be_undone_is_named_and_stays_in_the_journal(device):
    def stick(run: CheckStepRun) -> None:
        run.changes.plan("the light", "exit 3")

    results = checked(device, stick)
    assert any("the light" in what for what in results.unrestored)
    assert len(pending(device)) == 1
