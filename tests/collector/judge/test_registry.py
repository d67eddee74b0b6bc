"""The kinds of judges, and how judges are created with checked options."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from collector.consent.allowed_hosts import AllowedHosts
from collector.consent.transfer import Transfer
from collector.judge import registry
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.judging import judge_trajectories
from collector.judge.kinds import JudgeKind
from collector.judge.registry import BUILT_IN, RULES_JUDGE, create_judge, judge_kind, judge_kinds
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.verdicts.judgement import MODEL, Judgement
from collector.plugins.options import PluginOption
from collector.project_rules.project_rules import ProjectRules
from collector.store.project.project import Project
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task


class SilentJudge:
    """Has no opinion; given the option ``broken`` it raises an error of its own."""

    name = "silent"
    kind = MODEL

    def __init__(self, options: Any, project: Project | None) -> None:
        self.options = options

    def judge(self, trajectory: JudgedTrajectory) -> Iterator[Judgement]:
        if self.options["broken"]:
            raise KeyError("weights")
        return iter(())


def kind(kind_id: str = "silent", **more: Any) -> JudgeKind:
    return JudgeKind(kind_id, "Silent", SilentJudge, options=(PluginOption("broken", bool, False),), **more)


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """Entry points that are there for one test: name -> what loading gives."""
    entries: dict[str, object] = {}

    def found(group: str) -> list[SimpleNamespace]:
        assert group == "waymark.judges"
        return [
            SimpleNamespace(name=name, value=f"pkg:{name}", load=lambda value=value: value)
            for name, value in entries.items()
        ]

    monkeypatch.setattr(metadata, "entry_points", found)
    registry.KINDS.installed.cache_clear()
    yield entries
    registry.KINDS.installed.cache_clear()


@pytest.fixture
def project(tmp_path: Path) -> ProjectRules:
    project = Project.create(tmp_path / "p")
    put_task(project, Task("shop", "Buy"))
    with project.new_trajectory(TrajectoryHeader("one", "shop", RUN)) as writer:
        writer.append(step(0), png(), xml("Home"))
        writer.finish()
    return ProjectRules.open(project.folder)


def test_the_judge_by_rules_says_what_it_is() -> None:
    rules = judge_kinds().kinds[RULES_JUDGE]
    assert rules.id == RULES_JUDGE
    assert rules.title
    assert rules.description
    assert (rules.cost, rules.needs) == ("none", ("rules", "tree"))
    assert all(option.description for option in rules.options)


def test_its_semantics_are_those_of_the_project_unless_told_otherwise(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p", semantics="dgara")
    assert create_judge(RULES_JUDGE).semantics == "waymark"  # type: ignore[attr-defined]
    assert create_judge(RULES_JUDGE, project).semantics == "dgara"  # type: ignore[attr-defined]
    told = create_judge(RULES_JUDGE, project, {"semantics": "waymark"})
    assert told.semantics == "waymark"  # type: ignore[attr-defined]
    with pytest.raises(UserError, match=r"'wayward' is no choice of semantics. Use one of: waymark"):
        create_judge(RULES_JUDGE, project, {"semantics": "wayward"})


@pytest.mark.expected_log("was left out")
def test_a_broken_plug_in_is_one_sentence_and_the_others_stay(plugins: dict[str, object]) -> None:
    plugins |= {
        "good": kind(), "number": 3, "again": kind(RULES_JUDGE), "nameless": kind(" "),
        "dear": kind("dear", cost="a fortune"), "needy": kind("needy", needs=("luck",)),
    }  # fmt: skip
    loaded = judge_kinds()
    assert list(loaded.kinds) == [*BUILT_IN, "silent"]
    assert next(iter(BUILT_IN)) == RULES_JUDGE
    assert sorted(problem.split(" ")[2] for problem in loaded.problems) == [
        "again", "dear", "nameless", "needy", "number",
    ]  # fmt: skip
    with pytest.raises(UserError, match=r"no kind of judge silen.*Write silent"):
        judge_kind("silen")


@pytest.mark.expected_log("the kind silent failed")
def test_another_packages_error_is_a_sentence_at_its_trajectory(
    plugins: dict[str, object], project: ProjectRules
) -> None:
    plugins["silent"] = kind()
    folders = list(project.project.trajectory_folders())
    (quiet,) = judge_trajectories(project, folders, create_judge("silent", project.project))
    assert (quiet.problem, quiet.judgements) == ("", ())
    broken = create_judge("silent", project.project, {"broken": True})
    assert (broken.name, broken.kind) == ("silent", MODEL)
    (failed,) = judge_trajectories(project, folders, broken)
    assert failed.problem.startswith("The judge silent failed. KeyError: 'weights'")


def test_nothing_is_sent_before_a_person_allowed_it(
    plugins: dict[str, object], project: ProjectRules
) -> None:
    transfer = Transfer("https://models.example", ("gpu", "$GPU_KEY"))
    plugins["silent"] = kind(transfers=lambda _options: (transfer,))
    with pytest.raises(UserError, match=r"nobody has allowed this yet: send pictures.*the key gpu") as raised:
        create_judge("silent", project.project)
    assert (
        "waymark agent host allow https://models.example --key gpu --key-env GPU_KEY`" in raised.value.to_do
    )
    AllowedHosts(project.project.folder).allow([transfer])
    assert create_judge("silent", project.project).name == "silent"
