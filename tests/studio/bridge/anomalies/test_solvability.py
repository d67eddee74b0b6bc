"""A solvability check behind the window: how it begins, what the phone refuses meanwhile, how it ends."""

from __future__ import annotations

import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Signal

from collector.anomalies.injection_session import InjectionSession
from collector.anomalies.injector import InjectionRequest
from collector.device.errors import CallCancelled, DeviceOffline
from collector.device.transport.shell_result import ShellResult
from collector.replay.solvability.plan import read_solvability_input
from collector.replay.solvability.progress import SolvabilityProgress
from collector.replay.solvability.trials import TrialResult, TrialStep
from collector.rules.grammar.model import INJECTION, Injection, Rule
from collector.store.project.project import Project
from studio.bridge.anomalies.anomalies import Anomalies
from studio.bridge.anomalies.solvability import Solvability
from studio.bridge.jobs import JobRunner
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.recording import Recording
from studio.settings import Settings
from tests.helpers.solvability import BROKEN, LOW, QUIET, case, ground, plan, trial


class SilentPhone:
    """Answers every command with nothing, but its name; ``away`` makes every call fail."""

    serial = "p1"

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.away = False

    def shell(self, command, *, timeout=10.0, cancel=None):
        if self.away:
            raise DeviceOffline(self.serial, "the cable is out")
        self.ran.append(str(command))
        output = "[ro.build.version.sdk]: [34]\n[ro.build.version.release]: [14]\n"
        return ShellResult((output if "getprop" in str(command) else "").encode(), b"", 0)


class QuietSession:
    """A session that is live and notes what is sent to it."""

    frame_source = "scrcpy"

    def __init__(self, serial: str) -> None:
        from collector.device.device_info import DeviceInfo
        from collector.model.event_emitter import EventEmitter

        self.events, self.info, self.sent = EventEmitter(), DeviceInfo(serial), []

    def key(self, name: str, held_ms: int = 0) -> None:
        self.sent.append(name)

    def refresh_tree(self) -> None:
        pass

    def close(self) -> None:
        pass


class PhonesInUse(QObject):
    current_changed = Signal(object)
    current: PhoneLink | None = None

    def use(self, link: PhoneLink | None) -> None:
        self.current = link
        self.current_changed.emit(link)


class Script:
    """The thread of a check: emits the events it is given, then waits until it may end or is cancelled."""

    def __init__(self) -> None:
        self.tells: list[object] = []
        self.error: Exception | None = None
        self.go_on = threading.Event()
        self.works: list[object] = []

    def __call__(self, work) -> None:
        self.works.append(work)
        for event in self.tells:
            work.events.emit(event)
        while not self.go_on.wait(0.01):
            if work.cancelled.is_set():
                raise CallCancelled("solvability")
        if self.error is not None:
            raise self.error


class Room:
    def __init__(self, tmp_path, qtbot) -> None:
        self.qtbot, self.device, self.script = qtbot, SilentPhone(), Script()
        self.runner = JobRunner()
        self.devices = PhonesInUse()
        self.project_library = ProjectLibrary(self.runner)
        self.recording = Recording(self.runner, Settings(tmp_path / "settings.yaml"))
        self.anomalies = Anomalies(
            self.runner, self.devices, self.project_library, self.recording,
            open_session=lambda _serial, step: InjectionSession(self.device, next_step=step),
        )  # fmt: skip
        self.checks = Solvability(
            self.runner, self.project_library, self.devices, self.anomalies, self.recording, do=self.script
        )
        self.failed: list[object] = []
        self.checks.failed.connect(self.failed.append)
        self.project = Project.create(tmp_path / "project")
        with qtbot.waitSignal(self.project_library.opened):
            self.project_library.open(self.project.folder)
        self.link = PhoneLink("p1", QuietSession)
        self.devices.use(self.link)

    def until(self, condition) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()))

    def start(self, what=None) -> None:
        """Of one task under one anomaly of which no command has to be trusted."""
        self.checks.start(what or plan("one", anomalies=(LOW,)), ground(case("one")))

    def begin(self) -> None:
        self.start()
        self.until(lambda: self.script.works and self.checks.is_running)

    def close(self) -> None:
        self.checks.close()
        self.anomalies.close()
        self.link.close()
        self.runner.close()
        self.qtbot.wait(0)


@pytest.fixture
def room(qtbot, tmp_path):
    opened = Room(tmp_path, qtbot)
    yield opened
    opened.close()


def test_what_is_found_is_told_and_the_phone_is_busy_meanwhile(room):
    ended = trial("one", "low")
    room.script.tells = [TrialStep("one", "", "", 0, 3), TrialStep("one", "low", "accept", 1, 3), ended]
    messages = []
    room.link.message.connect(messages.append)
    room.begin()
    room.until(lambda: room.checks.trials == [ended])
    assert (room.checks.progress.done, room.checks.progress.runs) == (2, 2)
    assert room.checks.progress.current.anomaly == "low"

    room.link.key("home")
    room.link.key("home")
    assert room.link.session.sent == []
    assert messages == ["The phone is busy: a solvability check runs on it"]
    refused = []
    room.anomalies.failed.connect(refused.append)
    assert room.anomalies.fire(InjectionRequest(LOW)) is None
    assert room.anomalies.undo() is None
    assert [error.what for error in refused] == messages * 2

    room.script.go_on.set()
    room.until(lambda: not room.checks.is_running)
    assert (room.checks.problem, room.failed) == ("", [])
    assert (room.link.busy, room.anomalies.leased_for) == ("", "")
    room.link.key("home")
    assert room.link.session.sent == ["home"]


def test_a_check_that_is_cancelled_keeps_its_trials(room):
    room.script.tells = [trial("one", "low")]
    room.begin()
    room.until(lambda: room.checks.trials)
    room.checks.cancel()
    assert room.checks.is_stopping
    room.until(lambda: not room.checks.is_running)
    assert (room.checks.problem, len(room.checks.trials), room.failed) == ("Cancelled", 1, [])
    assert room.link.busy == ""


def test_a_phone_that_goes_away_ends_it_with_what_is_known(room):
    room.script.tells = [trial("one", "low")]
    room.script.error = DeviceOffline("p1", "the cable is out")
    room.script.go_on.set()
    room.start()
    room.until(lambda: room.failed)
    assert room.checks.problem == room.failed[0].what
    assert len(room.checks.trials) == 1
    assert not room.checks.is_running


def test_a_bug_on_its_thread_is_shown_and_sets_the_phone_free(room, expected_log):
    expected_log("the solvability check failed")
    room.script.error = RuntimeError("a bug")
    room.script.go_on.set()
    room.start()
    room.until(lambda: room.failed)
    assert room.checks.problem == "Something went wrong"
    assert room.link.busy == ""


def test_another_phone_in_use_ends_it(room):
    room.begin()
    room.devices.use(None)
    room.until(lambda: room.failed)
    assert room.checks.problem == "The phone is no longer in use"


def test_another_project_forgets_it(room, tmp_path):
    room.script.tells = [trial("one", "low")]
    room.begin()
    room.until(lambda: room.checks.trials)
    other = Project.create(tmp_path / "other")
    room.project_library.open(other.folder)
    room.until(lambda: room.checks.plan is None)
    assert not room.checks.is_running
    assert room.checks.trials == []


def test_the_end_of_the_studio_ends_it_first(room):
    room.begin()
    room.checks.close()
    assert room.script.works[0].cancelled.is_set()
    assert not room.checks.is_running


def test_it_does_not_begin_without_a_free_phone(room, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(type(room.recording), "is_active", True)
        room.start()
    room.anomalies.active = (object(),)
    room.start()
    room.anomalies.active = ()
    room.devices.use(None)
    room.start()
    whys = [error.why for error in room.failed]
    assert room.checks.obstacle == "No phone is in use. Connect one, or start a virtual phone"
    assert whys == ["A recording is running", "Something is injected already", "No phone is in use"]
    assert room.script.works == []


def test_commands_nobody_trusted_are_asked_about_and_it_begins_when_they_are(room):
    asked = []
    room.checks.trust_asked.connect(asked.append)
    room.start(plan("one", anomalies=(LOW, QUIET)))
    room.until(lambda: asked)
    assert "settings put global quiet 1" in asked[0].commands
    assert not room.checks.is_running
    room.checks.trust(asked[0])
    room.until(lambda: room.checks.is_running)


def test_what_the_tasks_rules_let_follow_is_asked_about_too():
    actions = (Injection(interference_id=LOW.id, follow_up={"accept": "settings put global late 1"}),)
    rule = Rule(id="r", kind=INJECTION, actions=actions)
    asked = ground(replace(case("one"), rules=[rule]))
    requests = list(plan("one", anomalies=(LOW, QUIET)).requests(asked))
    assert [(request.anomaly.id, request.following) for request in requests] == [
        (LOW.id, ()), (LOW.id, ("settings put global late 1",)), (QUIET.id, ()),
    ]  # fmt: skip


def test_what_a_borrower_leaves_on_the_phone_is_taken_back(room):
    phone = room.anomalies.lease("busy")
    with phone.leased(threading.Event()) as injector:
        injector.gate = SimpleNamespace(check=lambda written, filled: None)
        injector.fire(InjectionRequest(QUIET, "com.example.shop"))
        assert phone.injector.pending
        assert phone.restore() == []  # it is his while he has it
    assert injector.step() is None
    assert [result.problem for result in phone.restore()] == [""]
    assert room.device.ran[-1] == "settings put global quiet 0"
    room.anomalies.end_lease()


# -- what is to do ---------------------------------------------------------------
def test_runs_are_counted_and_timed_as_they_end():
    listed, planned = ground(case("one", "low"), case("three")), plan("one", "three", "gone")
    progress = SolvabilityProgress(planned, listed, 2.0)
    assert (progress.runs, progress.done) == (6, 0)
    single = SolvabilityProgress(planned, listed)
    assert progress.seconds == 2 * single.seconds
    progress.begin_step(TrialStep("one", "", "", 0, 3))
    assert progress.done == 0
    progress.begin_step(TrialStep("one", "low", "accept", 0, 3))
    assert progress.done == 1
    progress.end_trial(trial("one", "low"))
    assert progress.done == 2
    progress.end_trial(BROKEN)
    assert progress.done == 5
    progress.end_trial(trial("one", "quiet", TrialResult.NOT_MET))
    assert (progress.done, progress.left_s) == (6, 0.0)


def test_each_step_and_each_answer_are_runs_of_their_own_and_what_cannot_come_is_none():
    listed = ground(case("one", steps=4))
    each = SolvabilityProgress(plan("one", at="each", answer="each"), listed)
    assert each.runs == 1 + 4 + 4
    assert SolvabilityProgress(plan("one", at="rule"), listed).runs == 1


def test_the_ground_has_tasks_with_golden_trajectories_alone(tmp_path):
    project = Project.create(tmp_path / "project")
    task = case("one").task
    project.save_tasks([task])
    (project.folder / "rules").mkdir(exist_ok=True)
    assert read_solvability_input(project, [task]).cases == {}
    assert ground(case("one", "low"), case("two")).named(["one", "two", "gone"]) == {"low"}


def test_what_was_asked_of_a_project_is_not_trusted_in_another(room, tmp_path):
    asked = []
    room.checks.trust_asked.connect(asked.append)
    room.start(plan("one", anomalies=(LOW, QUIET)))
    room.until(lambda: asked)
    other = Project.create(tmp_path / "other")
    with room.qtbot.waitSignal(room.project_library.opened):
        room.project_library.open(other.folder)
    room.checks.trust(asked[0])
    assert not Project.open(other.folder).trusted
    assert not room.checks.is_running
