"""How far the states of each task are: who judges them, status, and whether present rules verified them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.judge.judging import judge_finished
from collector.judge.progress.progress_of_states import state_progress
from collector.judge.progress.task_summaries import summaries_by_rules
from collector.judge.progress.task_summary import TaskSummary
from collector.model.action import Tap
from collector.model.essential_state import AGREED, AUDITED, EssentialState
from collector.model.task import Task
from collector.model.trajectory import State, Step, TrajectoryHeader
from collector.model.verdicts.state_progress import StateProgress
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from tests.helpers.dumps import hierarchy, node


def shown(text: str) -> dict[str, object]:
    return {"conditions": {"all": [{"type": "element_exists", "selector": f"text='{text}'"}]}}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Task ``buy`` with two states that rules judge, one of them optional, and one for people; ``look``.

    Something must never happen while ``buy`` is done: its safety rule is part of what judges it.
    """
    project = Project.create(tmp_path / "p")
    safety = project.paths.rule_file("safety")
    safety.parent.mkdir(exist_ok=True)
    never = "{type: element_exists, selector: \"text='Deleted'\"}"
    safety.write_text(f"safety: [{{id: never, conditions: [{never}]}}]\n", encoding="utf-8")
    states = (
        EssentialState("found", "Found", status=AUDITED, extra=shown("Poster")),
        EssentialState("liked", "Liked", status=AGREED),
        EssentialState("extra", "Extra", optional=True, status=AUDITED, extra=shown("Never")),
    )
    tasks = [
        Task("buy", "Buy", essential_states=("found", "liked", "extra"), forbidden=("never",)),
        Task("look", "Look"),
    ]
    project.save_tasks(tasks, states=[StateChange(None, state) for state in states])
    return project


def record(project: Project, who: str, *texts: str, judge: bool = True) -> None:
    with project.new_trajectory(TrajectoryHeader("", "buy", who=who)) as writer:
        for text in texts:
            writer.append(Step(0, 0, "", State(), Tap(1, 1)), None, hierarchy(node(text=text)).encode())
        writer.finish()
    if judge:
        judge_finished(writer.folder)


def progress(project: Project) -> dict[str, StateProgress]:
    with Catalogue(project) as catalogue:
        catalogue.refresh()
    return state_progress(Project.open(project.folder))


def change(project: Project, state_id: str, **values: object) -> None:
    before = project.states[state_id]
    changed = replace(before, **values)  # type: ignore[arg-type]
    project.save_tasks(project.tasks, states=[StateChange(before, changed)])


def test_golden_trajectories_verify_states_by_the_present_rules_alone(project: Project) -> None:
    known = progress(project)
    assert known["look"] == StateProgress()
    assert known["buy"] == StateProgress(by_rules=2, by_people=1, status=AGREED)
    record(project, "lin", "Home", "Poster")
    record(project, "sara", "Home", "Poster", judge=False)
    buy = progress(project)["buy"]
    assert (buy.golden, buy.verified, buy.unjudged) == (2, 1, 1)
    assert not buy.is_verified(2)
    for folder in project.trajectory_folders("buy"):
        judge_finished(folder)
    buy = progress(project)["buy"]
    assert buy.is_verified(2)
    assert (buy.reached, buy.missed) == ({"found"}, {"extra"}), "an optional state may be missed"
    assert not buy.is_verified(3), "the task wants another golden trajectory"
    change(project, "found", extra=shown("Home"))
    buy = progress(project)["buy"]
    assert (buy.verified, buy.unjudged) == (0, 2), "they were judged by other conditions"
    record(project, "eve", "Nothing")
    assert (progress(project)["buy"].verified, progress(project)["buy"].unjudged) == (0, 2)
    change(project, "liked", status=AUDITED)
    assert progress(project)["buy"].status == AUDITED


def test_words_of_a_search(project: Project) -> None:
    record(project, "lin", "Poster")
    known = progress(project)
    words = ("none", "proposed", "agreed", "audited", "verified", "unverified", "rules", "people")
    assert [word for word in words if known["buy"].matches(word, 1)] == [
        "agreed", "verified", "rules", "people",
    ]  # fmt: skip
    assert [word for word in words if known["buy"].matches(word, 2)] == [
        "agreed", "unverified", "rules", "people",
    ]  # fmt: skip
    assert [word for word in words if known["look"].matches(word, 1)] == ["none"]
    assert known["buy"].sentences() == [
        "Rules judge 2 states", "People judge 1 state", "Status: agreed",
        "1 of 1 golden trajectories reach them all",
    ]  # fmt: skip


def test_the_list_of_tasks_and_the_search_for_trajectories_know_them(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    record(project, "lin", "Poster")
    assert main(["project", "list", str(project.folder)]) == 0
    assert "3       agreed  1/1" in capsys.readouterr().out
    assert main(["project", "list", str(project.folder), "--states", "agreed", "--json"]) == 0
    (task,) = json.loads(capsys.readouterr().out)["tasks"]
    assert (task["id"], task["states"]["verified"], task["states"]["is_verified"]) == ("buy", 1, False)
    assert main(["project", "list", str(project.folder), "--states", "verified"]) == 0
    assert "No task has such essential states" in capsys.readouterr().out
    with Catalogue(project) as catalogue:
        found = {
            query: catalogue.count(query)
            for query in (
                "states:agreed",
                "states:audited",
                "states:none",
                "states:any",
                "states:3",
                "states:>3",
            )
        }
    assert found == {
        "states:agreed": 1, "states:audited": 0, "states:none": 0, "states:any": 1, "states:3": 1,
        "states:>3": 0,
    }  # fmt: skip
    project.paths.rule_file("success").write_bytes(b"\xff")
    assert main(["project", "list", str(project.folder)]) == 1
    assert "not UTF-8" in capsys.readouterr().err


def test_rules_are_read_again_only_when_a_file_changed_or_the_cache_is_damaged(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(project, "lin", "Home", "Poster")
    known = progress(project)
    reads: list[Project] = []

    def counted(of: Project) -> dict[str, TaskSummary]:
        reads.append(of)
        return summaries_by_rules(of)

    monkeypatch.setattr("collector.judge.progress.task_summaries.summaries_by_rules", counted)
    assert progress(project) == known
    assert reads == []
    for damage in (b"", b"{}", b'{"key": []}', b"[1]"):
        project.paths.task_summary_cache.write_bytes(damage)
        assert progress(project) == known
    assert len(reads) == 4
    change(project, "liked", status=AUDITED)
    assert progress(project)["buy"].status == AUDITED
    assert len(reads) == 5
