"""An operator proposes states from the own golden trajectory, blind to the other one."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from collector.model.errors import UserError
from collector.model.trajectory import TrajectoryHeader
from collector.states.documents.proposal import Proposal, ProposedState
from collector.states.proposing import Proposing, same_course_warning
from collector.states.work_change import apply_work_change
from collector.states.work_files.blindness import (
    may_see_golden,
    may_see_names,
    may_see_proposal,
    require_visible_golden,
)
from collector.states.work_files.state_work import StateWork
from collector.store.project.project import Project
from tests.helpers.state_authors import LIN, bought, make_project, propose, record, results


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("made") / "p", "buy", "look").folder


@pytest.fixture
def work(made: Path, tmp_path: Path) -> StateWork:
    return StateWork(Project.open(Path(shutil.copytree(made, tmp_path / "p"))))


def proposal_of(work: StateWork, who: str = "lin") -> Proposal:
    proposal = work.proposal("buy", who)
    assert proposal is not None
    return proposal


def test_a_proposal_is_opened_filled_signed_and_taken_back(work: StateWork) -> None:
    lin = propose(work, "buy", "lin", results(), bought(), sign=False)
    assert [(state.id, state.sentence, state.step) for state in proposal_of(work).states] == [
        ("1", "Results are shown", 1), ("2", "The poster is in the cart", None),
    ]  # fmt: skip
    lin.add(ProposedState("", "The poster is open", after=("1",)), position=1)
    lin.edit("2", after=("1", "3"), step=3)
    lin.move("3", 5)
    assert [state.id for state in proposal_of(work).states] == ["1", "2", "3"]
    lin.remove("3")
    assert proposal_of(work).state("2") == replace(bought(step=3), id="2")
    assert proposal_of(work).started
    assert not proposal_of(work).signed
    lin.sign()
    assert proposal_of(work).signed
    with pytest.raises(UserError, match="The proposal is signed and cannot be changed"):
        lin.edit("2", optional=True)
    lin.withdraw()
    lin.edit("2", optional=True)
    assert [act.kind for act in proposal_of(work).acts] == ["started", "signed", "withdrawn"]


def test_every_act_can_be_undone_and_made_again(work: StateWork) -> None:
    lin = Proposing(work, "buy", "lin")
    stages: list[Proposal | None] = [None]
    changes = []
    for act in (
        lambda: lin.start("buy-lin"), lambda: lin.add(results()), lambda: lin.add(bought()),
        lambda: lin.move("2", 0), lambda: lin.edit("1", optional=True), lambda: lin.remove("1"),
        lin.sign, lin.withdraw, lin.discard,
    ):  # fmt: skip
        changes.append(act())
        stages.append(work.proposal("buy", "lin"))
    for change, before in zip(reversed(changes), reversed(stages[:-1]), strict=True):
        apply_work_change(work, change.reversed)
        assert work.proposal("buy", "lin") == before
    for change, after in zip(changes, stages[1:], strict=True):
        apply_work_change(work, change)
        assert work.proposal("buy", "lin") == after
    assert all(change.title for change in changes)


def test_undo_keeps_what_another_program_changed_and_refuses_what_both_changed(work: StateWork) -> None:
    lin = propose(work, "buy", "lin", results(), sign=False)
    change = lin.add(bought())
    other = Proposing(StateWork(Project.open(work.project.folder)), "buy", "lin")
    other.edit("1", sentence="Results are there")
    apply_work_change(work, change.reversed)
    assert [state.sentence for state in proposal_of(work).states] == ["Results are there"]
    change = lin.edit("1", sentence="Seen")
    other.edit("1", sentence="Not seen")
    with pytest.raises(UserError, match="was changed since: the same part of it says something else"):
        apply_work_change(work, change.reversed)
    assert [state.sentence for state in proposal_of(work).states] == ["Not seen"]


@pytest.mark.parametrize(
    ("golden", "says"),
    [
        ("buy-sara", "buy-sara is the golden trajectory of sara: each operator proposes from the own"),
        ("look-lin", "Task buy has no trajectory look-lin"),
        ("nothing", "Task buy has no trajectory nothing"),
        ("../look/look-lin", "Task buy has no trajectory"),
        ("run", "run is the run of an agent"),
        ("half", "half is not finished"),
    ],
)
def test_the_golden_trajectory_is_the_operators_own_of_this_task(
    work: StateWork, golden: str, says: str
) -> None:
    if golden == "run":
        with work.project.new_trajectory(TrajectoryHeader("run", "buy", "run", "lin")) as writer:
            writer.finish()
    if golden == "half":
        work.project.new_trajectory(TrajectoryHeader("half", "buy", who="lin")).close()
    with pytest.raises(UserError, match=says):
        Proposing(work, "buy", "lin").start(golden)
    assert work.proposal("buy", "lin") is None


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (ProposedState("", " "), "A state needs a sentence"),
        (ProposedState("", "A", after=("9",)), "There is no state 9"),
        (ProposedState("", "A", alternatives=("2",)), "State 2 cannot come after itself or replace itself"),
        (ProposedState("", "A", step=4), "buy-lin has no step 5: its steps are 1 to 4"),
        (ProposedState("", "A", [{"type": "element_exist"}]), "The conditions of A cannot be judged"),
        (ProposedState("", "A", [{"type": "element_exists"}]), "The conditions of A cannot be judged"),
        (ProposedState("", "A", "a text"), "The conditions of A cannot be judged"),
    ],
)
def test_a_state_that_cannot_stand_is_refused_with_a_sentence(
    work: StateWork, state: ProposedState, says: str
) -> None:
    lin = propose(work, "buy", "lin", results(), sign=False)
    before = proposal_of(work)
    with pytest.raises(UserError, match=says):
        lin.add(state)
    assert proposal_of(work) == before


def test_what_is_refused_says_why(work: StateWork) -> None:
    lin = Proposing(work, "buy", "lin")
    for refused, says in (
        (lambda: Proposing(work, "gone", "lin").start(), "There is no task gone"),
        (lambda: Proposing(work, "buy", " ").start(), "The work on states needs a name"),
        (lambda: lin.add(results()), "lin has no proposal for buy. Open one with"),
        (lin.withdraw, "There is no signature of lin to take back"),
    ):
        with pytest.raises(UserError, match=says):
            refused()
    lin.start()
    for refused, says in (
        (lin.start, "lin has a proposal for buy already"),
        (lin.sign, "The proposal names no golden trajectory"),
        (lambda: lin.edit("1", optional=True), "The proposal has no state 1"),
    ):
        with pytest.raises(UserError, match=says):
            refused()
    lin.choose_golden("buy-lin")
    with pytest.raises(UserError, match="The proposal has no states yet"):
        lin.sign()
    lin.add(results())
    lin.add(bought())
    with pytest.raises(UserError, match="These states wait for each other: 1, 2"):
        lin.edit("1", after=("2",))
    Proposing(work, "buy", "sara").start()
    with pytest.raises(UserError, match="Two operators propose states for buy already: lin, sara"):
        Proposing(work, "buy", "ann").start()


def test_an_operator_sees_nothing_of_the_other_before_the_own_signature(work: StateWork) -> None:
    golden = TrajectoryHeader("buy-sara", "buy", who="sara")
    lin = propose(work, "buy", "lin", results(), sign=False)
    sara = propose(work, "buy", "sara", results(), sign=False)
    sara.sign()

    blind = may_see_proposal(work.of_task("buy"), "lin", "sara")
    assert blind.reason == "You see the proposal of sara when your own is signed"
    sight = may_see_golden(work.of_task("buy"), "lin", golden)
    assert sight.reason == "You see the golden trajectory of sara when your own proposal is signed"
    with pytest.raises(UserError, match=r"buy-sara is not shown\. You see the golden trajectory of sara"):
        require_visible_golden(work.project, golden, "lin")
    # The own work, runs, and those of a task without a proposal are seen.
    assert may_see_proposal(work.of_task("buy"), "lin", "lin").is_allowed
    assert may_see_golden(work.of_task("buy"), "lin", TrajectoryHeader("r", "buy", "run", "qwen")).is_allowed
    require_visible_golden(work.project, TrajectoryHeader("look-sara", "look", who="sara"), "lin")
    # Who proposes nothing sees goldens, but no proposal before both are signed.
    assert may_see_golden(work.of_task("buy"), "ann", golden).is_allowed
    third = may_see_proposal(work.of_task("buy"), "ann", "sara")
    assert third.reason == "Proposals are shown when both operators have signed theirs"
    assert may_see_proposal(work.of_task("buy"), "sara", "lin").is_allowed
    lin.sign()
    for person, other in (("lin", "sara"), ("sara", "lin"), ("ann", "lin")):
        assert may_see_proposal(work.of_task("buy"), person, other).is_allowed
    require_visible_golden(work.project, golden, "lin")
    assert may_see_names(work.of_task("buy"), "ann").is_allowed


def test_a_proposal_that_cannot_be_read_does_not_open_the_eyes(work: StateWork) -> None:
    propose(work, "buy", "lin", results(), sign=False)
    propose(work, "buy", "sara", results())
    work.project.paths.proposal("buy", "lin").write_text("task: [", "utf-8")
    of_task = work.of_task("buy")
    assert not may_see_proposal(of_task, "lin", "sara").is_allowed
    assert not may_see_golden(of_task, "lin", TrajectoryHeader("buy-sara", "buy", who="sara")).is_allowed


def test_two_goldens_of_the_same_course_are_named_as_such(work: StateWork) -> None:
    propose(work, "buy", "lin", results())
    assert same_course_warning(work, work.of_task("buy")) == ""
    sara = propose(work, "buy", "sara", results())
    assert same_course_warning(work, work.of_task("buy")) == ""
    record(work.project, "buy", "again", "sara", LIN)
    sara.withdraw()
    sara.choose_golden("again")
    assert same_course_warning(work, work.of_task("buy")) == (
        "Both golden trajectories take the same course of actions; A3 asks for distinct strategies"
    )


def test_another_golden_forgets_the_steps_it_does_not_have(work: StateWork) -> None:
    record(work.project, "buy", "short", "lin", LIN[:2])
    lin = propose(work, "buy", "lin", results(step=1), bought(step=3), sign=False)
    lin.choose_golden("short")
    assert [state.step for state in proposal_of(work).states] == [1, None]
