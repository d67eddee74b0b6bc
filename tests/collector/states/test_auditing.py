"""An auditor, blind to the operators, answers the criteria, corrects, accepts or sends back."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from collector.model.errors import UserError
from collector.model.essential_state import AGREED, AUDITED
from collector.project_check.project_check import check_every_file
from collector.states.audit_facts import read_facts
from collector.states.auditing import Auditing, proposed_of
from collector.states.defining import Defining
from collector.states.documents.audit import (
    ACCEPT,
    CRITICALITY,
    DOUBT,
    FIX,
    NO,
    REJECT,
    SUFFICIENCY,
    VISUAL_VERIFIABILITY,
    YES,
    Audit,
)
from collector.states.documents.proposal import ProposedState
from collector.states.task_status import AUDITING, DEFINING, DONE, NOT_BEGUN, PROPOSING, task_status
from collector.states.work_change import apply_work_change
from collector.states.work_files.blindness import may_see_audit, may_see_names, may_see_proposal
from collector.states.work_files.renamed_states import rename_in_work
from collector.states.work_files.state_work import StateWork
from collector.states.work_history import history_of
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from tests.helpers.state_authors import bought, define, make_project, propose, results


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = make_project(tmp_path_factory.mktemp("made") / "p", "buy", "look")
    define(StateWork(project))
    return project.folder


@pytest.fixture
def work(made: Path, tmp_path: Path) -> StateWork:
    return StateWork(Project.open(Path(shutil.copytree(made, tmp_path / "p"))))


def begun(work: StateWork, who: str = "cleo") -> Auditing:
    auditing = Auditing(work, "buy", who)
    auditing.start()
    return auditing


def accept(auditing: Auditing, *state_ids: str) -> None:
    for state_id in state_ids:
        auditing.answer(VISUAL_VERIFIABILITY, YES, "It is on the screen", state_id)
        auditing.answer(CRITICALITY, YES, "", state_id)
        auditing.decide(state_id, ACCEPT)


def signed(work: StateWork, who: str = "cleo") -> Auditing:
    auditing = begun(work, who)
    accept(auditing, "buy-1", "buy-2")
    auditing.answer(SUFFICIENCY, YES)
    auditing.sign()
    return auditing


def audit_of(work: StateWork, who: str = "cleo") -> Audit:
    audit = work.audit("buy", who)
    assert audit is not None
    return audit


def statuses(work: StateWork) -> list[str]:
    return [state.status for state in Project.open(work.project.folder).states.values()]


def test_an_audit_that_accepts_all_states_makes_them_audited_and_undo_takes_it_back(work: StateWork) -> None:
    auditing = begun(work)
    accept(auditing, "buy-2", "buy-1")
    auditing.answer(SUFFICIENCY, YES, "Nothing is left")
    assert statuses(work) == [AGREED, AGREED]
    change = auditing.sign()
    audit = audit_of(work)
    assert [review.state for review in audit.states] == ["buy-1", "buy-2"]
    assert audit.states[0].visual_verifiability.note == "It is on the screen"
    assert audit.sufficiency.value == YES
    assert statuses(work) == [AUDITED, AUDITED]
    assert task_status(work, "buy").stage == DONE
    assert check_every_file(Project.open(work.project.folder)) == []
    with pytest.raises(UserError, match="The audit is signed and cannot be changed"):
        auditing.decide("buy-1", REJECT, "No")
    apply_work_change(work, change.reversed)
    assert (statuses(work), audit_of(work).signed) == ([AGREED, AGREED], "")
    apply_work_change(work, change)
    assert (statuses(work), audit_of(work)) == ([AUDITED, AUDITED], audit)
    auditing.withdraw()
    assert (statuses(work), audit_of(work).signed) == ([AGREED, AGREED], "")
    assert task_status(work, "buy").stage == AUDITING


def test_an_incomplete_or_contradictory_audit_is_not_signed(work: StateWork) -> None:
    auditing = begun(work)
    for act, says in (
        (lambda: None, "The audit is not complete: buy-1 lacks: Visual verifiability, Criticality"),
        (lambda: auditing.answer(VISUAL_VERIFIABILITY, DOUBT, "", "buy-1"), "buy-1 lacks: Criticality"),
        (lambda: auditing.answer(CRITICALITY, NO, "", "buy-1"), "buy-1 lacks: accept, fix or reject"),
        (lambda: auditing.decide("buy-1", ACCEPT), "buy-1 cannot be accepted. Criticality is answered"),
        (lambda: accept(auditing, "buy-1"), "buy-2 lacks"),
        (lambda: accept(auditing, "buy-2"), "sufficiency of all states together is not answered"),
        (lambda: auditing.answer(SUFFICIENCY, NO), "States that do not cover the task need a note"),
    ):
        act()
        with pytest.raises(UserError, match=says):
            auditing.sign()
    stray = ProposedState("", "A", after=("x",))
    for refused, says in (
        (lambda: auditing.decide("buy-1", REJECT, " "), "A rejection needs a note"),
        (lambda: auditing.decide("buy-1", FIX), "A correction has to say what is corrected"),
        (
            lambda: auditing.decide("buy-1", FIX, "", stray),
            "There is no state x",
        ),
        (lambda: auditing.decide("gone", ACCEPT), "There is no state gone. The states are: buy-1, buy-2"),
        (lambda: begun(work), "cleo audits buy already"),
        (lambda: Auditing(work, "buy", "dan").answer(SUFFICIENCY, YES), "dan does not audit buy yet"),
    ):
        with pytest.raises(UserError, match=says):
            refused()
    assert statuses(work) == [AGREED, AGREED]


@pytest.mark.parametrize(
    ("who", "task", "says"),
    [
        ("lin", "buy", "lin proposed states for buy: an audit is independent"),
        ("sara", "buy", "sara proposed states for buy"),
        ("cleo", "look", "The states of look are not agreed yet"),
        ("cleo", "gone", "There is no task gone"),
        (" ", "buy", "needs a name"),
    ],
)
def test_who_may_not_audit_is_told_why(work: StateWork, who: str, task: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        Auditing(work, task, who).start()


def test_a_correction_is_written_when_it_is_signed(work: StateWork) -> None:
    auditing = begun(work)
    accept(auditing, "buy-1", "buy-2")
    fixed = replace(
        proposed_of(auditing.states()["buy-2"]), sentence="One poster is in the cart", optional=True
    )
    auditing.answer(CRITICALITY, NO, "Two would do", "buy-2")
    auditing.decide("buy-2", FIX, "Say how many", fixed)
    auditing.answer(SUFFICIENCY, YES)
    assert auditing.states()["buy-2"].sentence == "The poster is in the cart"
    auditing.sign()
    state = Project.open(work.project.folder).states["buy-2"]
    assert (state.sentence, state.optional, state.status) == ("One poster is in the cart", True, AUDITED)
    assert state.after == ("buy-1",)
    assert task_status(work, "buy").stage == DONE


@pytest.mark.parametrize("by_set", [False, True])
def test_a_rejection_sends_the_task_back_and_a_new_definition_is_audited_anew(
    work: StateWork, by_set: bool
) -> None:
    auditing = begun(work)
    accept(auditing, "buy-1", "buy-2")
    auditing.answer(SUFFICIENCY, NO if by_set else YES, "The price is missing" if by_set else "")
    if not by_set:
        auditing.decide("buy-2", REJECT, "The price is missing")
    auditing.sign()
    assert statuses(work) == [AGREED, AGREED]
    status = task_status(work, "buy")
    assert (status.stage, status.sentence) == (
        DEFINING, "The audit sent the states back: The price is missing",
    )  # fmt: skip
    lin = Defining(work, "buy", "lin")
    lin.reopen()
    edited = ProposedState("", "The poster is in the cart for $ 9.50", bought().conditions, ("A1",))
    lin.decide("A2", "edited", edited)
    with pytest.raises(UserError, match="The states of buy are not agreed yet"):
        Auditing(work, "buy", "cleo").start()
    lin.finish()
    assert task_status(work, "buy").stage == AUDITING
    again = begun(work)
    # What is asked again is what changed.
    assert [review.state for review in audit_of(work).states] == ["buy-1"]
    accept(again, "buy-2")
    again.answer(SUFFICIENCY, YES)
    again.sign()
    assert task_status(work, "buy").stage == DONE
    assert [act.kind for act in audit_of(work).acts] == [
        "started", "signed", "withdrawn", "started", "signed",
    ]  # fmt: skip


def test_an_audit_of_states_that_change_meanwhile_is_not_signed(work: StateWork) -> None:
    auditing = begun(work)
    accept(auditing, "buy-1", "buy-2")
    auditing.answer(SUFFICIENCY, YES)
    path = work.project.paths.rule_file("state")
    path.write_text(path.read_text("utf-8").replace("Results are shown", "Results!"), "utf-8")
    with pytest.raises(UserError, match="buy-1 was changed since you looked at it"):
        auditing.sign()
    accept(auditing, "buy-1")
    auditing.sign()
    assert statuses(work) == [AUDITED, AUDITED]


def test_an_audited_state_that_is_edited_counts_as_agreed_and_the_check_says_so(work: StateWork) -> None:
    signed(work)
    path = work.project.paths.rule_file("state")
    path.write_text(path.read_text("utf-8").replace("Results are shown", "Results!"), "utf-8")
    status = task_status(work, "buy")
    assert (status.stage, [state.status for state in status.states]) == (AUDITING, [AGREED, AUDITED])
    assert status.warnings == ("buy-1 was changed since its audit, so it counts as agreed",)
    assert status.states[1].who == ("cleo",)
    (finding,) = check_every_file(Project.open(work.project.folder))
    assert (finding.code, finding.severity, finding.where) == (
        "audit-outdated", "warning", "rules/states.yaml",
    )  # fmt: skip


def test_of_two_auditors_one_who_rejects_counts(work: StateWork) -> None:
    dan = begun(work, "dan")
    accept(dan, "buy-1", "buy-2")
    dan.decide("buy-1", REJECT, "Not seen")
    dan.answer(SUFFICIENCY, YES)
    dan.sign()
    signed(work)
    assert statuses(work) == [AGREED, AGREED]
    assert task_status(work, "buy").stage == DEFINING
    dan.withdraw()
    assert task_status(work, "buy").sentence == "States were changed since their audit: audit them again"


def test_an_audit_is_blind(work: StateWork) -> None:
    begun(work)
    begun(work, "dan")
    of_task = work.of_task("buy")
    assert not may_see_names(of_task, "cleo").is_allowed
    assert not may_see_proposal(of_task, "cleo", "lin").is_allowed
    assert not may_see_audit(of_task, "cleo", "dan").is_allowed
    said = [entry.sentence for entry in history_of(of_task, "cleo")]
    assert said[:2] == ["An operator opened a proposal", "An operator signed the proposal"]
    status = task_status(work, "buy", "cleo")
    text = f"{said} {status}"
    assert "lin" not in text.replace("line", "")
    assert "sara" not in text
    for auditing in (Auditing(work, "buy", "cleo"),):
        accept(auditing, "buy-1", "buy-2")
        auditing.answer(SUFFICIENCY, YES)
        auditing.sign()
    of_task = work.of_task("buy")
    assert may_see_names(of_task, "cleo").is_allowed
    assert may_see_proposal(of_task, "cleo", "lin").is_allowed
    assert not may_see_audit(of_task, "dan", "cleo").is_allowed
    assert may_see_audit(of_task, "lin", "cleo").is_allowed


def test_history_tells_every_act_with_who_and_when(work: StateWork) -> None:
    signed(work)
    entries = history_of(work.of_task("buy"))
    assert [(entry.stage, entry.sentence) for entry in entries] == [
        ("proposal", "lin opened a proposal"),
        ("proposal", "lin signed the proposal with 2 states"),
        ("proposal", "sara opened a proposal"),
        ("proposal", "sara signed the proposal with 2 states"),
        ("definition", "lin opened the definition"),
        ("definition", "lin settled A1 as lin has it: Results are shown"),
        ("definition", "lin settled A2 as lin has it: The poster is in the cart"),
        ("definition", "lin finished the definition with 2 states"),
        ("audit", "cleo began the audit"),
        ("audit", "cleo accepted all states"),
    ]
    assert all(entry.time.endswith("+00:00") and entry.who for entry in entries)
    assert [entry.time for entry in entries] == sorted(entry.time for entry in entries)


@pytest.mark.parametrize("first", [True, False])
def test_a_renamed_state_stays_audited(work: StateWork, first: bool) -> None:
    """The file of the states is written before or after the labels."""
    signed(work)
    project = work.project

    def rename_states() -> None:
        known = project.states["buy-1"]
        second = replace(project.states["buy-2"], after=("shown",))
        tasks = [replace(project.tasks[0], essential_states=("shown", "buy-2")), *project.tasks[1:]]
        changes = [
            StateChange(known, None), StateChange(None, replace(known, id="shown")),
            StateChange(project.states["buy-2"], second),
        ]  # fmt: skip
        project.save_tasks(tasks, states=changes)

    if first:
        rename_states()
    assert rename_in_work(project, "buy-1", "shown") == 2
    if not first:
        rename_states()
    project.reload()
    assert [review.state for review in audit_of(work).states] == ["shown", "buy-2"]
    definition = work.definition("buy")
    assert definition is not None
    assert [decision.agreed_id for decision in definition.decisions] == ["shown", "buy-2"]
    assert task_status(work, "buy").stage == DONE
    assert rename_in_work(project, "buy-1", "shown") == 0


def test_facts_say_where_the_goldens_reach_each_state_and_what_they_leave_over(work: StateWork) -> None:
    auditing = begun(work)
    facts = read_facts(work, "buy", auditing.states())
    first, second = facts.states["buy-1"], facts.states["buy-2"]
    assert [(fact.golden, fact.step, fact.by_rules) for fact in first.goldens] == [
        ("A", 1, True),
        ("B", 1, True),
    ]
    assert [fact.holds for fact in second.goldens] == [((3, 3),), ((2, 3),)]
    assert first.is_reached_everywhere
    assert (first.needed_by, second.needed_by) == (("buy-2",), ())
    assert first.sentences == (
        "Golden A reaches it at step 2", "Golden B reaches it at step 2",
        "Without it the order of buy-2 changes",
    )  # fmt: skip
    assert second.sentences[-1] == "Without it the order of the other states stays valid"
    assert facts.uncovered == {"A": (), "B": (2,)}
    assert facts.sentences == (
        "Every step of golden A leads to a state", "Steps of golden B that lead to no state: 2",
    )  # fmt: skip


def test_facts_of_a_state_without_conditions_are_what_the_operators_pointed_at(work: StateWork) -> None:
    seen = ProposedState("", "The poster looks good", step=2)
    propose(work, "look", "lin", results(), seen)
    propose(work, "look", "sara", results(), replace(seen, step=None))
    defining = Defining(work, "look", "lin")
    defining.start()
    defining.settle_agreed()
    defining.finish()
    facts = read_facts(work, "look", Auditing(work, "look", "cleo").states()).states["look-2"]
    assert facts.sentences[:3] == (
        "Golden A: its operator points at step 3", "Golden B does not reach it",
        "It has no conditions: people and models judge it",
    )  # fmt: skip
    assert not facts.is_reached_everywhere


def test_the_status_says_what_comes_next_at_every_stage(work: StateWork) -> None:
    def now() -> tuple[str, str]:
        status = task_status(work, "look", "lin")
        return status.stage, status.sentence

    assert now() == (NOT_BEGUN, "Nobody has proposed states")
    lin = propose(work, "look", "lin", results(), sign=False)
    assert now() == (PROPOSING, "A second operator is needed")
    sara = propose(work, "look", "sara", results(), sign=False)
    lin.sign()
    assert now() == (PROPOSING, "1 of 2 proposals is signed")
    sara.sign()
    assert now() == (DEFINING, "Both proposals are signed: the definition can begin")
    defining = Defining(work, "look", "lin")
    defining.start()
    defining.settle_agreed()
    assert now() == (DEFINING, "1 pair is decided")
    sara.withdraw()
    sara.add(bought(after=()))
    assert now() == (DEFINING, "The proposal of sara was changed since it was aligned: align them again")
    sara.sign()
    defining.realign()
    defining.decide("B2", "b")
    defining.finish()
    assert now() == (AUDITING, "The states are agreed and wait for an audit")
    Auditing(work, "look", "cleo").start()
    assert now() == (AUDITING, "The audit is not signed yet")
    people = [(person.role, person.who, bool(person.signed)) for person in task_status(work, "look").people]
    assert people == [("operator", "lin", True), ("operator", "sara", True), ("auditor", "cleo", False)]
