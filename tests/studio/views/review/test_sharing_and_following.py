"""Share what is open, mark steps, and follow a trajectory that is still written."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

from collector.model.errors import UserError
from collector.model.trajectory import TrajectoryHeader
from studio.views.review.share_controller import ShareDialog
from tests.helpers.review_room import TASK
from tests.helpers.studios import end_studio, new_studio
from tests.helpers.writer_process import WriterProcess

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", extend=True)


def test_what_is_open_is_shared_as_a_page(room, tmp_path) -> None:
    room.open("interrupted")
    room.run("review.share")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ShareDialog)
    assert dialog.timing.isHidden()
    dialog.form.setCurrentIndex(dialog.form.findData("mp4"))
    assert not dialog.timing.isHidden()
    dialog.form.setCurrentIndex(dialog.form.findData("html"))
    dialog.accept()
    files = QApplication.activeModalWidget()
    assert isinstance(files, QFileDialog)
    files.reject()
    page = tmp_path / "review.html"
    room.workspace.shares.save(str(page))
    room.until(page.exists)
    text = page.read_text(encoding="utf-8")
    assert "golden-1" in text
    assert "low_battery" in text


def test_bookmarks_are_kept_in_the_file_of_the_person(room) -> None:
    bookmarks = room.workspace.bookmarks
    room.open()
    room.session.go(3)
    room.run("review.bookmark")
    room.until(lambda: bookmarks.slots == [3])
    room.session.go(0)
    room.run("review.next-bookmark")
    assert room.session.slot == 3
    room.run("review.close")
    assert bookmarks.slots == []
    room.open()
    room.until(lambda: bookmarks.slots == [3])
    room.studio.commander.run("app.work-as", name="sara")
    room.until(lambda: bookmarks.slots == [])
    room.studio.commander.run("app.work-as", name="lin")
    room.until(lambda: bookmarks.slots == [3])
    room.session.go(3)
    room.run("review.bookmark")
    room.until(lambda: bookmarks.slots == [])
    room.run("edit.undo")
    room.until(lambda: bookmarks.slots == [3])


def test_a_trajectory_without_a_step_has_no_place_for_a_bookmark(room) -> None:
    project = room.studio.project_library.project
    with project.new_trajectory(TrajectoryHeader("empty", TASK, who="lin")) as writer:
        writer.finish()
    room.workspace.open_trajectory(f"trajectories/{TASK}/empty")
    room.until(lambda: [stored.header.id for stored in room.session.stored] == ["empty"])
    room.until(lambda: room.session.is_aligned)
    room.run("review.bookmark")
    assert room.workspace.bookmarks.slots == []


def test_bookmarks_are_there_after_the_next_start(room, qtbot, tmp_path) -> None:
    room.open()
    room.session.go(2)
    room.run("review.bookmark")
    room.until(lambda: room.workspace.bookmarks.slots == [2])
    end_studio(room.studio, qtbot)
    room.studio = new_studio(tmp_path, "review")
    with qtbot.waitSignal(room.studio.project_library.opened):
        room.studio.project_library.open(room.folder)
    room.open()
    room.until(lambda: room.workspace.bookmarks.slots == [2])


def test_steps_of_a_running_episode_appear_as_they_are_written(room, tmp_path) -> None:
    process = WriterProcess()
    try:
        process.create(tmp_path)
        folder = process.folder
        process.do("append", 0, 1)
        room.studio.commander.run("review.open", folder=str(folder))
        session = room.session
        room.until(lambda: session.is_aligned and len(session.stored[-1].steps) == 2)
        room.until(lambda: folder in session.live_folders)
        selection = room.studio.selection
        assert selection.task_id == "t"
        selection.choose_task(TASK)
        process.do("append", 2)
        room.until(lambda: session.is_aligned and session.count == 3)
        assert selection.task_id == TASK  # a new alignment of the same step takes no choice back
        room.run("review.last-step")
        assert selection.task_id == "t"
        process.do("append", 3)
        room.until(lambda: len(session.stored[-1].steps) == 4)
        room.until(lambda: session.slot == 3)  # who looks at the end stays there
        process.do("finish")
        room.until(lambda: not session.live_folders)
    finally:
        process.end()


def test_a_zipped_trajectory_shows_its_screens_and_is_not_judged(room, tmp_path) -> None:
    zipped = shutil.make_archive(str(tmp_path / "run"), "zip", room.folders["interrupted"])
    room.studio.commander.run("review.open", folder=zipped)
    room.until(lambda: room.session.is_aligned)
    assert [stored.header.id for stored in room.session.stored] == ["golden-1", "baseline", "interrupted"]
    column = room.workspace.columns.columns[2]
    room.until(lambda: column.view.frame is not None)
    assert column.view.frame.image.size().toTuple() == (40, 80)
    thumbnails = room.workspace.thumbnails.cache
    name = room.session.stored[2].steps[0].state.screenshot
    room.until(lambda: thumbnails.pixmap((zipped, name), 20, 40, 1.0) is not None)
    with pytest.raises(UserError, match="not part of the open project"):
        room.run("review.judge-success")


def test_what_leaves_while_it_is_being_opened_is_not_opened(room) -> None:
    room.open()
    session, leaving = room.session, room.studio.window.services.trajectories.leaving
    before = [stored.folder for stored in session.stored]
    session.open([room.folders["golden"], room.folders["baseline"]], with_companions=False)
    leaving.emit(room.folders["golden"])
    room.until(lambda: [stored.folder for stored in session.stored] == [room.folders["baseline"]])
    session.open([room.folders["golden"]], with_companions=False)
    leaving.emit(room.folders["golden"])
    room.until(lambda: session.is_aligned)
    assert [stored.folder for stored in session.stored] == [room.folders["baseline"]] != before
    session.open([room.folders["baseline"]], with_companions=False)  # it is shown, and opened once more
    leaving.emit(room.folders["baseline"])
    assert session.stored == ()
