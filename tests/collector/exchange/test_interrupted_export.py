"""An export that is interrupted goes on from where it was, and is never taken for a whole one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from collector.exchange import exchange_log
from collector.exchange.boxes import boxes_export
from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import FirstOnes
from collector.exchange.exports.export_staging import PREFIX, interrupted_exports
from collector.exchange.exports.exporting import ExportChoice, export_project
from collector.exchange.exports.selection import Selection
from collector.exchange.format import TRAJECTORIES
from collector.exchange.registry import written_formats
from collector.exchange.seen_texts import SeenTexts
from collector.exchange.training import training_export
from collector.exchange.viewing import inspect_logs
from collector.model.dataset.split import Split, shares_of
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN, TrajectoryHeader
from collector.project_check.project_check import check_every_file
from collector.store.files.errors import DiskFull
from collector.store.project.project import Project
from collector.store.trajectory.reviews.labels import Labels
from tests.helpers.person_files import write_labels
from tests.helpers.steps import png, step, xml

FORMATS = (
    "aitk", "dgara", "a3rm", "adb-shell", "maestro", "trl", "coco", "yolo", "label-studio", "labelme", "atif",
    "mlflow", "csv", "gui-odyssey", "inspect", "androidcontrol-records", "hf-datasets", "verl", "easyr1",
    "llamatouch",
)  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Four tasks with a golden trajectory, which a person labelled, and a run."""
    project = Project.create(tmp_path_factory.mktemp("interrupted") / "p")
    project.save_tasks([Task(f"t{number}", f"Do {number}", note="n") for number in range(4)])
    for number in range(4):
        for kind in (GOLDEN, RUN):
            with project.new_trajectory(TrajectoryHeader(kind, f"t{number}", kind)) as writer:
                writer.append(step(0), png(10 + number, 40), xml("Home"))
                writer.append(step(1), png(10 + number, 50), xml("End"))
                writer.finish()
            if kind == GOLDEN:
                write_labels(writer.folder, Labels("ann").with_reached("s", 1))
    return project


def stopping_at(number: int, error: BaseException) -> Callable[[str, int, int], None]:
    """A progress that ends the export as its trajectory ``number`` begins."""
    seen: list[str] = []

    def progress(name: str, _number: int, _total: int) -> None:
        seen.append(name)
        if len(seen) == number:
            raise error

    return progress


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.mark.parametrize("format_id", FORMATS)
def test_an_interrupted_export_goes_on_and_comes_to_the_same(
    project: Project, tmp_path: Path, format_id: str
) -> None:
    whole = export_project(project, format_id, tmp_path / "whole")
    place = tmp_path / "some" / "whole"
    with pytest.raises(KeyboardInterrupt):
        export_project(project, format_id, place, progress=stopping_at(3, KeyboardInterrupt()))
    assert not place.exists()
    (left,) = place.parent.iterdir()
    assert left.name.startswith(PREFIX)
    assert list(interrupted_exports(project)) == [left]
    assert "export-interrupted" in {one.code for one in check_every_file(project)}
    (made,) = (left / "content").iterdir()
    begun: list[str] = []
    again = export_project(project, format_id, place, progress=lambda name, *_numbers: begun.append(name))
    assert len(begun) == whole.written.trajectories.total - 2
    assert content(again.path) == content(whole.path)
    assert again.written == whole.written
    assert set(again.findings) == set(whole.findings)
    assert [path.name for path in place.parent.iterdir()] == ["whole"]
    assert not list(interrupted_exports(project))
    assert not made.exists()


def test_no_format_of_trajectories_is_left_out_here() -> None:
    """Those of optional packages, and of the forms that others here have as well, are named."""
    alike = {
        "llama-factory",
        "ms-swift",
        "uiautomator2",
        "appium",
        "midscene",
        "dgara-rules",
        "rerun",
        "wandb",
    }
    holding = {name for name, one in written_formats().items() if TRAJECTORIES in one.holds}
    assert holding - alike == set(FORMATS)


@pytest.mark.parametrize("format_id", ["hf-datasets", "inspect", "coco", "androidcontrol-records"])
def test_an_export_goes_on_where_it_is_put_together(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format_id: str
) -> None:
    """The disk is full when all trajectories are written, and what is made of all of them is half there."""
    last = {
        "hf-datasets": (training_export, "card_text"), "coco": (boxes_export, "card_text"),
        "inspect": (inspect_logs, "_entry"), "androidcontrol-records": (shutil, "copyfileobj"),
    }  # fmt: skip
    whole = export_project(project, format_id, tmp_path / "whole")

    def full(*_given: object, **_named: object) -> None:
        raise OSError(28, "No space left on device")

    place = tmp_path / "again" / "whole"
    with monkeypatch.context() as patched:
        patched.setattr(*last[format_id], full)
        with pytest.raises(DiskFull):
            export_project(project, format_id, place)
    begun: list[str] = []
    again = export_project(project, format_id, place, progress=lambda name, *_numbers: begun.append(name))
    assert not begun
    assert content(again.path) == content(whole.path)
    assert again.written == whole.written


def test_an_export_goes_on_in_a_further_pass_over_the_trajectories(project: Project, tmp_path: Path) -> None:
    choice = ExportChoice(options={"content": ["steps", "trajectories", "grounding"]})
    whole = export_project(project, "hf-datasets", tmp_path / "whole", choice)
    total = whole.written.trajectories.total
    place = tmp_path / "again" / "whole"
    for number in (2 * total, 3, 2):  # in the second pass, at once again, and in the third
        stop = stopping_at(number, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            export_project(project, "hf-datasets", place, choice, progress=stop)
    begun: list[str] = []
    again = export_project(
        project, "hf-datasets", place, choice, progress=lambda name, *_numbers: begun.append(name)
    )
    assert len(begun) == 3 * total - (2 * total - 1) - 2 - 1
    assert content(again.path) == content(whole.path)


def test_an_export_begins_anew_when_what_it_would_go_on_from_is_gone(
    project: Project, tmp_path: Path
) -> None:
    whole = export_project(project, "verl", tmp_path / "whole")
    place = tmp_path / "again" / "whole"
    with pytest.raises(KeyboardInterrupt):
        export_project(project, "verl", place, progress=stopping_at(4, KeyboardInterrupt()))
    (rows,) = place.parent.rglob("*.rows")
    rows.unlink()
    assert content(export_project(project, "verl", place).path) == content(whole.path)


def test_what_was_half_written_is_written_anew(project: Project, tmp_path: Path) -> None:
    """As after SIGKILL: a trajectory is half there, and a line of a growing file, too."""
    whole = export_project(project, "a3rm", tmp_path / "whole")
    place = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        export_project(project, "a3rm", place, progress=stopping_at(2, KeyboardInterrupt()))
    (left,) = tmp_path.glob(f"{PREFIX}*")
    made, journal = left / "content/out", left / "journal.jsonl"
    half = made / "pictures/t1/golden"
    half.mkdir(parents=True)
    (half / "0.png").write_bytes(b"half")
    with (made / "windows.jsonl").open("ab") as file:
        file.write(b'{"half": ')
    outside = tmp_path / "mine"
    outside.write_text("mine", "utf-8")
    with journal.open("a") as lines:
        for name in ("content/out/pictures/t1/golden", "../mine", str(outside)):
            lines.write(json.dumps({"makes": name}) + "\n")
        lines.write('{"makes": "content/out/pict')
    assert content(export_project(project, "a3rm", place).path) == content(whole.path)
    assert outside.read_text("utf-8") == "mine"


@pytest.mark.parametrize("format_id", ["aitk"])
def test_only_the_same_export_goes_on(project: Project, tmp_path: Path, format_id: str) -> None:
    place = tmp_path / "out"

    def interrupt(choice: ExportChoice) -> None:
        with pytest.raises(KeyboardInterrupt):
            export_project(project, format_id, place, choice, progress=stopping_at(2, KeyboardInterrupt()))

    goldens = ExportChoice(Selection(kinds=(GOLDEN,)))
    interrupt(goldens)
    begun: list[str] = []
    export_project(project, format_id, place, progress=lambda name, *_numbers: begun.append(name))
    assert len(begun) == 8
    interrupt(ExportChoice(Selection(kinds=(GOLDEN,)), replace=True))
    golden = project.folder / "trajectories/t0/golden"
    with (golden / "events.jsonl").open("a") as file:
        file.write("\n")
    begun.clear()
    again = ExportChoice(Selection(kinds=(GOLDEN,)), replace=True)
    export_project(project, format_id, place, again, progress=lambda name, *_numbers: begun.append(name))
    assert len(begun) == 4
    split = ExportChoice(split=Split(shares_of("0.5/0.5")), replace=True)
    export_project(project, format_id, tmp_path / "divided", split)
    place = tmp_path / "again" / "divided"
    interrupt(split)
    export_project(project, format_id, place, split)
    assert content(place) == content(tmp_path / "divided")


def test_what_is_kept_and_what_is_not(project: Project, tmp_path: Path) -> None:
    """After an error of the disk it goes on; of an export that was stopped nothing stays."""
    place = tmp_path / "out"
    with pytest.raises(DiskFull):
        export_project(project, "aitk", place, progress=stopping_at(3, OSError(28, "No space left")))
    other = export_project(project, "aitk-tasks", tmp_path / "tasks.jsonl")
    assert [one.code for one in other.findings if "delete it" in one.what] == ["export-interrupted"]
    begun: list[str] = []
    export_project(project, "aitk", place, progress=lambda name, *_numbers: begun.append(name))
    assert len(begun) == 6
    with pytest.raises(ExchangeError, match="stop"):
        export_project(project, "aitk", tmp_path / "b", progress=stopping_at(3, ExchangeError("stop")))
    assert not list(tmp_path.glob(f"{PREFIX}*"))


def test_lists_of_trajectories_stay_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange_log, "_MOST_NAMED", 2)
    names = FirstOnes[str]()
    for name in "abc":
        names.append(name)
    assert (list(names), names.total) == (["a", "b"], 3)
    seen = SeenTexts()
    texts = [str(number) for number in range(10_000)]
    assert all(map(seen.add, texts))
    assert not any(map(seen.add, texts))
    assert "9999" in seen
    assert "10000" not in seen
