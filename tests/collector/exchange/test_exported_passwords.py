"""An export and an import say which steps hold a password that was typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exporting import ExportChoice, ExportResult, export_project
from collector.exchange.format import TRAJECTORIES
from collector.exchange.imports.trajectory_import import TaskImport, write_trajectory
from collector.exchange.registry import written_formats
from collector.exchange.source.model import SourceStep, SourceTrajectory
from collector.model.action import Type
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.checks.check import check_trajectory
from collector.store.project.project import Project
from collector.store.redaction.step_redaction import StepRedaction
from tests.helpers.steps import png, step
from tests.helpers.tasks import put_task

LOGIN = (
    b'<hierarchy rotation="0"><node class="android.widget.EditText" focused="true" password="true"'
    b' bounds="[0,0][4,8]" text="" /></hierarchy>'
)


def kept(result: ExportResult) -> list[tuple[str, tuple[object, ...]]]:
    return [(item.where, item.steps) for item in result.findings if item.code == "password-kept"]


@pytest.mark.parametrize("format_id", [
    name for name, each in written_formats().items()
    if TRAJECTORIES in each.holds and not (each.hides_passwords or each.missing)
    if name != "a3rm"  # writes what a person labelled alone
])  # fmt: skip
def test_a_password_leaves_only_when_a_person_says_so(format_id: str, tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    put_task(project, Task("one", "Sign in"))
    with project.new_trajectory(TrajectoryHeader("t", "one")) as writer:
        writer.append(step(0), png(), LOGIN)
        writer.append(step(1, Type("hunter22", 8), target=None), png(), LOGIN)
        writer.finish()
    place = "trajectories/one/t"
    with pytest.raises(ExchangeError, match=r"password in plain text: steps typed it: 1.*--allow-passwords"):
        export_project(project, format_id, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["p"]
    allowed = ExportChoice(passwords=True)
    assert kept(export_project(project, format_id, tmp_path / "out", allowed)) == [(place, ("1",))]
    StepRedaction(project.folder / place, 1).apply()
    again = f"again{written_formats()[format_id].ending}"
    assert kept(export_project(project, format_id, tmp_path / again)) == []


def test_a_password_in_an_import_is_named(tmp_path: Path) -> None:
    project, log = Project.create(tmp_path / "p"), ExchangeLog()
    dump = tmp_path / "login.xml"
    dump.write_bytes(LOGIN)
    steps = [SourceStep("a", tree=dump, action=Type("hunter22", 8)), SourceStep("b", tree=dump)]
    source = SourceTrajectory("run", Task("one", "Sign in"), steps)
    folder = write_trajectory(project, TaskImport(project), source, "plain", log)
    assert [item.steps for item in log.findings if item.code == "password-kept"] == [("a",)]
    assert [item.steps for item in check_trajectory(folder) if item.code == "password-kept"] == [(0,)]
