"""Trajectories of a stranger in Review: it aligns without pictures that cannot be shown, and says why."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from tests.helpers.hostile_pictures import HUGE, cut_png, garbage_png, huge_png


def status(room, key: str) -> str:
    """What an item of the status bar says."""
    cells = room.studio.window.status.findChildren(QWidget)
    return next(cell.accessibleName() for cell in cells if cell.property("key") == key)


def with_pictures(folder, *pictures: bytes) -> None:
    """Replace the pictures that were recorded; without trees, steps are known by them."""
    for number, picture in enumerate(pictures):
        (folder / f"states/{number:04}.png").write_bytes(picture)
        (folder / f"states/{number:04}.xml").unlink()


def test_a_run_with_huge_pictures_is_aligned_and_each_place_of_a_picture_says_why_there_is_none(room):
    with_pictures(room.folders["interrupted"], huge_png(), cut_png(), garbage_png(), huge_png())
    room.open("interrupted", step="0")
    columns = room.workspace.columns.columns
    assert room.session.is_aligned
    assert status(room, "aligned").startswith("aligned, ")
    room.until(lambda: columns[2].view.notice[0] == "The picture cannot be shown")
    assert f"too large: {HUGE} pixels" in columns[2].view.notice[1]
    assert columns[0].view.notice == ("", "")
    panel = room.workspace.side
    room.until(lambda: panel.pixels.view.notice[0] == "C has no picture at this step")
    assert f"too large: {HUGE} pixels" in panel.pixels.view.notice[1]
    room.session.go(1)
    room.until(lambda: "damaged" in columns[2].view.notice[1])
    assert room.toasts == []


def test_an_alignment_that_fails_says_so_and_ends_the_wait(room):
    events = room.folders["interrupted"] / "events.jsonl"
    events.unlink()
    events.mkdir()
    room.studio.commander.run("review.open", folder=str(room.folders["interrupted"]), step="1")
    room.until(lambda: room.session.cannot_align)
    assert not room.session.is_aligned
    assert status(room, "aligned") == "not aligned"
    assert room.workspace.timeline.header.title.accessibleName() == "3 trajectories that could not be aligned"
    assert any("events.jsonl cannot be read" in toast for toast in room.toasts)
    assert room.session.count == 5, "the steps are side by side by their numbers"
    events.rmdir()
    room.open("interrupted")
    assert not room.session.cannot_align
