"""Two operators settle their differences, and the project gets the agreed states."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from collector.judge.progress.state_overview import missed_by_goldens
from collector.model.errors import UserError
from collector.model.essential_state import AGREED, EssentialState
from collector.model.task import Task
from collector.project_check.project_check import check_every_file
from collector.project_rules.project_rules import ProjectRules
from collector.states.defining import Defining, is_decided, realignment_sentence
from collector.states.documents.definition import Definition
from collector.states.documents.proposal import ProposedState
from collector.states.proposal_alignment import difference_sentence
from collector.states.proposing import Proposing
from collector.states.work_change import apply_work_change
from collector.states.work_files.state_work import StateWork
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from tests.helpers.state_authors import CART_1, SORT, bought, define, make_project, propose, results


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("made") / "p", "buy", "look").folder


@pytest.fixture
def work(made: Path, tmp_path: Path) -> StateWork:
    return StateWork(Project.open(Path(shutil.copytree(made, tmp_path / "p"))))


@pytest.fixture
def differing(work: StateWork) -> Defining:
    """Lin and sara agree on the first state, word the second one differently, and have one of their own."""
    propose(work, "buy", "lin", results(), bought(), ProposedState("", "Lin smiles", after=("2",)))
    propose(
        work, "buy", "sara",
        results(), ProposedState("", "A dialog greets", after=("1",)),
        bought(sentence="It is in the cart", after=("2",)),
    )  # fmt: skip
    defining = Defining(work, "buy", "sara")
    defining.start()
    return defining


def definition_of(defining: Defining) -> Definition:
    definition = defining.work.definition(defining.task_id)
    assert definition is not None
    return definition


def test_differences_are_named_and_agreed_states_settled_at_once(differing: Defining) -> None:
    alignment = differing.alignment()
    # Rules see the condition of each in both goldens, whoever proposed it.
    assert alignment.reached_a == {"1": (1, 1), "2": (3, 2)}
    assert [(pair.key, difference_sentence(alignment, pair)) for pair in alignment.pairs] == [
        ("A1", "Same sentence, same condition"), ("B2", "Only sara proposes it"),
        ("A2", "Wording; Order"), ("A3", "Only lin proposes it"),
    ]  # fmt: skip
    change = differing.settle_agreed()
    assert change.title == "settle 1 agreed state"
    decisions = definition_of(differing).decisions
    assert [(decision.key, decision.choice) for decision in decisions] == [
        ("A1", "a"), ("B2", ""), ("A2", ""), ("A3", ""),
    ]  # fmt: skip
    with pytest.raises(UserError, match="Nothing is left that both operators agree on"):
        differing.settle_agreed()
    with pytest.raises(UserError, match="Not every difference is settled: to be decided: B2, A2, A3"):
        differing.finish()


def test_each_decision_is_saved_undone_and_decided_again(differing: Defining) -> None:
    change = differing.decide("A2", "b")
    lin = Defining(StateWork(Project.open(differing.work.project.folder)), "buy", "lin")
    lin.decide("B2", "dropped")
    apply_work_change(differing.work, change.reversed)  # the decision that lin made since stays
    decided = [item for item in definition_of(lin).decisions if item.choice]
    assert [(item.key, item.choice, item.who) for item in decided] == [("B2", "dropped", "lin")]
    lin.take_back("B2")
    assert not any(item.choice or item.who or item.time for item in definition_of(lin).decisions)
    for refused, says in (
        (lambda: lin.take_back("A1"), "A1 is not decided"),
        (lambda: lin.decide("A9", "a"), "There is no pair A9. The pairs are: A1, B2, A2, A3"),
        (lambda: lin.decide("A3", "b"), "sara does not propose A3"),
        (lambda: lin.decide("B2", "a"), "lin does not propose B2"),
        (lambda: lin.decide("A1", "edited"), "A state needs a sentence"),
        (lambda: lin.decide("A1", "edited", ProposedState("", "X", after=("Q1",))), "There is no pair Q1"),
        (lambda: lin.decide("A1", "edited", ProposedState("", "X", [{"type": "no"}])), "cannot be judged"),
        (lambda: replace(lin, who="ann").decide("A1", "a"), "ann is none of the operators"),
    ):
        with pytest.raises(UserError, match=says):
            refused()


def test_the_agreed_states_are_written_and_named_by_the_task(differing: Defining) -> None:
    differing.settle_agreed()
    differing.decide("B2", "dropped")
    edited = ProposedState("", "The poster is in the cart", CART_1, ("A1",))
    differing.decide("A2", "edited", edited)
    differing.decide("A3", "a")
    change = differing.finish()
    project = Project.open(differing.work.project.folder)
    task = project.task("buy")
    assert task is not None
    assert task.essential_states == ("buy-1", "buy-2", "buy-3")
    assert [project.states[name] for name in task.essential_states] == [
        EssentialState("buy-1", "Results are shown", status=AGREED, extra={"conditions": SORT}),
        EssentialState(
            "buy-2", "The poster is in the cart", "", ("buy-1",), status=AGREED, extra={"conditions": CART_1}
        ),
        EssentialState("buy-3", "Lin smiles", "", ("buy-2",), status=AGREED),
    ]
    assert list(missed_by_goldens(ProjectRules(project), "buy")) == []
    assert [finding.what for finding in check_every_file(project)] == []
    with pytest.raises(UserError, match="The definition of buy is finished"):
        differing.decide("A1", "dropped")
    apply_work_change(differing.work, change.reversed)
    project.reload()
    assert (project.states, project.tasks[0].essential_states) == ({}, ())
    assert not definition_of(differing).finished
    apply_work_change(differing.work, change)
    project.reload()
    assert project.tasks[0].essential_states == ("buy-1", "buy-2", "buy-3")
    assert definition_of(differing).finished


def test_a_state_after_a_dropped_one_comes_after_what_that_one_came_after(differing: Defining) -> None:
    differing.settle_agreed()
    for key, choice in (("B2", "dropped"), ("A2", "b"), ("A3", "dropped")):
        differing.decide(key, choice)
    differing.finish()
    project = Project.open(differing.work.project.folder)
    assert project.states["buy-2"].after == ("buy-1",)
    assert project.states["buy-2"].sentence == "It is in the cart"


def test_states_that_would_wait_for_each_other_are_refused(work: StateWork) -> None:
    first, second = ProposedState("", "The first"), ProposedState("", "Another thing", after=("1",))
    propose(work, "buy", "lin", first, second)
    sara = propose(work, "buy", "sara", first, replace(second, after=()), sign=False)
    sara.edit("1", after=("2",))
    sara.sign()
    defining = Defining(work, "buy", "lin")
    defining.start()
    defining.decide("A1", "b")
    defining.decide("A2", "a")
    with pytest.raises(UserError, match="These states wait for each other: A1, A2"):
        defining.finish()
    assert work.project.states == {}


def test_a_state_that_the_task_has_gives_its_id_and_keeps_its_comments(work: StateWork) -> None:
    project = work.project
    states = [
        EssentialState("cart_open", "Results are  SHOWN", extra={"lab": 4}),
        EssentialState("s", "Else"),
    ]
    buy, look = project.tasks
    project.save_tasks(
        [replace(buy, essential_states=("cart_open", "s")), replace(look, essential_states=("s",))],
        states=[StateChange(None, state) for state in states],
    )
    path = project.paths.rule_file("state")
    path.write_text(
        path.read_text("utf-8").replace("- id: cart_open\n", "- id: cart_open  # ours\n"), "utf-8"
    )
    define(work)
    project.reload()
    assert project.tasks[0].essential_states == ("cart_open", "buy-2")
    assert project.states["cart_open"].extra == {"lab": 4, "conditions": SORT}
    assert "- id: cart_open  # ours\n" in path.read_text("utf-8")
    # What another task names is left as it is.
    assert project.states["s"] == states[1]


def test_what_the_operators_do_not_speak_of_stays(work: StateWork) -> None:
    """Conditions that somebody gave a state by clicking, and an alternative outside of the session."""
    project = work.project
    known = EssentialState("seen", "It is seen", "", (), True, ("else",), extra={"conditions": SORT})
    states = [known, EssentialState("else", "Another way")]
    tasks = [replace(project.tasks[0], essential_states=("seen", "else")), *project.tasks[1:]]
    project.save_tasks(tasks, states=[StateChange(None, state) for state in states])
    for who in ("lin", "sara"):
        propose(work, "buy", who, ProposedState("", "It is seen"))
    defining = Defining(work, "buy", "lin")
    defining.start()
    defining.settle_agreed()
    defining.finish()
    project.reload()
    assert project.tasks[0].essential_states == ("seen",)
    assert project.states["seen"] == replace(known, optional=False, status=AGREED)
    # It is no state of the task any more, and stays for the labels that name it.
    assert project.states["else"] == states[1]


def test_a_state_of_several_tasks_is_never_changed_by_one(work: StateWork) -> None:
    project = work.project
    shared = EssentialState("shown", "Results are shown")
    tasks = [replace(task, essential_states=("shown",)) for task in project.tasks]
    project.save_tasks(tasks, states=[StateChange(None, shared)])
    define(work)
    project.reload()
    assert project.states["shown"] == shared
    assert project.tasks[0].essential_states == ("buy-1", "buy-2")
    assert project.tasks[1].essential_states == ("shown",)


def test_a_changed_proposal_asks_for_a_new_alignment_which_keeps_what_still_holds(work: StateWork) -> None:
    defining = define(work)
    assert realignment_sentence(work.of_task("buy")) == ""
    lin = Proposing(work, "buy", "lin")
    lin.withdraw()
    lin.edit("2", sentence="The poster is in my cart")
    assert realignment_sentence(work.of_task("buy")) == (
        "The proposal of lin was changed since it was aligned"
    )
    with pytest.raises(UserError, match="The proposal of lin is not signed"):
        defining.realign()
    lin.sign()
    defining.realign()
    definition = definition_of(defining)
    assert not definition.finished
    assert [(item.key, item.choice, item.agreed_id) for item in definition.decisions] == [
        ("A1", "a", "buy-1"), ("A2", "", "buy-2"),
    ]  # fmt: skip
    alignment = defining.alignment()
    assert [is_decided(definition, pair) for pair in alignment.pairs] == [True, False]
    defining.decide("A2", "a")
    defining.finish()
    states = Project.open(work.project.folder).states
    assert list(states) == ["buy-1", "buy-2"]
    assert states["buy-2"].sentence == "The poster is in my cart"


def test_a_finished_definition_needs_the_proposals_it_was_made_of(work: StateWork) -> None:
    defining = define(work)
    defining.reopen()
    with pytest.raises(UserError, match="The definition of buy is open"):
        defining.reopen()
    lin = Proposing(work, "buy", "lin")
    lin.withdraw()
    lin.remove("2")
    lin.sign()
    with pytest.raises(UserError, match=r"lin was changed since it was aligned\. Align them"):
        defining.finish()


def test_the_operators_say_which_states_are_one(differing: Defining) -> None:
    differing.pair_states("2", "3", same=False)
    assert [pair.key for pair in differing.alignment().pairs] == ["A1", "B2", "A2", "B3", "A3"]
    differing.pair_states("3", "2")
    assert [pair.key for pair in differing.alignment().pairs][:1] == ["A1"]
    assert sorted(pair.key for pair in differing.alignment().pairs) == ["A1", "A2", "A3", "B3"]
    with pytest.raises(UserError, match="sara proposes no state 9"):
        differing.pair_states("3", "9")


def test_a_session_is_of_two_signed_proposals_and_their_operators(work: StateWork) -> None:
    propose(work, "buy", "lin", results())
    with pytest.raises(UserError, match="Two signed proposals are needed for buy"):
        Defining(work, "buy", "lin").start()
    sara = propose(work, "buy", "sara", results(), sign=False)
    with pytest.raises(UserError, match="not signed yet: sara"):
        Defining(work, "buy", "lin").start()
    sara.sign()
    for who, says in (("ann", "ann is none of the operators"), ("", "needs a name")):
        with pytest.raises(UserError, match=says):
            Defining(work, "buy", who).start()
    with pytest.raises(UserError, match="There is no definition of buy yet"):
        Defining(work, "buy", "lin").settle_agreed()
    Defining(work, "buy", "lin").start()
    with pytest.raises(UserError, match="The definition of buy is open already"):
        Defining(work, "buy", "sara").start()
    # A third proposal, as a merge may bring: the two have to be named.
    path = work.project.paths.proposal("look", "x")
    assert not path.exists()


def test_of_three_proposals_two_are_named(work: StateWork) -> None:
    for who in ("lin", "sara"):
        propose(work, "buy", who, results())
    text = work.project.paths.proposal("buy", "lin").read_text("utf-8")
    work.project.paths.proposal("buy", "ann").write_text(text.replace("who: lin", "who: ann"), "utf-8")
    with pytest.raises(UserError, match="The definition is of two operators: signed proposals are there of"):
        Defining(work, "buy", "lin").start()
    Defining(work, "buy", "lin").start(("sara", "lin"))
    assert definition_of(Defining(work, "buy", "lin")).operators == ("sara", "lin")


def test_nothing_kept_is_refused_and_unknown_tasks_are_named(work: StateWork) -> None:
    for who in ("lin", "sara"):
        propose(work, "buy", who, results())
    defining = Defining(work, "buy", "lin")
    defining.start()
    defining.decide("A1", "dropped")
    with pytest.raises(UserError, match="No state is kept: a task needs at least one"):
        defining.finish()
    with pytest.raises(UserError, match="There is no task gone"):
        Defining(work, "gone", "lin").start()
    assert isinstance(work.project.task("buy"), Task)
