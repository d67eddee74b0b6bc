"""What a replay's run says of its end, and that a run which cannot be recorded stops nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from collector.anomalies.errors import AnomalyError
from collector.device.errors import CallCancelled, DeviceOffline
from collector.judge.evaluation.divergence import Divergence
from collector.judge.replay_verdict import BY_RULE, SuccessVerdict
from collector.model.action import Answer, Tap
from collector.model.episode import Outcome
from collector.replay import replay_run
from collector.replay.outcomes import ReplayResult, ReplayStatus, StepOutcome
from collector.replay.replay_run import ReplayRuns
from collector.replay.solvability.anomaly_answerer import DialogNotAnswered
from collector.replay.solvability.trial_run import TrialRun
from collector.store.files.errors import DiskFull
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.fake_phone import FakePhone


@pytest.fixture
def phone():
    return FakePhone({"Main": ()}, "Main")


@pytest.fixture
def project(tmp_path):
    return Project.create(tmp_path / "p")


@pytest.fixture
def run(project, phone):
    run = TrialRun.begin(ReplayRuns(project, phone, "replays"), "buy", "golden", None, ["s3cret"])
    yield run
    if open_trajectory(project.find(run.id)).header.status != "finished":
        run.recorded.finish(Outcome("failure"), None, phone)


def result(status: ReplayStatus, holds: bool | None = None, **step: object) -> ReplayResult:
    verdict = SuccessVerdict(holds, BY_RULE, "bought") if holds is not None else None
    return ReplayResult(status, (StepOutcome(1, status, **step),), verdict)


def ended(run, project, phone, how, *, met=True):
    run.end(how, SimpleNamespace(last_screen=phone.screen(), phone=SimpleNamespace(device=phone)), met=met)
    stored = open_trajectory(project.find(run.id))
    assert stored.header.status == "finished"
    return stored


@pytest.mark.parametrize(
    ("how", "met", "status", "claimed", "fault"),
    [
        (result(ReplayStatus.DONE, True), True, "success", "complete", ""),
        (result(ReplayStatus.DONE, True), False, "success", "complete", "The anomaly was not injected"),
        (result(ReplayStatus.FAILED, False), True, "failure", "complete", ""),
        (result(ReplayStatus.DIVERGED, divergence=Divergence("app", "a", "b")), True, "uncompleted", "", ""),
        (DialogNotAnswered("It stayed open"), True, "uncompleted", "", ""),
        (result(ReplayStatus.REFUSED, why="No such app"), True, "uncompleted", "", ""),
        (result(ReplayStatus.FAULT, why="No second finger"), True, "", "", "No second finger"),
        (result(ReplayStatus.LOST, why="Gone"), True, "", "", "Gone"),
        (DeviceOffline("p1"), True, "", "", "Device p1 is offline"),
        (AnomalyError("No companion"), False, "", "", "No companion"),
        (CallCancelled("replay"), True, "", "", "The replay was cancelled"),
        (result(ReplayStatus.CANCELLED), True, "", "", "The replay was cancelled"),
    ],
)  # fmt: skip
def test_the_outcome_names_whose_fault_the_end_is(run, project, phone, how, met, status, claimed, fault):
    stored = ended(run, project, phone, how, met=met)
    outcome = stored.header.outcome
    assert (outcome.status, outcome.claimed) == (status, claimed)
    if (why := getattr(how, "steps", None)) and how.verdict is None:
        assert why[-1].problem in (outcome.reason, outcome.infrastructure)
    assert fault == outcome.infrastructure or (fault and outcome.infrastructure.startswith(fault))
    assert outcome.stopped is (fault == "The replay was cancelled")
    lost = isinstance(how, DeviceOffline) or getattr(how, "status", None) is ReplayStatus.LOST
    assert [line["kind"] for line in stored.events()] == (["phone_lost"] if lost else [])


def test_the_recording_s_own_signal_is_what_the_run_claims(run, project, phone):
    run.recorded.step(phone.screen(), Tap(1, 1), 0, step=4)
    run.recorded.step(phone.screen(), Answer("s3cret 42"), 0, erased=2)
    stored = ended(run, project, phone, result(ReplayStatus.FAILED, False))
    assert stored.header.outcome.claimed == "answer"
    tap, answer, final = stored.steps
    assert (tap.extra, answer.extra, final.action) == ({"replayed_step": 4}, {"erased": 2}, None)
    assert "s3cret" not in answer.action.text


def test_an_interrupt_closes_the_run_as_cancelled(run, project, phone):
    replay = SimpleNamespace(last_screen=None, phone=SimpleNamespace(device=phone))
    with pytest.raises(KeyboardInterrupt), run.cancelled_by_an_exception(replay):
        raise KeyboardInterrupt
    outcome = open_trajectory(project.find(run.id)).header.outcome
    assert outcome == Outcome(infrastructure="The replay was cancelled", stopped=True)


def test_a_disk_without_room_leaves_no_run_and_a_sentence(project, phone, monkeypatch):
    def refuse(*_words):
        raise DiskFull("There is too little room")

    monkeypatch.setattr(replay_run, "begin_run", refuse)
    run = TrialRun.begin(ReplayRuns(project, phone, "replays"), "buy", "golden", None, ())
    assert (run.id, run.problems) == ("", ("The run could not be recorded: There is too little room",))
    run.end(result(ReplayStatus.DONE, True), SimpleNamespace())


def test_a_project_that_may_only_be_read_takes_no_run(project, phone):
    project.is_read_only = True
    run = TrialRun.begin(ReplayRuns(project, phone, "replays"), "buy", "golden", None, ())
    assert (run.recorded, run.problems) == (None, ())
