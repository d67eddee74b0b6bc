"""A video beside the steps: which pictures reach the disk, when, and in which file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from collector.model.action import Type
from collector.pictures.encoded_picture import EncodedPicture
from collector.pictures.video_file import video_pictures
from collector.recorder.events import RecorderNotice
from collector.recorder.video.held_pictures import HeldPictures
from collector.recorder.video.video_recording import VideoRecording
from collector.store.checks.check import check_trajectory
from collector.store.redaction.step_redaction import StepRedaction
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.recover import recover
from collector.store.trajectory.writer import TrajectoryWriter
from collector.store.video.mkv import Chapter, cut_video, read_facts
from collector.store.video.recorded_video import video_parts
from tests.helpers.dumps import node
from tests.helpers.recorder_rig import BUY, SECRET
from tests.helpers.video_rig import LANDSCAPE, PORTRAIT, VideoRig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[VideoRig]:
    rig = VideoRig(tmp_path)
    rig.screen(10, BUY)
    yield rig
    rig.close()


def test_pictures_go_as_they_are_into_a_file_with_a_chapter_for_each_step(rig: VideoRig) -> None:
    rig.play(1000)
    rig.tap_and_play(2000)
    rig.tap_and_play(2000)
    rig.finish()
    (part,), facts = rig.parts, rig.facts()
    steps = rig.writer.steps
    assert (part.file, part.from_ms, part.size, part.left_out) == ("video.mkv", 0, PORTRAIT, ())
    assert [chapter.start_ms for chapter in facts.chapters] == [step.t_ms for step in steps[:2]]
    assert facts.chapters[1].title == f"2. {steps[1].description}"
    assert facts.length_ms == pytest.approx(steps[-1].t_ms, abs=100)
    assert sum(1 for _frame in video_pictures(rig.writer.folder / "video.mkv")) == facts.pictures
    assert facts.pictures == pytest.approx(steps[-1].t_ms / 100, abs=2)
    assert check_trajectory(rig.writer.folder) == []


def test_a_recording_without_one_has_no_video(tmp_path: Path) -> None:
    rig = VideoRig(tmp_path)
    rig.video.follow(None)
    rig.play(500)
    rig.tap_and_play()
    rig.finish()
    assert not list(rig.writer.folder.glob("*.mkv"))
    assert "video" not in rig.writer.header.extra


def test_what_was_shown_where_a_password_is_typed_never_reaches_the_disk(rig: VideoRig) -> None:
    rig.play(1000)
    rig.tap_and_play(3000)
    rig.screen(20, SECRET)
    rig.recorder.text("hunter2")
    rig.play(4000)
    rig.screen(30, BUY)
    before = (rig.writer.folder / "video.mkv").stat().st_size
    rig.play(1000)
    rig.tap_and_play(4000)
    rig.tap_and_play(2000)
    rig.finish()
    (part,), facts, steps = rig.parts, rig.facts(), rig.writer.steps
    assert isinstance(steps[1].action, Type)
    assert steps[1].redacted
    assert before < (rig.writer.folder / "video.mkv").stat().st_size
    ((begin, end),) = part.left_out
    assert steps[0].t_ms - 350 <= begin <= steps[0].t_ms
    assert steps[2].t_ms <= end <= steps[2].t_ms + 700
    assert facts.left_out == part.left_out
    assert "not in the video" in facts.chapters[1].title
    times = [picture.t_ms for picture in video_pictures(rig.writer.folder / "video.mkv")]
    assert not [ms for ms in times if begin <= ms < end]
    assert [ms for ms in times if ms < begin]
    assert [ms for ms in times if ms > end]


def test_nothing_is_written_before_the_step_behind_it(rig: VideoRig) -> None:
    rig.play(3000)
    assert not (rig.writer.folder / "video.mkv").exists()
    rig.tap_and_play()
    assert (rig.writer.folder / "video.mkv").exists()


def test_a_pause_is_not_in_the_video(rig: VideoRig) -> None:
    rig.play(1000)
    rig.tap_and_play(1000)
    rig.recorder.pause()
    paused = rig.recorder.elapsed_ms
    rig.play(5000)
    asked = rig.phone.asked
    rig.recorder.resume()
    assert rig.phone.asked > asked
    rig.play(1000)
    rig.tap_and_play(1000)
    rig.finish()
    assert rig.facts().length_ms == pytest.approx(rig.writer.steps[-1].t_ms, abs=100)
    assert rig.facts().pictures == pytest.approx(rig.writer.steps[-1].t_ms / 100, abs=3)
    assert paused < rig.writer.steps[1].t_ms


def test_a_turned_screen_begins_another_part(rig: VideoRig) -> None:
    rig.play(1000)
    rig.tap_and_play(1000)
    rig.phone.show(LANDSCAPE)
    rig.play(1000)
    rig.tap_and_play(1000)
    rig.finish()
    first, second = rig.parts
    assert (first.file, first.size) == ("video.mkv", PORTRAIT)
    assert (second.file, second.size) == ("video-2.mkv", LANDSCAPE)
    assert second.from_ms == pytest.approx(first.from_ms + first.length_ms, abs=200)
    assert rig.facts(1).from_ms == second.from_ms
    assert [chapter.title[:2] for chapter in rig.facts(1).chapters] == ["2."]
    assert second.offset_of(rig.writer.steps[1].t_ms) is not None
    assert first.offset_of(rig.writer.steps[1].t_ms) is None


def test_a_killed_recording_keeps_its_video_up_to_the_last_steps(rig: VideoRig, tmp_path: Path) -> None:
    rig.play(2000)
    for _number in range(4):
        rig.tap_and_play(2000)
    killed = tmp_path / "killed"
    shutil.copytree(rig.writer.folder, killed, ignore=shutil.ignore_patterns(".lock*"))
    written = read_facts(killed / "video.mkv")
    assert written.length_ms == 0
    recover(killed)
    stored = open_trajectory(killed)
    (part,) = video_parts(stored.header)
    facts = read_facts(killed / "video.mkv")
    assert facts.pictures == written.pictures
    assert part.length_ms == facts.length_ms > stored.steps[2].t_ms - 2000
    assert [chapter.start_ms for chapter in facts.chapters][:3] == [step.t_ms for step in stored.steps[:3]]
    assert check_trajectory(killed) == []


def test_a_lost_phone_goes_on_in_the_same_file_with_a_key_frame(rig: VideoRig) -> None:
    rig.play(1000)
    rig.tap_and_play(2000)
    rig.recorder.device_lost("unplugged")
    rig.video.follow(None)
    rig.pass_ms(60_000, every=1000)
    rig.recorder.device_back()
    rig.video.follow(rig.phone)
    rig.play(1000)
    rig.tap_and_play(2000)
    rig.finish()
    (part,) = rig.parts
    assert part.length_ms == pytest.approx(rig.writer.steps[-1].t_ms, abs=100)
    times = [picture.t_ms for picture in video_pictures(rig.writer.folder / "video.mkv")]
    assert max(after - before for before, after in pairwise(times)) <= 300, (
        "the time it was away is not in it"
    )


def test_what_is_redacted_in_a_killed_recording_is_cut_before_it_is_recovered(
    rig: VideoRig, tmp_path: Path
) -> None:
    rig.play(2000)
    for number in range(5):
        rig.screen(40 * number, node(text=f"Item {number}", clickable="true", bounds="[0,0][360,400]"))
        rig.tap_and_play(2000)
    steps = rig.writer.steps
    for name in ("redacted", "recovered"):
        killed = tmp_path / name
        shutil.copytree(rig.writer.folder, killed, ignore=shutil.ignore_patterns(".lock*"))
        if name == "redacted":
            StepRedaction(killed, 2).apply()
        else:  # the step was hidden, and the program was killed before the video was closed
            lines = (killed / "steps.jsonl").read_text().splitlines()
            lines[2] = lines[2].replace('"action"', '"redacted": true, "action"', 1)
            (killed / "steps.jsonl").write_text("\n".join(lines) + "\n")
            recover(killed)
        (part,) = video_parts(open_trajectory(killed).header)
        ((begin, end),) = part.left_out
        assert begin <= steps[1].t_ms
        assert end >= steps[3].t_ms
        assert read_facts(killed / "video.mkv").left_out == ((begin, end),)


def test_a_recording_that_goes_on_has_another_part(rig: VideoRig, tmp_path: Path) -> None:
    rig.play(1000)
    rig.tap_and_play(1000)
    rig.tap_and_play(1000)
    rig.close()
    again = VideoRig.__new__(VideoRig)
    again.__dict__.update(rig.__dict__)
    again.writer = TrajectoryWriter.open(rig.writer.folder)
    again.recorder = again.record()
    again.video = VideoRecording(again.recorder, again.writer)
    again.video.follow(rig.phone)
    again.play(1000)
    again.tap_and_play(1000)
    again.finish()
    first, second = again.parts
    assert first == rig.parts[0]
    assert second.file == "video-2.mkv"
    assert second.from_ms > first.from_ms + first.length_ms


def test_a_phone_without_a_video_says_so_once(rig: VideoRig) -> None:
    rig.phone.has_video = False
    rig.tap_and_play(500)
    rig.tap_and_play(500)
    rig.finish()
    notices = [event for event in rig.events if isinstance(event, RecorderNotice)]
    assert [notice.what for notice in notices] == [
        "No video is recorded: the phone is shown by single pictures"
    ]


def test_a_disk_that_refuses_the_video_does_not_end_the_recording(
    rig: VideoRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.play(1000)
    rig.tap_and_play(1000)
    path = rig.writer.folder / "video.mkv"
    assert path.exists()

    def full(*_args: object, **_keys: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("av.Packet", full)
    rig.tap_and_play(1000)
    rig.tap_and_play(1000)
    monkeypatch.undo()
    rig.finish()
    assert len(rig.writer.steps) == 4
    notices = [event.what for event in rig.events if isinstance(event, RecorderNotice)]
    assert len(notices) == 1
    assert "there is no room left" in notices[0]


def test_what_waits_is_bounded(rig: VideoRig) -> None:
    held = HeldPictures(most_bytes=20_000)
    taken: list[EncodedPicture] = []
    rig.video.follow(None)
    rig.phone.encoded.subscribe(taken.append)
    for number in range(400):
        taken.clear()
        rig.phone.send()
        held.take(taken[0], number * 100)
    assert sum(map(len, (data for group in held.close() for _t, data in group.pictures))) <= 20_000
    assert held.left_out


def test_a_hidden_screen_takes_what_follows_with_it_up_to_the_key_frame_that_is_asked_for() -> None:
    """As from a phone that sends a key frame in ten seconds, and one when it is asked."""
    held, written = HeldPictures(), list[int]()

    def take(*times: int, key_at: int = -1) -> None:
        for ms in times:
            held.take(EncodedPicture(b"p", ms, is_key=ms == key_at, parameters=b"s"), ms)

    def step(t_ms: int, *, redacted: bool = False) -> None:
        written.extend(ms for group in held.step(t_ms, redacted=redacted) for ms, _data in group.pictures)

    take(*range(0, 3000, 100), key_at=0)
    step(3000)
    assert not held.wants_key_frame
    take(*range(3000, 5000, 100))
    step(5000, redacted=True)
    assert not held.wants_key_frame, "it would only be left out, too"
    take(*range(5000, 6000, 100))
    step(6000)
    assert held.wants_key_frame
    take(*range(6000, 6400, 100))
    take(*range(6400, 9000, 100), key_at=6400)
    step(9000)
    assert not held.wants_key_frame
    written += [ms for group in held.close() for ms, _data in group.pictures]
    assert written == [*range(0, 2750, 100), *range(6400, 9000, 100)]
    assert held.left_out == [(2750, 6400)]


def test_redacting_a_step_later_cuts_the_video(rig: VideoRig) -> None:
    rig.play(1000)
    for number in range(4):
        rig.screen(40 * number, node(text=f"Item {number}", clickable="true", bounds="[0,0][360,400]"))
        rig.tap_and_play(2000)
    rig.screen(250, node(text="End"))
    rig.finish()
    folder, before, steps = rig.writer.folder, rig.facts(), rig.writer.steps
    StepRedaction(folder, 2).apply()
    (part,) = video_parts(open_trajectory(folder).header)
    ((begin, end),) = part.left_out
    assert begin <= steps[1].t_ms
    assert end >= steps[3].t_ms
    after = read_facts(folder / "video.mkv")
    assert after.pictures < before.pictures
    assert after.left_out == ((begin, end),)
    assert check_trajectory(folder) == []


def test_a_video_that_was_changed_or_lost_is_found(rig: VideoRig) -> None:
    rig.play(1000)
    rig.tap_and_play(1000)
    rig.finish()
    path = rig.writer.folder / "video.mkv"
    shutil.copy(path, path.with_name("video-7.mkv"))
    path.write_bytes(path.read_bytes()[:-1])
    assert [finding.code for finding in check_trajectory(rig.writer.folder)] == ["hash-differs", "stray"]
    path.unlink()
    assert [finding.code for finding in check_trajectory(rig.writer.folder)] == ["blob-missing", "stray"]


def test_cutting_goes_to_the_next_key_frame_and_what_is_left_can_be_decoded(rig: VideoRig) -> None:
    rig.play(1000)
    rig.tap_and_play(3000)
    rig.finish()
    path = rig.writer.folder / "video.mkv"
    late = path.with_name("late.mkv")
    shutil.copy(path, late)
    assert cut_video(late, [(1520, 1530)]) == ((1270, 1560),)
    assert cut_video(late, [(1520, 1530)]) == ((1270, 1560),), "what is missing is cut once"
    whole, left = ([it.t_ms for it in video_pictures(each)] for each in (path, late))
    assert left == [ms for ms in whole if not 1270 <= ms < 1560]
    assert [ms for ms in left if 1060 < ms < 1270], "pictures before it stand on earlier ones alone"
    late.unlink()
    assert cut_video(path, [(1200, 1300)]) == ((1060, 1560),)
    assert cut_video(path, [], [Chapter(0, "你好")]) == ((1060, 1560),)
    assert read_facts(path).chapters == (Chapter(0, "你好"),)
    at_once = [Chapter(0, "a"), Chapter(500, "b"), Chapter(500, "c"), Chapter(500, "d"), Chapter(900, "e")]
    cut_video(path, [], at_once)
    assert [chapter.title for chapter in read_facts(path).chapters] == ["a", "b", "c", "d", "e"]
    assert cut_video(path, [(0, 100_000)])[0][0] == 0
    assert not path.exists()
