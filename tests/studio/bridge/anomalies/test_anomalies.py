"""Anomalies fired, answered, undone and restored from the GUI's side, on a phone that answers from memory."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QObject, Signal

from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.injection_session import InjectionSession
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.journal import PendingChange, UndoJournal
from collector.anomalies.reader import read_library
from collector.device.errors import CallCancelled, DeviceOffline
from collector.device.transport.shell_result import ShellResult
from collector.model.errors import UserError
from collector.store.project.project import Project
from studio.bridge.anomalies.anomalies import Anomalies
from studio.bridge.jobs import JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.recording import Recording
from studio.settings import Settings

LIBRARY = """
interference_library:
  - id: volume
    kind: native
    category: System Resource
    description: The volume goes
    commands:
      - remember: {before: settings get system volume}
        apply: ["settings put system volume 0"]
        verify: [{command: settings get system volume, expect: "^0$"}]
        undo: ["settings put system volume {before}"]
  - id: dangerous
    kind: native
    description: The app forgets everything
    commands:
      - apply: ["pm clear com.waymark.shop"]
        undo: ["true"]
"""
RULES = """
rules:
  - id: follows
    actions:
      - {type: inject_interference, interference_id: any, follow_up: {accept: settings put system a 1}}
"""
VOLUME, DANGEROUS = read_library(LIBRARY).anomalies


class MemoryPhone:
    """Settings and no more; ``away`` makes every call fail; while ``silent`` is set none is answered."""

    def __init__(self, serial: str = "p1") -> None:
        self.serial = serial
        self.settings = {"volume": "7"}
        self.ran: list[str] = []
        self.away, self.silent, self.waits = (threading.Event() for _event in range(3))

    def shell(self, command, *, timeout=10.0, cancel=None):
        if self.away.is_set():
            raise DeviceOffline(self.serial, "the cable is out")
        if self.silent.is_set():
            self.waits.set()
            if cancel is None or not cancel.wait(60):
                raise DeviceOffline(self.serial, "a call that nothing can end")
            raise CallCancelled
        line = command if isinstance(command, str) else " ".join(command)
        self.ran.append(line)
        return ShellResult(self._said(line).encode(), b"", 0)

    def _said(self, line: str) -> str:
        if "ro.serialno" in line:
            return f"{self.serial}\n\n"
        if line.startswith("settings put system"):
            _settings, _put, _system, key, value = line.split()
            self.settings[key] = value.strip("'")
        if line.startswith("settings get system"):
            return self.settings[line.split()[-1]]
        return "[ro.build.version.sdk]: [34]\n[ro.build.version.release]: [14]\n" if "getprop" in line else ""


class Link(QObject):
    back = Signal()
    source_changed = Signal(str)
    taken_changed = Signal(str)

    def __init__(self, serial: str) -> None:
        super().__init__()
        self.serial, self.taken = serial, ""

    def take(self, sentence: str) -> None:
        self.taken = sentence
        self.taken_changed.emit(sentence)

    def require_free(self) -> None:
        if self.taken:
            raise UserError(self.taken)

    def refresh_tree(self) -> None:
        pass


class PhonesInUse(QObject):
    current_changed = Signal(object)


class Room:
    def __init__(self, tmp_path) -> None:
        self.phone = MemoryPhone()
        self.runner = JobRunner()
        self.devices = PhonesInUse()
        self.project_library = ProjectLibrary(self.runner)
        self.recording = Recording(self.runner, Settings(tmp_path / "settings.yaml"))
        self.anomalies = Anomalies(
            self.runner, self.devices, self.project_library, self.recording,
            open_session=lambda _serial, step: InjectionSession(self.phone, next_step=step),
        )  # fmt: skip
        self.links: list[Link] = []

    def plug(self, serial: str = "p1") -> Link:
        link = Link(serial)
        self.links.append(link)
        self.devices.current_changed.emit(link)
        return link

    def close(self) -> None:
        self.anomalies.close()
        self.runner.close()
        for part in (
            *self.links,
            self.anomalies,
            self.recording,
            self.project_library,
            self.devices,
            self.runner,
        ):
            part.deleteLater()


@pytest.fixture
def room(qtbot, tmp_path):
    opened = Room(tmp_path)
    yield opened
    opened.close()
    qtbot.wait(0)


@pytest.fixture
def trusted(room, qtbot, tmp_path):
    """A project whose commands the person trusted."""
    project = Project.create(tmp_path / "project")
    (project.folder / "anomalies").mkdir()
    (project.folder / "anomalies" / "library.yaml").write_text(LIBRARY)
    with qtbot.waitSignal(room.project_library.opened):
        room.project_library.open(project.folder)
    commands = [command.text for anomaly in (VOLUME, DANGEROUS) for command in anomaly.commands]
    with qtbot.waitSignal(room.project_library.changed):
        room.project_library.grant(TrustRequest(project.folder, None, (), tuple(commands)))
    qtbot.waitUntil(lambda: room.project_library.snapshot.trusted)


def fire(room, qtbot, anomaly=VOLUME):
    room.anomalies.fire(InjectionRequest(anomaly))
    qtbot.waitUntil(lambda: not room.anomalies.is_firing)


def test_a_change_is_active_until_it_is_undone(room, qtbot, trusted):
    room.plug()
    heard, failures = [], []
    room.anomalies.happened.connect(heard.append)
    room.anomalies.failed.connect(failures.append)
    fire(room, qtbot)
    qtbot.waitUntil(lambda: bool(room.anomalies.active or failures))
    assert failures == []
    (change,) = room.anomalies.active
    assert (change.anomaly, change.native, change.earlier) == ("volume", True, False)
    assert change.undo == ("settings put system volume 7",)
    assert change.since is not None
    room.anomalies.undo(change.id)
    qtbot.waitUntil(lambda: not room.anomalies.active)
    assert room.phone.settings["volume"] == "7"
    assert [event.kind for event in heard] == ["injected", "undone"]


def test_the_end_of_the_studio_sets_the_phone_right(room, qtbot, trusted):
    room.plug()
    fire(room, qtbot)
    assert room.phone.settings["volume"] == "0"
    room.anomalies.close()
    assert room.phone.settings["volume"] == "7"


def test_nothing_is_injected_or_restored_while_another_program_has_the_phone(room, qtbot, trusted):
    link = room.plug()
    fire(room, qtbot)
    link.take("The phone is in use by another program")
    with qtbot.waitSignal(room.anomalies.failed) as refused:
        room.anomalies.fire(InjectionRequest(VOLUME))
    assert refused.args[0].what == "The phone is in use by another program"
    with qtbot.waitSignal(room.anomalies.failed):
        room.anomalies.undo()
    assert room.phone.settings["volume"] == "0"
    link.take("")
    room.anomalies.undo()
    qtbot.waitUntil(lambda: room.phone.settings["volume"] == "7")


def test_what_a_crash_left_is_taken_back_at_the_connection(room, qtbot):
    journal = UndoJournal("p1")
    journal.add(PendingChange("old", "volume", ("settings put system volume 5",)))
    journal.add(PendingChange("wanted", "volume", ("settings put system volume 3",), kept=True))
    journal.close()
    with qtbot.waitSignal(room.anomalies.restored) as caught:
        room.plug()
    assert caught.args == [1]
    assert room.phone.settings["volume"] == "5"
    qtbot.waitUntil(lambda: [change.id for change in room.anomalies.active] == ["wanted"])
    assert room.anomalies.active[0].kept
    assert room.anomalies.active[0].earlier


def test_a_phone_that_was_away_is_set_right_when_it_is_back(room, qtbot):
    journal = UndoJournal("p1")
    journal.add(PendingChange("old", "volume", ("settings put system volume 5",)))
    journal.close()
    room.phone.away.set()
    link = room.plug()
    qtbot.waitUntil(lambda: not room.runner.jobs)
    assert room.phone.settings["volume"] == "7"
    room.phone.away.clear()
    with qtbot.waitSignal(room.anomalies.restored):
        link.back.emit()
    assert room.phone.settings["volume"] == "5"


def test_a_living_change_survives_a_loss_of_the_cable_and_a_new_link(room, qtbot, trusted):
    link = room.plug()
    fire(room, qtbot)
    link.back.emit()
    qtbot.waitUntil(lambda: not room.runner.jobs)
    assert room.phone.settings["volume"] == "0"
    room.plug()  # as after a change of the settings
    qtbot.waitUntil(lambda: not room.runner.jobs)
    assert room.phone.settings["volume"] == "0"
    assert len(room.anomalies.active) == 1


def test_another_phone_sets_the_first_one_right(room, qtbot, trusted):
    room.plug()
    fire(room, qtbot)
    room.plug("p2")
    qtbot.waitUntil(lambda: room.phone.settings["volume"] == "7")
    assert room.anomalies.active == ()


def test_a_phone_another_studio_changes_is_told_in_a_sentence(room, qtbot):
    other = UndoJournal("p1")
    other.add(PendingChange("theirs", "volume", ("settings put system volume 5",)))
    with qtbot.waitSignal(room.anomalies.failed) as caught:
        room.plug()
    assert caught.args[0].what == "Another Waymark Studio changes this phone"
    assert room.phone.settings["volume"] == "7"
    other.close()


def test_without_a_phone_nothing_is_injected(room, qtbot):
    with qtbot.waitSignal(room.anomalies.failed) as caught:
        room.anomalies.fire(InjectionRequest(VOLUME))
    assert caught.args[0].why == "no phone is in use"


def test_nothing_of_an_untrusted_project_runs_before_the_person_trusts_it(room, qtbot, tmp_path):
    project = Project.create(tmp_path / "project")
    (project.folder / "anomalies").mkdir()
    (project.folder / "anomalies" / "library.yaml").write_text(LIBRARY)
    with qtbot.waitSignal(room.project_library.opened):
        room.project_library.open(project.folder)
    room.plug()
    with qtbot.waitSignal(room.anomalies.trust_asked) as caught:
        room.anomalies.fire(InjectionRequest(VOLUME))
    wanted = caught.args[0]
    assert not [line for line in room.phone.ran if "put" in line]
    assert [group.name for group in wanted.groups] == ["volume", "dangerous"]
    assert wanted.groups[0].commands[0].command == "settings get system volume"
    assert wanted.groups[1].commands[0].danger
    with qtbot.waitSignal(room.anomalies.happened):
        room.anomalies.trust(wanted)
    assert room.phone.settings["volume"] == "0"
    assert Project.open(project.folder).trusted


def test_what_a_rule_lets_follow_is_asked_about_before_it_is_injected(room, qtbot, tmp_path):
    project = Project.create(tmp_path / "project")
    (project.folder / "rules").mkdir(exist_ok=True)
    (project.folder / "rules" / "injection.yaml").write_text(RULES)
    with qtbot.waitSignal(room.project_library.opened):
        room.project_library.open(project.folder)
    room.plug()
    now_and_edited = {"accept": "settings put system a 1", "deny": "settings put system b 1"}
    request = InjectionRequest(builtin_library().anomalies[0], follow_up=now_and_edited)
    with qtbot.waitSignal(room.anomalies.trust_asked) as caught:
        room.anomalies.fire(request)
    wanted = caught.args[0]
    assert [(group.title, len(group.commands)) for group in wanted.groups] == [
        (builtin_library().anomalies[0].id, 1), ("Rule follows", 1),
    ]  # fmt: skip
    assert set(wanted.commands) == set(now_and_edited.values())


def test_a_project_that_says_of_itself_that_it_is_trusted_is_not(room, qtbot, tmp_path):
    project = Project.create(tmp_path / "project")
    project.set(trusted=True)
    with qtbot.waitSignal(room.project_library.opened):
        room.project_library.open(project.folder)
    room.plug()
    with qtbot.waitSignal(room.anomalies.trust_asked):
        room.anomalies.fire(InjectionRequest(VOLUME))


def test_trust_can_be_taken_away(room, qtbot, trusted):
    room.plug()
    with qtbot.waitSignal(room.project_library.changed):
        room.project_library.distrust()
    qtbot.waitUntil(lambda: not room.project_library.snapshot.trusted)
    with qtbot.waitSignal(room.anomalies.trust_asked):
        room.anomalies.fire(InjectionRequest(VOLUME))


def test_on_a_phone_that_does_not_answer_injecting_and_undoing_are_cancelled(room, qtbot, trusted):
    room.plug()
    fire(room, qtbot)
    failures, refusals = [], []
    room.anomalies.failed.connect(lambda error: failures.append(str(error)))
    room.anomalies.refused.connect(lambda *refused: refusals.append(refused))
    room.phone.silent.set()
    for ask, says in (
        (room.anomalies.undo, "Not everything is undone: it was cancelled"),
        (lambda: room.anomalies.fire(InjectionRequest(VOLUME)), "volume is not injected: it was cancelled"),
    ):
        room.phone.waits.clear()
        job = ask()
        assert job in room.runner.jobs
        assert job.title
        qtbot.waitUntil(room.phone.waits.is_set)
        job.cancel()
        qtbot.waitUntil(lambda says=says: any(failure.startswith(says) for failure in failures))
    assert (len(refusals), room.anomalies.is_firing) == (1, False)
    room.phone.silent.clear()
    with qtbot.waitSignal(room.anomalies.active_changed):
        room.anomalies.undo()
    assert room.phone.settings["volume"] == "7"


@pytest.mark.parametrize("yes", [True, False])
def test_a_dangerous_command_is_asked_about_each_time(room, qtbot, trusted, yes):
    room.plug()
    for _time in range(2):
        with qtbot.waitSignal(room.anomalies.asked) as caught:
            room.anomalies.fire(InjectionRequest(DANGEROUS))
        assert caught.args[0].effects.danger == "erases all data of an app"
        caught.args[0].answer(yes)
        qtbot.waitUntil(lambda: not room.anomalies.is_firing)
    assert room.phone.ran.count("pm clear com.waymark.shop") == (2 if yes else 0)


def test_a_question_nobody_answers_ends_with_the_studio(room, qtbot, trusted):
    room.plug()
    with qtbot.waitSignal(room.anomalies.asked):
        room.anomalies.fire(InjectionRequest(DANGEROUS))
    room.anomalies.close()
    room.runner.close()
    assert "pm clear com.waymark.shop" not in room.phone.ran
