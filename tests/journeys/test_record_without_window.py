"""Golden trajectories are recorded from the phone's own touches on the command line, without a window."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from collector.cli.main import main
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.geometry import Point, Size
from collector.model.task import Task
from collector.model.trajectory import FINISHED, RECORDING
from collector.store.checks.check import check_trajectory
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from collector.store.video.mkv import read_facts
from collector.store.video.recorded_video import video_parts
from tests.helpers.on_device_touch import Hand
from tests.helpers.tasks import put_task
from tests.helpers.virtual import adb_server, virtual_process

SHOP, SEARCH = Point(294, 812), Point(240, 155)
_SECONDS = 30
IN_FRONT = "while ! dumpsys window | grep mCurrentFocus | grep -q com.waymark.shop; do sleep 0.05; done"


class Recorder:
    """The program, and what it has said so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process, self._lines = process, list[str]()
        self._heard = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._heard:
                self._lines.append(line.strip())
                self._heard.notify_all()

    def wait_for(self, words: str) -> None:
        """Wait until a line with these words was said, and forget the lines up to it."""
        with self._heard:
            found = self._heard.wait_for(lambda: any(words in line for line in self._lines), _SECONDS)
            assert found, (words, self._lines)
            place = next(place for place, line in enumerate(self._lines) if words in line)
            del self._lines[: place + 1]

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(_SECONDS)
        self.end_reading()
        return status

    def end_reading(self) -> None:
        self._reader.join(_SECONDS)


@contextmanager
def recording(*words: str) -> Iterator[Recorder]:
    command = [sys.executable, "-m", "collector.cli.main", *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True, env=os.environ
    ) as process:
        recorder = Recorder(process)
        try:
            yield recorder
        finally:
            if process.poll() is None:
                process.kill()
                process.wait(_SECONDS)
            recorder.end_reading()


@pytest.mark.fault("F16")
def test_tasks_are_recorded_one_after_the_other_and_nothing_is_lost(tmp_path, monkeypatch):
    project = Project.create(tmp_path / "project", "Held")
    for name in ("find", "look"):
        put_task(project, Task(name, "Find a mug", "Shop", "com.waymark.shop"))
    options = ("--size", "480x1064", "--density", "210")
    with virtual_process(*options) as (_process, address), adb_server() as adb:
        adb.connect(address)
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
        phone = AdbDevice(address, AdbServer(adb.port))
        hand = Hand(phone, 210)
        place = ("--project", str(project.folder), "--as", "lin")
        # As JSON it says all that it says without, on stderr, which is read here, too.
        with recording(
            "record", "find", "look", "--video", "--json", "--device", address, *place
        ) as recorder:
            recorder.wait_for("Recording find as")
            recorder.type("")
            recorder.wait_for("Nothing is recorded yet")
            hand.tap(SHOP)
            recorder.wait_for("1  Tap 'Shop'")
            phone.shell(IN_FRONT)  # the tap is said before the app has opened
            recorder.wait_for("Next state captured")
            phone.shell("date 010100002020")
            hand.tap(SEARCH)
            recorder.wait_for("2  Tap 'Search products'")
            hand.press("back")
            recorder.wait_for("3  Press Back")
            recorder.type("what?")
            recorder.wait_for("Enter: finish")
            recorder.type("n")
            recorder.wait_for("Finished")
            recorder.wait_for("Recording look as")
            hand.press("home")
            recorder.wait_for("1  Press Home")
            assert recorder.end() == 0
    stored = {path.parent.name: open_trajectory(path) for path in project.folder.glob("trajectories/*/*")}
    find, look = stored["find"], stored["look"]
    assert [step.description for step in find.steps] == [
        "Tap 'Shop'", "Tap 'Search products'", "Press Back", "",
    ]  # fmt: skip
    assert (find.header.status, find.header.who, look.header.status) == (FINISHED, "lin", RECORDING)
    assert [step.description for step in look.steps] == ["Press Home"]
    assert all(find.screenshot(step) and find.tree(step) for step in find.steps)
    times = [step.t_ms for step in find.steps]
    assert times == sorted(times), "the phone's clock was set back"
    assert not any(step.wall_time.startswith("2020") for step in find.steps)
    assert find.header.device["size"] == "480x1064"
    assert find.header.apps, "the versions of its apps are known"
    (video,) = video_parts(find.header)
    facts = read_facts(find.folder / video.file)
    assert facts.size == Size(480, 1064)
    assert facts.length_ms <= times[-1]
    first, second, _third = facts.chapters
    assert first.title.startswith("1. Tap 'Shop'")  # which may have come before the first key frame
    assert second.title == "2. Tap 'Search products'"
    assert all(check_trajectory(trajectory.folder) == [] for trajectory in stored.values())


def test_a_trajectory_is_recorded_again_from_a_step_and_steps_come_before_one(tmp_path, monkeypatch):
    project = Project.create(tmp_path / "project", "Held")
    put_task(project, Task("find", "Find a mug", "Shop", "com.waymark.shop"))
    options = ("--size", "480x1064", "--density", "210")
    with virtual_process(*options) as (_process, address), adb_server() as adb:
        adb.connect(address)
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
        phone = AdbDevice(address, AdbServer(adb.port))
        hand = Hand(phone, 210)
        place = ("--device", address, "--project", str(project.folder), "--as", "lin")
        with recording("record", "find", *place) as recorder:
            recorder.wait_for("Recording find as")
            recorder.type("")
            recorder.wait_for("Nothing is recorded yet")
            hand.tap(SHOP)
            recorder.wait_for("1  Tap 'Shop'")
            phone.shell(IN_FRONT)
            recorder.wait_for("Next state captured")
            hand.tap(SEARCH)
            recorder.wait_for("2  Tap 'Search products'")
            recorder.type("")
            recorder.wait_for("Finished")
        (folder,) = project.trajectory_folders()
        before = (folder / "steps.jsonl").read_bytes()
        with recording("trajectory", "rerecord", folder.name, "2", "--insert", *place) as recorder:
            recorder.wait_for("The phone is where step 2 begins")
            hand.press("volume_up")
            recorder.wait_for("2  Press")
            recorder.type("")
            recorder.wait_for("Finished")
        said = [step.description for step in open_trajectory(folder).steps]
        assert (said[0], said[2:]) == ("Tap 'Shop'", ["Tap 'Search products'", ""])
        assert main(["trajectory", "undo", folder.name, "--project", str(project.folder)]) == 0
        assert (folder / "steps.jsonl").read_bytes() == before
        with recording("trajectory", "rerecord", folder.name, "2", *place) as recorder:
            recorder.wait_for("The phone is where step 2 begins")
            hand.press("home")
            recorder.wait_for("2  Press Home")
            recorder.type("")
            recorder.wait_for("Finished")
    stored = open_trajectory(folder)
    assert [step.description for step in stored.steps] == ["Tap 'Shop'", "Press Home", ""]
    assert stored.header.status == FINISHED
