"""What was written before a text was known to be secret is hidden whole, whatever the disk refuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.model.episode import AgentTurn, Outcome
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.checks.check import check_trajectory
from collector.store.files.disk import Disk
from collector.store.files.errors import StoreError
from collector.store.redaction.screens import MASK
from collector.store.redaction.secret_text import SecretTexts
from collector.store.redaction.written_secrets import hide_written
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.annotations import write_annotations
from collector.store.trajectory.writer import TrajectoryWriter
from tests.collector.store.test_disk_faults import FailingDisk
from tests.helpers.steps import png, step, xml

SECRET, SECRETS = b"hunter22", SecretTexts(["hunter22"])
HEADER = TrajectoryHeader("run", "t", kind=RUN, instruction="Use hunter22", extra={"seen": "hunter22"})


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Path]:
    """Folders, a new one each time."""
    return (tmp_path / str(number) for number in range(1000))


def written(place: Path, disk: Disk) -> TrajectoryWriter:
    """A run that says and shows the password."""
    place.mkdir()
    writer = TrajectoryWriter.create(place, HEADER, disk=disk)
    writer.append(step(0, agent=AgentTurn("Later HUNTER22", "raw")), png(shade=200), xml("My hunter22"))
    writer.append(step(1, agent=AgentTurn("Nothing")), png(shade=90), xml("Other"))
    writer.event("note", 1, said="hunter22")
    writer.event_with_state("cycle", 2, step(2), png(shade=7), xml("Shows hunter22"), phase="inject")
    writer.event_with_state("cycle", 3, step(2), png(shade=8), xml("Shows nothing"), phase="inject")
    writer.update_header(outcome=Outcome("failure", "hunter22 is wrong"))
    add_judgements(
        writer.folder, [Judgement("r", "rule", "1", Subject(), "failure", reason="It saw hunter22")]
    )
    write_annotations(writer.folder, "lin", {"comments": [{"text": "see hunter22"}]})
    return writer


def holders(folder: Path) -> list[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if SECRET in path.read_bytes().lower()]


def test_nothing_holds_it_afterwards_and_the_rest_is_as_before(places: Iterator[Path]) -> None:
    with written(next(places), Disk()) as writer:
        untouched = writer.steps[1]
        assert hide_written(writer, SECRETS, SECRETS)
        assert not hide_written(writer, SECRETS, SECRETS)
        assert holders(writer.folder) == []
        first, second = writer.steps
        assert (first.agent.thought, first.agent.raw, first.redacted) == (f"Later {MASK}", "raw", True)
        assert second == untouched
        assert len(list((writer.folder / "states").iterdir())) == 8, "screens of events stay"
        writer.append(step(3), png(), xml())
        writer.finish()
    stored = open_trajectory(writer.folder)
    assert [line.get("phase") for line in stored.events()] == [None, "inject", "inject"]
    shown, other = (line["state"] for line in stored.events()[1:])
    assert f'text="{MASK}"'.encode() in stored.blob(shown["tree"])
    assert (b"Shows nothing" in stored.blob(other["tree"]), other["tree"]) == (True, "states/0003.xml")
    assert (stored.header.instruction, stored.header.outcome.reason) == (f"Use {MASK}", f"{MASK} is wrong")
    assert check_trajectory(writer.folder) == []


def test_words_that_may_be_shown_stay_on_screens(places: Iterator[Path]) -> None:
    with written(next(places), Disk()) as writer:
        assert hide_written(writer, SECRETS, SecretTexts())
        assert writer.steps[0].agent.thought == f"Later {MASK}"
        assert sorted(holders(writer.folder)) == ["0000.xml", "0002.xml"]


def test_where_nothing_is_found_nothing_is_written(places: Iterator[Path]) -> None:
    with written(next(places), Disk()) as writer:
        before = {path: path.stat().st_mtime_ns for path in writer.folder.rglob("*")}
        other = SecretTexts(["not-to-be-found"])
        assert not hide_written(writer, other, other)
        assert {path: path.stat().st_mtime_ns for path in writer.folder.rglob("*")} == before


def test_what_the_disk_refuses_is_hidden_by_the_next_attempt(places: Iterator[Path]) -> None:
    fail_at, failures = 0, 0
    while failures == fail_at:
        fail_at += 1
        disk = FailingDisk(0)
        with written(next(places), disk) as writer:
            disk.calls, disk.fail_at = 0, fail_at
            try:
                hide_written(writer, SECRETS, SECRETS)
            except StoreError:
                failures += 1
                assert len(open_trajectory(writer.folder).steps) == 2
                hide_written(writer, SECRETS, SECRETS)
            assert holders(writer.folder) == []
            writer.finish()
        assert check_trajectory(writer.folder) == []
    assert failures > 5
