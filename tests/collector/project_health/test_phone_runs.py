"""What health wants recorded: which goldens are replayed, and the experiment of random runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from collector.agents.registry import agent_kinds
from collector.model.action import Tap, Type
from collector.model.expected_answer import ExpectedAnswer
from collector.model.geometry import Size
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, State, Step, TrajectoryHeader
from collector.project_health.phone_runs import (
    MOST_GOLDENS,
    RANDOM_EXPERIMENT,
    newest_goldens,
    prepare_random_runs,
    setup_of,
    why_not_replayable,
)
from collector.run.experiment.files import check_experiment
from collector.run.experiment.scope import scope_of
from collector.store.project.project import Project
from tests.helpers.run_files import write_run

ANSWER = ExpectedAnswer(("12",))


def experiment(project: Project) -> Any:
    path = project.paths.experiment(RANDOM_EXPERIMENT)
    return check_experiment(path, scope_of(project, agent_kinds().kinds)).require()


def test_tasks_that_can_be_judged_are_tried_at_random_and_new_ones_are_added(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task("one", "How many?", expected_answer=ANSWER), Task("nobody-judges", "Look")])
    assert prepare_random_runs(project) == RANDOM_EXPERIMENT
    made = experiment(project)
    assert (made.tasks, [entry.kind for entry in made.agents]) == (("one",), ["monkey"])
    assert len(made.seeds) == project.health.runs
    path = project.paths.experiment(RANDOM_EXPERIMENT)
    path.write_text(path.read_text(encoding="utf-8") + "budget: 9  # mine\n", encoding="utf-8")
    project.save_tasks([*project.tasks, Task("two", "And now?", expected_answer=ANSWER)])
    assert prepare_random_runs(project) == RANDOM_EXPERIMENT
    assert experiment(project).tasks == ("one", "two")
    assert "budget: 9  # mine" in path.read_text(encoding="utf-8")


def test_without_a_task_that_can_be_judged_there_is_nothing_to_run(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task("nobody-judges", "Look")])
    assert prepare_random_runs(project) == ""
    assert not project.paths.experiment(RANDOM_EXPERIMENT).exists()


def test_the_newest_goldens_are_replayed_and_those_that_cannot_be_are_named(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task("t", "Do it"), Task("u", "Do that")])
    tap = Step(0, 0, "", State(package="a"), Tap(1, 1))
    secret = Step(0, 0, "", State(package="a"), Type("", length=4, redacted=True))
    for number in range(MOST_GOLDENS + 1):
        given: dict[str, Any] = {"device": {"virtual": number != 2}, "started": f"2026-01-0{number + 1}"}
        steps = [secret if number == MOST_GOLDENS else tap]
        write_run(project, f"g{number}", None, None, steps=steps, kind=GOLDEN, **given)  # type: ignore[arg-type]
    chosen = list(newest_goldens(project, ()))
    assert [stored.header.id for stored in chosen] == ["g3", "g2", "g1"]
    reasons = [why_not_replayable(stored, is_virtual=True) for stored in chosen]
    assert ("redacted" in reasons[0], "another kind" in reasons[1], reasons[2]) == (True, True, "")
    assert why_not_replayable(chosen[1], is_virtual=False) == ""
    assert list(newest_goldens(project, ["u"])) == []


def test_a_phone_is_made_as_the_one_of_the_recording() -> None:
    device = {"seed": 7, "language": "zh-CN", "size": "480x1064", "density": 213, "model": "Waymark Phone"}
    assert setup_of(TrajectoryHeader("g", "t", device=device)) == PhoneSetup(7, "zh-CN", Size(480, 1064), 213)
    strange = {"seed": "seven", "language": "", "size": "1x1"}
    assert setup_of(TrajectoryHeader("g", "t", device=strange)) == PhoneSetup()
