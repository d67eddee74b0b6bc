"""Pictures that cannot be shown: every format is shared without them, says so, and reduces the large ones."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from collector.model.geometry import Size
from collector.model.trajectory import State, TrajectoryHeader
from collector.sharing.export_options import FIXED, ExportOptions
from collector.sharing.exports import FORMATS, export_review
from collector.sharing.markdown_report import MarkdownReport
from collector.sharing.shared_review import SharedReview
from collector.store.project.project import Project
from tests.helpers.hostile_pictures import HUGE, cut_png, garbage_png, huge_png
from tests.helpers.shared_trajectories import PASSWORD_FIELD, screen, shared
from tests.helpers.steps import png, step

SMALL = ExportOptions(timing=FIXED, seconds=1.0, height=120)
SIZE = Size(60, 120)


def recorded(folder: Path, *pictures: bytes, tree: bytes = b"") -> Path:
    with Project.create(folder).new_trajectory(TrajectoryHeader("t", "shop-1")) as writer:
        for number, picture in enumerate(pictures):
            writer.append(step(number, state=State(size=SIZE)), picture, tree or screen(f"Screen {number}"))
        writer.finish()
    return writer.folder


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> SharedReview:
    pictures = (png(60, 120, 90), huge_png(), cut_png(), garbage_png(), b"no picture")
    folders = [recorded(tmp_path_factory.mktemp("hostile") / name, *pictures) for name in ("a", "b")]
    return shared(*folders)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_written(review: SharedReview, tmp_path: Path, name: str) -> None:
    export_review(review, name, tmp_path / f"review.{name}", SMALL)
    assert (tmp_path / f"review.{name}").stat().st_size > 1000


def test_the_steps_say_why_they_have_no_picture(review: SharedReview) -> None:
    steps = review.sides[0].steps
    problems = [review.screens.picture_problem(0, step) for step in steps]
    assert problems[0] == ""
    assert f"too large: {HUGE} pixels" in problems[1]
    assert all(problems[1:])
    assert [review.screens.picture(0, step) is None for step in steps] == [False, True, True, True, True]
    text = MarkdownReport(review, "pictures").text()
    assert f"No picture. The picture is too large: {HUGE} pixels" in text
    assert text.count("<pictures/A-") == 1


def test_what_is_private_is_black_in_a_large_picture_before_it_is_reduced(tmp_path: Path) -> None:
    data = io.BytesIO()
    Image.new("L", (3100, 3100), 230).save(data, "PNG", compress_level=1)
    field = PASSWORD_FIELD.replace("[5,60][55,80]", "[5,61][55,81]")
    secret = shared(recorded(tmp_path / "a", data.getvalue(), tree=screen("Sign in", field)))
    plain = shared(recorded(tmp_path / "b", data.getvalue()))
    pictures = [each.screens.picture(0, each.sides[0].steps[0]) for each in (secret, plain)]
    assert [picture is not None and picture.size for picture in pictures] == [(1550, 1550)] * 2
    grey = np.asarray(pictures[0])[:, :, 0]
    assert grey[900, 700] == 0
    assert grey[100, 700] == grey[1500, 700] == 230
