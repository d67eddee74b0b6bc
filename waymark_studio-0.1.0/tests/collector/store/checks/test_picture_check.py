"""A check names every picture that cannot be shown, with its size and what to do; a redaction removes it."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from collector.model.geometry import Rect
from collector.model.trajectory import TrajectoryHeader
from collector.pictures.limits import MAX_BYTES
from collector.store.checks.check import check_trajectory
from collector.store.files.errors import Damaged
from collector.store.project.project import Project
from collector.store.redaction.step_redaction import StepRedaction
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.dumps import hierarchy, node
from tests.helpers.hostile_pictures import (
    HUGE,
    chunk,
    cut_png,
    encoded,
    garbage_png,
    huge_png,
    png_header,
    png_of,
)
from tests.helpers.steps import png, step, xml

FIELD = hierarchy(node(password="true", text="hunter2", bounds="[0,0][4,4]")).encode()


def recorded(folder: Path, *pictures: bytes, tree: bytes = b"") -> Path:
    """A trajectory whose steps have these pictures, written as a recorder writes them."""
    project = Project.create(folder)
    with project.new_trajectory(TrajectoryHeader("t", "one")) as writer:
        for number, picture in enumerate(pictures):
            writer.append(step(number), picture, tree or xml())
        writer.finish()
    return writer.folder


def test_pictures_of_every_format_are_in_order(tmp_path: Path) -> None:
    formats = [encoded(name) for name in ("JPEG", "WEBP", "BMP", "GIF")]
    assert check_trajectory(recorded(tmp_path / "p", png(), *formats)) == []


def test_a_huge_picture_is_an_error_that_says_its_size_and_what_to_do(tmp_path: Path) -> None:
    (finding,) = check_trajectory(recorded(tmp_path / "p", png(), huge_png()))
    assert (finding.code, finding.severity, finding.steps) == ("picture-too-large", "error", (1,))
    assert finding.what == (
        f"states/0001.png cannot be shown or compared. The picture is too large: {HUGE} pixels. At most 36 "
        "million pixels, and 16384 a side, are decoded. Make it smaller, or take it again"
    )


HALF = png_of(png_header(40, 80), chunk(b"IDAT", zlib.compress(bytes(range(41)) * 80)[:60]))
"""The checksums are right, but the pixels end in the middle."""


@pytest.mark.parametrize("picture", [b"no picture", cut_png(), garbage_png(), encoded("JPEG")[:300], HALF])
def test_a_picture_that_is_none_or_not_whole_is_a_warning(tmp_path: Path, picture: bytes) -> None:
    (finding,) = check_trajectory(recorded(tmp_path / "p", picture))
    assert (finding.code, finding.severity) == ("picture-damaged", "warning")


def test_a_file_over_the_limit_of_bytes_is_not_read(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "p", png())
    with (folder / "states/0000.png").open("r+b") as file:
        file.truncate(MAX_BYTES + 1)  # sparse
    assert {finding.code for finding in check_trajectory(folder)} == {"picture-too-large", "hash-differs"}
    stored = open_trajectory(folder)
    with pytest.raises(Damaged, match="too large to be read"):
        stored.screenshot(stored.steps[0])


def test_a_screenshot_that_cannot_be_redacted_is_removed_whole(tmp_path: Path) -> None:
    for number, picture in enumerate((huge_png(), cut_png())):
        folder = recorded(tmp_path / str(number), picture, tree=FIELD)
        done = StepRedaction(folder, 0).apply()[0]
        assert (done.state.screenshot, bool(done.state.tree)) == ("", True)
        assert done.state.problem == "The screenshot was removed because it could not be redacted"
        assert not list(folder.glob("states/*.png"))


def test_without_a_place_to_hide_a_picture_stays_as_it_is(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "p", cut_png())
    done = StepRedaction(folder, 0).apply()[0]
    assert (folder / done.state.screenshot).read_bytes() == cut_png()
    assert done.state.problem == ""


def test_a_picture_and_a_tree_that_cannot_be_redacted_are_both_removed(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "p", cut_png(), tree=FIELD[:-20])
    done = StepRedaction(folder, 0, [Rect(0, 0, 4, 4)]).apply()[0]
    assert (done.state.screenshot, done.state.tree) == ("", "")
    assert "The screenshot and the tree were removed" in done.state.problem
