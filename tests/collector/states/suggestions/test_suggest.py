"""Suggestions for a task of a project: their order, what is missing, what the task has, and adding them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_judge import RuleJudge
from collector.model.action import Tap
from collector.model.errors import UserError
from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.trajectory import State, Step, TrajectoryHeader
from collector.model.verdicts.judgement import REACHED, STATE
from collector.project_rules.project_rules import ProjectRules
from collector.states.documents.proposal import Proposal
from collector.states.suggestions.suggest import SuggestionRequest, add_suggestions, suggest_states
from collector.states.work_files.state_work import StateWork
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.dumps import hierarchy, node

SUCCESS = """
bought:
  description: The poster is bought
  conditions:
  - {type: element_exists, selector: "text='Thank you'"}
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with the task shop-1, which has a success rule, a copy of it, and another task."""
    project = Project.create(tmp_path / "p")
    project.save_tasks(
        [
            Task("shop-1", "Buy the poster", rule_key="bought"),
            Task("copy-1", "Buy  the poster"),
            Task("shop-2", "Look at the mugs"),
        ]
    )
    rules = project.paths.rule_file("success")
    rules.parent.mkdir(exist_ok=True)
    rules.write_text(SUCCESS)
    return project


def record(project: Project, task: str, who: str, *texts: str, day: int = 1, finish: bool = True) -> str:
    header = TrajectoryHeader("", task, who=who, started=f"2026-11-{day:02}T10:00:00+00:00")
    with project.new_trajectory(header) as writer:
        for text in texts:
            tree = hierarchy(node(text=text)).encode()
            writer.append(Step(0, 0, "", State(package="com.example.shop"), Tap(1, 1)), None, tree)
        if finish:
            writer.finish()
    return writer.header.id


def suggest(project: Project, **more: object):
    return suggest_states(ProjectRules.open(project.folder), SuggestionRequest("shop-1", **more))  # type: ignore[arg-type]


def test_without_golden_trajectories_the_success_rule_is_suggested_and_what_is_missing_is_said(
    project: Project,
) -> None:
    result = suggest(project)
    assert [(item.id, item.sentence, item.source, dict(item.steps)) for item in result.suggestions] == [
        ("shop-1-1", "The poster is bought", "success rule", {})
    ]
    assert result.missing == ("There is no finished golden trajectory of shop-1: record two, by two people",)
    record(project, "shop-1", "lin", "Home", "Thank you", finish=False)
    assert suggest(project).goldens == (), "a recording that is not finished shows nothing yet"
    only = record(project, "shop-1", "lin", "Home", "Poster", "Thank you")
    result = suggest(project)
    assert dict(result.suggestions[0].steps) == {only: 2}
    assert [golden.title for golden in result.goldens] == ["golden-1"]
    assert only in result.missing[0]


def test_two_golden_trajectories_of_two_people_are_compared_and_the_order_is_that_of_both(
    project: Project,
) -> None:
    lin = record(project, "shop-1", "lin", "Home", "Poster", "Advert", "Cart", "Pay", "Thank you", day=1)
    sara = record(project, "shop-1", "sara", "Home", "Poster", "Cart", "Pay", "Thank you", day=2)
    again = record(project, "shop-1", "sara", "Home", "Poster", "Thank you", day=3)
    record(project, "copy-1", "lin", "Home", "Poster", "Cart", "Thank you")
    record(project, "shop-2", "lin", "Home", "Pay")
    result = suggest(project)
    assert {golden.id for golden in result.goldens} == {lin, again}, "the newest of two people"
    result = suggest(project, goldens=(lin, sara))
    found = {item.sentence: item for item in result.suggestions}
    assert set(found) == {"'Poster' is shown", "'Cart' is shown", "The poster is bought"}
    poster, cart, bought = (
        found[name] for name in ("'Poster' is shown", "'Cart' is shown", "The poster is bought")
    )
    assert (poster.after, cart.after, bought.after) == ((), (poster.id,), (cart.id,))
    assert dict(cart.steps) == {lin: 3, sara: 2}
    assert result.missing == ()
    (first, last) = result.chosen([poster.id, bought.id])
    assert (first.after, last.after) == ((), (poster.id,)), "what is not chosen is passed over"
    shared = {item.sentence for item in suggest(project, goldens=(lin, sara), shared=True).suggestions}
    assert shared - set(found) == {"'Pay' is shown"}
    StateWork(project).change_proposal("shop-1", "lin", lambda _none: Proposal("shop-1", "lin", lin))
    hidden = suggest(project, who="lin")
    assert [golden.id for golden in hidden.goldens] == [lin]
    assert hidden.missing[0].startswith("2 golden trajectories of other operators are not used")
    with pytest.raises(UserError, match="no finished golden trajectory nope"):
        suggest(project, goldens=("nope",))


def test_added_suggestions_are_states_that_both_reach_and_are_not_suggested_again(project: Project) -> None:
    for who in ("lin", "sara"):
        record(project, "shop-1", who, "Home", "Poster", "Cart", "Thank you")
    cart = EssentialState(
        "cart", extra={"conditions": {"all": [{"type": "text_matches", "pattern": "Cart"}]}}
    )
    tasks = [
        Task("shop-1", "Buy the poster", rule_key="bought", essential_states=("cart",)),
        *project.tasks[1:],
    ]
    project.save_tasks(tasks, states=[StateChange(None, cart)])
    result = suggest(project)
    by_sentence = {item.sentence: item for item in result.suggestions}
    assert by_sentence["'Cart' is shown"] == result.suggestions[-1]
    assert by_sentence["'Cart' is shown"].reason.endswith("cart is reached there already")
    assert by_sentence["The poster is bought"].after == ("cart", by_sentence["'Cart' is shown"].id)
    chosen = result.chosen([item.id for item in result.suggestions if "Cart" not in item.sentence])
    add_suggestions(project, "shop-1", chosen)
    project.reload()
    ids = project.tasks[0].essential_states
    assert ids == ("cart", *(item.id for item in chosen))
    assert project.states[ids[2]].after == ("cart", ids[1])
    rules = ProjectRules.open(project.folder)
    for folder in project.trajectory_folders("shop-1"):
        trajectory = JudgedTrajectory.of(open_trajectory(folder), project.tasks, rules.rules())
        said = [item for item in RuleJudge().judge(trajectory) if item.subject.kind == STATE]
        assert [(item.subject.state, item.verdict, item.subject.first) for item in said] == [
            ("cart", REACHED, 2), (ids[1], REACHED, 1), (ids[2], REACHED, 3),
        ]  # fmt: skip
    assert [item.sentence for item in suggest(project).suggestions] == ["'Cart' is shown"]


def test_the_command_line_prints_suggestions_and_adds_those_that_are_named(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    for who in ("lin", "sara"):
        record(project, "shop-1", who, "Home", "Poster", "Thank you")
    where = ["--project", str(project.folder)]
    assert main(["states", "suggest", "shop-1", *where]) == 0
    printed = capsys.readouterr().out
    assert "'Poster' is shown" in printed
    assert "nothing says what is particular to shop-1" in printed
    assert main(["states", "suggest", "shop-1", *where, "--write", "--only", "shop-1-1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["added"] == ["shop-1-1"]
    assert {golden["who"] for golden in document["goldens"]} == {"lin", "sara"}
    assert document["suggestions"][0].keys() == {
        "id", "sentence", "conditions", "after", "steps", "source", "score", "reason",
    }  # fmt: skip
    assert main(["states", "check", str(project.folder)]) == 0, capsys.readouterr()
    capsys.readouterr()
    assert main(["states", "suggest", "shop-1", *where, "--write", "--only", "nope"]) == 1
    assert "nope is not suggested for shop-1" in capsys.readouterr().err
    project.reload()
    assert project.tasks[0].essential_states == ("shop-1-1",)
