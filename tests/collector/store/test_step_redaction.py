"""What is redacted is in no file any more, and the rest is untouched."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from collector.model.action import Type
from collector.model.geometry import Rect
from collector.model.trajectory import TrajectoryHeader
from collector.store.check import check_trajectory
from collector.store.errors import Damaged
from collector.store.step_redaction import redact_step
from collector.store.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

SECRET = b"hunter22"
FIELD = (
    b'<hierarchy rotation="0"><node text="Name" bounds="[0,0][4,2]" package="a" />'
    b'<node text="hunter22" password="true" bounds="[0,2][4,4]" package="a" />'
    b'<node text="" content-desc="my hunter22" bounds="[0,6][4,8]" package="a" /></hierarchy>'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "t")) as writer:
        writer.append(step(0), png(shade=9), xml())
        writer.append(
            step(1, Type("hunter22", 8), description="Type 'hunter22'", target=None), png(shade=200), FIELD
        )
        writer.append(step(2), png(shade=1), xml())
        writer.reword(1, note="left")
    return writer.folder


def test_no_file_holds_the_secret_afterwards(folder: Path) -> None:
    done = redact_step(folder, 1, [Rect(0, 6, 4, 8)])
    for path in folder.rglob("*"):
        assert not path.is_file() or SECRET not in path.read_bytes(), path
    assert done.redacted
    assert done.action == Type("", 8, redacted=True)
    assert check_trajectory(folder) == []
    picture = Image.open(io.BytesIO((folder / done.state.screenshot).read_bytes())).convert("L")
    assert [picture.getpixel((1, y)) for y in range(8)] == [200, 200, 0, 0, 200, 200, 0, 0]
    assert b'text="Name"' in (folder / done.state.tree).read_bytes()


def test_what_an_import_noted_and_kept_beside_goes_too(folder: Path) -> None:
    with TrajectoryWriter.open(folder) as writer:
        noted = step(4, Type("hunter22", 8), target=None, description="", extra={"source_action": "hunter22"})
        writer.append(noted, png(), xml())
        writer.delete(1)
    (folder / "originals").mkdir()
    (folder / "originals" / "run.json").write_bytes(SECRET)
    redact_step(folder, 2)
    for path in folder.rglob("*"):
        assert not path.is_file() or SECRET not in path.read_bytes(), path


def test_the_other_steps_and_later_edits_are_as_before(folder: Path) -> None:
    redact_step(folder, 1)
    with TrajectoryWriter.open(folder) as writer:
        assert (writer.steps[0].state.screenshot, writer.steps[1].note) == ("states/0000.png", "left")
        writer.delete(0)
        assert writer.undo() == "delete step 1"
        writer.append(step(5), png(), xml())
    assert check_trajectory(folder) == []


def test_undo_after_a_redaction_takes_recorded_steps_in_their_order(folder: Path) -> None:
    with TrajectoryWriter.open(folder) as writer:
        writer.insert(0, step(7), png(), xml())
    redact_step(folder, 2)
    with TrajectoryWriter.open(folder) as writer:
        assert writer.undo() == "record step 4"
        assert writer.undo() == "record step 3"
        assert [step.t_ms for step in writer.steps] == [700, 0]


def test_a_tree_that_cannot_be_read_is_removed_whole(folder: Path) -> None:
    with TrajectoryWriter.open(folder) as writer:
        writer.replace(1, writer.steps[1], None, FIELD[:-20])
    done = redact_step(folder, 1)
    assert done.state.tree == ""
    assert "removed" in done.state.problem
    assert not [path for path in folder.rglob("*.xml") if SECRET in path.read_bytes()]


def test_a_step_that_is_not_there_is_refused(folder: Path) -> None:
    with pytest.raises(Damaged, match="no step 9"):
        redact_step(folder, 9)
