"""People work on branches, and git merges them: no conflict, nothing lost, and the project checks clean."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from collector.model.verdicts.judgement import SUCCESS
from collector.project_check.project_check import check_every_file
from collector.states.auditing import Auditing
from collector.states.defining import Defining
from collector.states.documents.audit import ACCEPT, CRITICALITY, SUFFICIENCY, VISUAL_VERIFIABILITY, YES
from collector.states.task_status import DONE, task_status
from collector.states.work_files.state_work import StateWork
from collector.store.project.project import Project
from collector.store.trajectory.achieved_states import AchievedState
from collector.store.trajectory.judgements import read_judgements
from tests.helpers.person_files import give_verdict, write_marks
from tests.helpers.state_authors import bought, make_project, propose, results

TASKS = ("buy", "look", "sell")
Act = Callable[[StateWork], None]

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


class Repository:
    """A project under git. Each person works on a branch of their own."""

    def __init__(self, folder: Path, *tasks: str) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q", "-b", "main")
        make_project(folder / "benchmark", *tasks)
        self.folder = folder / "benchmark"
        (self.folder / ".gitignore").write_text(".cache/\n.lock\n", "utf-8")
        self.commit("The project")

    def git(self, *arguments: str) -> str:
        """Run git without the settings of this machine."""
        person = {"NAME": "a", "EMAIL": "a@example.com"}
        names = {
            f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()
        }
        quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env={**os.environ, **names, **quiet},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def commit(self, subject: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)

    def on_branches(self, **acts: Act) -> StateWork:
        """Let each act happen on its branch from the same commit, and merge all of them."""
        for name, act in acts.items():
            self.git("checkout", "-q", "-b", name, "main")
            act(StateWork(Project.open(self.folder)))
            self.commit(f"{name} works")
        self.git("checkout", "-q", "main")
        for name in acts:
            self.git("merge", "-q", "--no-edit", name)
            self.git("branch", "-q", "-D", name)
        project = Project.open(self.folder)
        assert [str(finding) for finding in check_every_file(project)] == []
        return StateWork(project)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository(tmp_path_factory.mktemp("git") / "r", *TASKS)


def proposes(who: str, *tasks: str) -> Act:
    def act(work: StateWork) -> None:
        for task in tasks:
            propose(work, task, who, results(step=None), bought())

    return act


def defines(task: str) -> Act:
    def act(work: StateWork) -> None:
        defining = Defining(work, task, "lin")
        defining.start()
        defining.settle_agreed()
        defining.finish()

    return act


def decides(who: str, pair: str) -> Act:
    def act(work: StateWork) -> None:
        Defining(work, "sell", who).decide(pair, "b")

    return act


def finishes(task: str) -> Act:
    def act(work: StateWork) -> None:
        Defining(work, task, "sara").finish()

    return act


def audits(who: str, task: str) -> Act:
    def act(work: StateWork) -> None:
        auditing = Auditing(work, task, who)
        auditing.start()
        for state_id in auditing.states():
            auditing.answer(VISUAL_VERIFIABILITY, YES, f"{who} sees it", state_id)
            auditing.answer(CRITICALITY, YES, "", state_id)
            auditing.decide(state_id, ACCEPT)
        auditing.answer(SUFFICIENCY, YES)
        auditing.sign()

    return act


def labels(who: str) -> Act:
    def act(work: StateWork) -> None:
        golden = work.project.find("buy/buy-lin")
        write_marks(golden, who, [AchievedState(1, "buy-1"), AchievedState(3, "buy-2")])
        give_verdict(golden, who, SUCCESS, f"{who} says so")

    return act


def test_two_operators_two_sessions_two_auditors_and_two_labellers(repository: Repository) -> None:
    """All stages on one project, because each needs what the one before it merged."""
    begin = repository.git("rev-parse", "HEAD").strip()
    work = repository.on_branches(lin=proposes("lin", *TASKS), sara=proposes("sara", *TASKS))
    for task in TASKS:
        assert [len(proposal.states) for proposal in work.of_task(task).proposals] == [2, 2]
    # Both operators decide in one session, each on a branch.
    Defining(work, "sell", "lin").start()
    repository.commit("A session begins")
    work = repository.on_branches(lin=decides("lin", "A1"), sara=decides("sara", "A2"))
    definition = work.definition("sell")
    assert definition is not None
    assert [(item.key, item.choice, item.who) for item in definition.decisions] == [
        ("A1", "b", "lin"), ("A2", "b", "sara"),
    ]  # fmt: skip
    # Neighbours in the file of the states, which had none before.
    work = repository.on_branches(first=defines("buy"), second=defines("look"), third=finishes("sell"))
    states = [f"{task}-{number}" for task in TASKS for number in (1, 2)]
    assert list(work.project.states) == states
    assert [task.essential_states for task in work.project.tasks] == [
        (f"{task}-1", f"{task}-2") for task in TASKS
    ]
    work = repository.on_branches(
        cleo=audits("cleo", "buy"), dan=audits("dan", "buy"), eve=audits("eve", "look")
    )
    assert [audit.who for audit in work.of_task("buy").audits] == ["cleo", "dan"]
    assert [task_status(work, task).stage for task in TASKS] == [DONE, DONE, "audit"]
    work = repository.on_branches(ann=labels("ann"), ben=labels("ben"))
    golden = work.project.find("buy/buy-lin")
    assert [item.judge for item in read_judgements(golden).judgements] == ["ann", "ben"]
    assert len(list((golden / "annotations").glob("*.json"))) == 2
    # Two teams, each with both stages on one branch, from a project without any state.
    repository.git("checkout", "-q", "-B", "main", begin)

    def team(task: str) -> Act:
        def act(work: StateWork) -> None:
            for stage in (proposes("lin", task), proposes("sara", task), defines(task)):
                stage(work)

        return act

    work = repository.on_branches(one=team("buy"), two=team("look"))
    assert list(work.project.states) == states[:4]
