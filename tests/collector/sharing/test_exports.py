"""Videos, animations, contact sheets and reports: they hold every step, and no secret."""

from __future__ import annotations

import io
import re
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from collector.comparison.alignment.aligned import LETTERS
from collector.model.errors import UserError
from collector.pictures.drawn_text import FrameTextStyle, draw_text, text_width
from collector.sharing.contact_sheet import ContactSheet
from collector.sharing.export_options import FIXED, ExportOptions
from collector.sharing.export_progress import ExportCancelled, ExportProgress
from collector.sharing.exports import FORMATS, export_review, suggested_name
from collector.sharing.frames import ReviewFrames
from collector.sharing.markdown_report import MarkdownReport
from collector.sharing.shared_review import SharedReview
from tests.helpers.shared_trajectories import HOSTILE, SECRET, shared

SMALL = ExportOptions(timing=FIXED, seconds=1.0, height=120)


def test_frames_are_even_and_the_action_is_drawn_over_the_second(review: SharedReview) -> None:
    frames = ReviewFrames(review, SMALL)
    assert frames.size.width % 2 == frames.size.height % 2 == 0
    before, after = (frames.draw(0, acts=acts) for acts in (False, True))
    assert before.shape == after.shape == (frames.size.height, frames.size.width, 3)
    differing = np.argwhere((before != after).any(axis=2))
    top, bottom = differing[:, 0].min(), differing[:, 0].max()
    assert 76 <= top < bottom <= 76 + 120, "nothing but the screens changes"
    light = ReviewFrames(review, ExportOptions("light", height=120)).draw(0, acts=False)
    assert light[0, 0].min() > 200 > 60 > before[0, 0].max()


def test_a_slot_lasts_as_long_as_its_longest_step(review: SharedReview) -> None:
    recorded = ReviewFrames(review, ExportOptions(speed=2.0))
    assert recorded.duration(0) == 500
    assert recorded.duration(len(recorded.slots) - 1) == 300, "the shortest"
    assert ReviewFrames(review, SMALL).duration(0) == 1000


def test_a_video_plays_every_slot(review: SharedReview, tmp_path: Path) -> None:
    path = tmp_path / "review.mp4"
    export_review(review, "mp4", path, SMALL)
    with av.open(str(path)) as video:
        stream = video.streams.video[0]
        frames = ReviewFrames(review, SMALL)
        assert (stream.width, stream.height) == (frames.size.width, frames.size.height)
        times = [float(frame.time) for frame in video.decode(stream)]
        assert times == sorted(times)
        assert times[-1] == pytest.approx(len(frames.slots), abs=0.1)
        assert video.metadata["title"].startswith("Buy <b>it</b>")
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat"), "it plays while it loads"


def test_an_animation_has_two_frames_a_slot_and_repeats(review: SharedReview, tmp_path: Path) -> None:
    path = tmp_path / "review.gif"
    export_review(review, "gif", path, SMALL)
    with Image.open(path) as picture:
        frames = ReviewFrames(review, SMALL)
        durations = []
        for number in range(picture.n_frames):
            picture.seek(number)
            durations.append(picture.info["duration"])
        assert sum(durations) == pytest.approx(1000 * len(frames.slots), rel=0.02)
        assert picture.info["loop"] == 0
        picture.seek(0)
        shown = np.asarray(picture.convert("RGB")).astype(int)
    assert np.abs(shown - frames.draw(0, acts=False)).mean() < 4


def test_a_sheet_has_a_thumbnail_for_each_step_and_an_outline_for_each_gap(review: SharedReview) -> None:
    sheet = ContactSheet(review, ExportOptions())
    with Image.open(io.BytesIO(sheet.png(ExportProgress()))) as picture:
        assert picture.size == (sheet.size.width, sheet.size.height)
        pixels = np.asarray(picture.convert("RGB"))
    ground = pixels[200, 5]
    step = pixels[92 : 92 + 200, 174 : 174 + 120]
    gap = pixels[92 + 10 : 92 + 190, 174 + 138 + 10 : 174 + 138 + 110]
    assert (step != ground).any(axis=2).mean() > 0.9
    assert (gap == ground).all()


@pytest.mark.fault("F27")
def test_a_report_says_everything_and_nothing_in_it_is_markup(review: SharedReview) -> None:
    report = MarkdownReport(review, "report_pictures")
    text = report.text()
    assert SECRET not in text
    assert "First divergence: slot 2" in text
    assert "| signed-in" not in text
    assert r"| Signed in \<b\>now\</b\> |  | reached (2) |" in text
    assert re.search(r"^- \*\*B\*\*, slot 2: 1 step under the anomaly low\\_battery$", text, re.MULTILINE)
    assert not re.search(r"(?<!\\)<(?!br>|report_pictures/)", text)
    assert not re.search(r"(?<!\\)\]\((?!<report_pictures/)", text)
    tables = [line for line in text.splitlines() if line.startswith("|")]
    columns = {len(re.findall(r"(?<!\\)\|", line)) - 1 for line in tables}
    assert columns == {3, 4, 8}
    pictures = report.pictures(ExportProgress())
    assert set(re.findall(r"<report_pictures/([^>]+)>", text)) == set(pictures)
    assert len(pictures) == 4 + len(HOSTILE) + 3
    assert "report_pictures" not in MarkdownReport(review).text()


@pytest.mark.parametrize("name", FORMATS)
def test_a_cancelled_export_leaves_nothing(name: str, review: SharedReview, tmp_path: Path) -> None:
    cancelled = ExportProgress(is_cancelled=lambda: True)
    with pytest.raises(ExportCancelled):
        export_review(review, name, tmp_path / f"review.{name}", SMALL, cancelled)
    assert list(tmp_path.iterdir()) == []


def test_trajectories_without_steps_are_refused(folders: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="The trajectories have no steps"):
        export_review(shared(folders["empty"]), "html", tmp_path / "review.html")


def test_one_side_without_steps_is_all_gaps(folders: dict[str, Path]) -> None:
    review = shared(folders["golden"], folders["empty"])
    frames = ReviewFrames(review, SMALL)
    assert frames.draw(0, acts=True).any()
    assert ContactSheet(review, ExportOptions()).png(ExportProgress())
    assert [side.letter for side in review.sides] == list(LETTERS[:2])


def test_a_file_is_named_after_the_trajectory_or_its_task(
    folders: dict[str, Path], review: SharedReview
) -> None:
    assert suggested_name(review.aligned, "mp4") == "shop-1.mp4"
    assert suggested_name(shared(folders["golden"]).aligned, "html") == "golden-1.html"


def test_any_text_can_be_drawn_and_is_cut_where_it_ends() -> None:
    import skia

    style = FrameTextStyle(12, 0xFFFFFFFF)
    canvas = skia.Surface(400, 100).getCanvas()
    for text in (*HOSTILE, "设置 — 网络和互联网", "\ud800"):
        assert draw_text(canvas, text, (0, 0), style, 200, 2) <= 2.5 * style.line
        assert text_width(text, style) > 0
    assert draw_text(canvas, "", (0, 0), style, 200) == 0
