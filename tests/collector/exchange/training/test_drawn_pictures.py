"""A screen is drawn once, only where a sample shows it, by several threads on several cores."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from collector.agents.openai.shown_picture import draw_picture
from collector.exchange.training import drawn_pictures
from collector.model.action import Complete, Tap
from collector.model.geometry import Rect
from collector.model.task import Task
from collector.model.trajectory import RUN
from collector.store.project.project import Project
from tests.helpers.taught import add_trajectory, button, dump, exported, new_project, node

TREE = dump(node("Buy", "[10,20][60,50]"), node("Sell", "[10,60][60,90]"))


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was given to the function that draws."""
    calls: list[object] = []

    def counting(*given: object) -> object:
        calls.append(given)
        return draw_picture(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(drawn_pictures, "draw_picture", counting)
    return calls


def of_cores(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    monkeypatch.setattr(drawn_pictures, "usable_cores", lambda: cores)


def two_alike(folder: Path) -> Project:
    """Two trajectories with the same three screens, the last of which cannot be decoded."""
    project = new_project(folder, Task("t", "Do it", package="a"))
    for name in ("g", "h"):
        made = add_trajectory(project, name, [Tap(1, 1), Tap(2, 2), Tap(3, 3)])
        picture = made / "states" / "0002.png"
        picture.write_bytes(undecodable(picture.read_bytes()))
    return project


def undecodable(data: bytes) -> bytes:
    """A PNG with its header and its chunks, which has hardly a pixel."""
    start = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[start - 4 : start])
    chunk = b"IDAT" + zlib.compress(b"\0")
    whole = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return data[: start - 4] + whole + data[start + 8 + length :]


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*.*")}


def test_one_core_and_several_write_the_same_and_draw_a_screen_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn: list[object]
) -> None:
    project = two_alike(tmp_path / "p")
    of_cores(monkeypatch, 1)
    one = exported(project, "trl", tmp_path / "one", history_images=2)
    assert len(drawn) == 3
    of_cores(monkeypatch, 2)
    two = exported(project, "trl", tmp_path / "two", history_images=2)
    assert len(drawn) == 6
    assert content(one.path) == content(two.path)
    assert set(one.findings) == set(two.findings)
    left_out = [item for item in two.findings if item.code == "picture-left-out"]
    assert {item.steps for item in left_out} == {("3",)}


def test_only_the_latest_pictures_are_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn: list[object]
) -> None:
    project = two_alike(tmp_path / "p")
    of_cores(monkeypatch, 1)
    monkeypatch.setattr(drawn_pictures, "_REMEMBERED_BYTES", 0)
    exported(project, "trl", tmp_path / "out")
    assert len(drawn) == 6


def test_a_preference_draws_the_screen_where_two_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn: list[object]
) -> None:
    project = new_project(tmp_path / "p", Task("t", "Do it", package="a"))
    touched = {0: button("Buy", Rect(10, 20, 60, 50))}
    add_trajectory(project, "g", [Tap(30, 30), None], trees={0: TREE, 1: TREE}, targets=touched)
    worse = [Tap(20, 70), Tap(1, 1), Tap(2, 2), Complete()]
    add_trajectory(project, "lost", worse, kind=RUN, status="failure", trees=dict.fromkeys(range(4), TREE))
    of_cores(monkeypatch, 2)
    result = exported(project, "trl", tmp_path / "out", content="preferences")
    assert (result.path / "train.jsonl").read_text("utf-8").count("\n") == 1
    assert len(drawn) == 1
