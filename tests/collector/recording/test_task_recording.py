"""A recording without a window begins, or leaves nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from collector.device.transport.shell_result import ShellResult
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.phone_profiles.profile import NO_PROFILE
from collector.recording.task_recording import TaskRecording
from collector.store.project.project import Project
from tests.helpers.fake_source import FakeClock, FakeSource
from tests.helpers.tasks import put_task


class Session(FakeSource):
    """A started session with a phone that lists no touch screen."""

    def __init__(self) -> None:
        super().__init__(FakeClock())
        self.events = EventEmitter()
        self.profile = NO_PROFILE
        self.info = SimpleNamespace(as_dict=lambda: {"model": "Sealed"})
        refusal = ShellResult(b"", b"could not open /dev/input: Permission denied", 1)
        self.device = SimpleNamespace(serial="sealed", shell=lambda *_words, **_more: refusal)

    def refresh_tree(self) -> None:
        self.dump()

    def watch_keyboard(self, on: bool) -> None:
        pass


@pytest.fixture
def project(tmp_path):
    project = Project.create(tmp_path / "project")
    put_task(project, Task("shop-1", "Buy a mug"))
    return project


def test_a_phone_whose_touches_cannot_be_read_leaves_no_recording(project):
    before = sorted(project.folder.rglob("*"))
    for _time in range(2):
        recording = TaskRecording(project, "shop-1", "lin", Session())
        with pytest.raises(UserError, match="touches of the phone cannot be read"), recording:
            raise AssertionError("it began")
        assert list(project.trajectory_folders()) == []
    assert sorted(project.folder.rglob("*")) == before


def test_a_recording_that_cannot_begin_leaves_the_others_of_its_task(project):
    kept = project.new_trajectory(TrajectoryHeader("", "shop-1", who="lin"))
    kept.close()
    with pytest.raises(UserError), TaskRecording(project, "shop-1", "lin", Session()):
        pass
    assert list(project.trajectory_folders()) == [kept.folder]
