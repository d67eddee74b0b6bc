"""Files of proposals, definitions and audits: what is written is read, and what others wrote stays."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.model.errors import UserError
from collector.model.task import Task
from collector.states.documents.audit import ANSWERS, VERDICTS_OF_AUDIT, Audit, AuditedState, CriterionAnswer
from collector.states.documents.audit_codec import audit_document, audit_of
from collector.states.documents.definition import CHOICES, Definition, StateDecision
from collector.states.documents.definition_codec import definition_document, definition_of
from collector.states.documents.proposal import Proposal, ProposedState, new_local_id
from collector.states.documents.proposal_codec import proposal_document, proposal_of
from collector.states.documents.workflow_act import (
    ACT_KINDS,
    SIGNED,
    STARTED,
    WITHDRAWN,
    WorkflowAct,
    act_now,
)
from collector.states.work_files.state_work import StateWork
from collector.states.work_files.work_check import check_state_work
from collector.store.files import yaml_files
from collector.store.files.disk import Disk
from collector.store.files.errors import Damaged
from collector.store.project.project import Project

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = texts.filter(str.strip).map(str.strip)
some_names = st.lists(names, max_size=3).map(tuple)
plain = st.recursive(
    st.one_of(st.booleans(), st.integers(-5, 5), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=3)),
    max_leaves=5,
)
conditions = st.one_of(st.none(), st.dictionaries(names, plain, min_size=1, max_size=2))
extras = st.dictionaries(names.map(lambda name: f"x-{name}"), plain, max_size=2)
acts = st.lists(st.builds(WorkflowAct, st.sampled_from(ACT_KINDS), names, names), max_size=3).map(tuple)
states = st.builds(
    ProposedState, names, texts, conditions, some_names, st.booleans(), some_names,
    st.one_of(st.none(), st.integers(0, 99)), extras,
)  # fmt: skip
proposals = st.builds(
    Proposal, names, names, texts,
    st.lists(states, max_size=3, unique_by=lambda state: state.id).map(tuple), acts, extras,
)  # fmt: skip
decisions = st.builds(
    StateDecision,
    names,
    texts,
    st.sampled_from(("", *CHOICES)),
    st.one_of(st.none(), states),
    texts,
    texts,
    texts,
    texts,
)
definitions = st.builds(
    Definition, names, st.tuples(names, names), st.tuples(texts, texts),
    st.lists(decisions, max_size=3, unique_by=lambda decision: decision.key).map(tuple),
    st.dictionaries(st.tuples(names, names), st.booleans(), max_size=2), acts, extras,
)  # fmt: skip
answers = st.builds(CriterionAnswer, st.sampled_from(("", *ANSWERS)), texts)
audits = st.builds(
    Audit, names, names,
    st.lists(
        st.builds(
            AuditedState, names, answers, answers, st.sampled_from(("", *VERDICTS_OF_AUDIT)), texts,
            st.one_of(st.none(), states), texts, extras,
        ),
        max_size=3, unique_by=lambda state: state.state,
    ).map(tuple),
    answers, texts, acts, extras,
)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(proposals, definitions, audits)
def test_what_is_written_is_read(proposal: Proposal, definition: Definition, audit: Audit) -> None:
    for value, document, read in (
        (proposal, proposal_document(proposal), proposal_of),
        (definition, definition_document(definition), definition_of),
        (audit, audit_document(audit), audit_of),
    ):
        data = yaml_files.new(document, "x")
        assert read(yaml_files.parse(data, "x"), "x") == value  # type: ignore[operator]


@settings(max_examples=12, deadline=None)
@given(before=proposals, after=proposals)
def test_a_file_that_is_written_over_another_reads_as_the_new_one(
    tmp_path_factory: pytest.TempPathFactory, before: Proposal, after: Proposal
) -> None:
    path = tmp_path_factory.getbasetemp() / "over.yaml"
    path.unlink(missing_ok=True)
    for value in (before, after):
        yaml_files.write(path, proposal_document(value), Disk(), ("id",))
        assert proposal_of(yaml_files.load(path), path.name) == value


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project.create(tmp_path / "p", "P")
    project.save_tasks([Task("shop-1", "Buy"), Task("shop/2", "Sell")])
    return project


def add(work: StateWork, task: str, who: str, *states: ProposedState, golden: str = "") -> None:
    proposal = Proposal(task, who, golden, states, (act_now(STARTED, who),))
    work.change_proposal(task, who, lambda _before: proposal)


def test_files_of_two_people_are_two_files_in_safe_places(project: Project) -> None:
    work = StateWork(project)
    add(work, "shop/2", "Lin", ProposedState("1", "A"))
    add(work, "shop/2", "con", ProposedState("1", "B"))
    files = [project.paths.relative(path) for path in project.paths.state_work_files()]
    assert len(files) == 2
    assert all(name.count("/") == 2 for name in files)
    assert work.of_task("shop/2").operators == ("Lin", "con")
    assert work.of_task("shop-1").operators == ()
    assert list(check_state_work(project)) == []


def test_comments_and_unknown_keys_stay_with_their_state(project: Project) -> None:
    work = StateWork(project)
    add(work, "shop-1", "lin", ProposedState("1", "A"), ProposedState("2", "B"))
    path = project.paths.proposal("shop-1", "lin")
    text = path.read_text("utf-8").replace("sentence: A\n", "sentence: A  # first\n    lab: 4\n")
    path.write_text(f"# Mine\n{text}", "utf-8")

    def swapped(proposal: Proposal | None) -> Proposal:
        assert proposal is not None
        first, second = proposal.states
        return replace(proposal, states=(replace(second, optional=True), first))

    work.change_proposal("shop-1", "lin", swapped)
    text = path.read_text("utf-8")
    assert text.startswith("# Mine\n")
    assert "sentence: A  # first\n    lab: 4\n" in text
    assert [state.id for state in work.of_task("shop-1").proposals[0].states] == ["2", "1"]


def test_two_programs_that_write_at_once_lose_nothing(project: Project) -> None:
    works = [StateWork(Project.open(project.folder)) for _ in range(4)]
    add(works[0], "shop-1", "lin")

    def more(proposal: Proposal | None) -> Proposal:
        assert proposal is not None
        state = ProposedState(new_local_id(state.id for state in proposal.states), "S")
        return replace(proposal, states=(*proposal.states, state))

    def write(work: StateWork) -> None:
        for _ in range(5):
            work.change_proposal("shop-1", "lin", more)

    threads = [threading.Thread(target=write, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    proposal = works[0].proposal("shop-1", "lin")
    assert proposal is not None
    assert [state.id for state in proposal.states] == [str(number) for number in range(1, 21)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("task: shop-1\nwho: lin\nstates: 4\n", "states has to be a list"),
        ("task: shop-1\nwho: lin\nstates: [{sentence: A}]\n", r"states\[1\].id is missing"),
        ("task: shop-1\nwho: lin\nstates: [{id: 1}, {id: '1'}]\n", "states has 1 twice"),
        ("task: shop-1\nwho: lin\nstates: [{id: 1, step: -1}]\n", r"states\[1\].step has to be a step"),
        ("task: shop-1\nwho: lin\nstates: [{id: 1, after: x}]\n", r"states\[1\].after has to be a list"),
        ("task: shop-1\nwho: lin\nstates: [{id: 1, optional: 3}]\n", r"states\[1\].optional has to be true"),
        ("task: shop-1\nwho: lin\nacts: [{act: gone}]\n", r"acts\[1\].act is gone; there are only: started"),
        ("task: shop-1\nwho: [lin]\n", "who has to be a text"),
        ("task: shop-1\nwho: ben\n", "it says shop-1 ben, which is not its place"),
        ("- 1\n", "it is not a mapping"),
        ("", "it is empty"),
        ("task: [\n", "line 2"),
    ],
)
def test_a_damaged_file_is_one_sentence_and_stays_as_it_is(project: Project, text: str, says: str) -> None:
    work = StateWork(project)
    add(work, "shop-1", "zoe", ProposedState("1", "A"))
    path = project.paths.proposal("shop-1", "lin")
    path.write_text(text, "utf-8")
    with pytest.raises(UserError, match=says):
        work.proposal("shop-1", "lin")
    with pytest.raises(UserError, match=says):
        work.change_proposal("shop-1", "lin", lambda proposal: proposal)
    assert path.read_text("utf-8") == text
    of_task = work.of_task("shop-1")
    assert of_task.operators == ("zoe",)
    assert len(of_task.problems) == 1
    (finding,) = check_state_work(project)
    assert (finding.code, finding.where) == ("state-work-damaged", "proposals/shop-1/lin.yaml")


def test_a_link_out_of_the_project_is_not_followed(project: Project, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (project.folder / "proposals").symlink_to(outside)
    with pytest.raises(UserError, match="is a link and is not followed"):
        add(StateWork(project), "shop-1", "lin")
    assert list(outside.iterdir()) == []


def test_names_that_lead_nowhere_are_findings(project: Project) -> None:
    work = StateWork(project)
    unjudged = ProposedState("1", "A", [{"type": "no"}], after=("7",), alternatives=("8", "1"))
    add(work, "shop-1", "lin", unjudged, golden="g1")
    add(work, "gone", "lin")
    assert [(finding.code, finding.where) for finding in check_state_work(project)] == [
        ("state-work-task", "proposals/gone/lin.yaml"),
        ("state-work-name", "proposals/shop-1/lin.yaml"),
        ("state-work-name", "proposals/shop-1/lin.yaml"),
        ("state-work-condition", "proposals/shop-1/lin.yaml"),
        ("state-work-golden", "proposals/shop-1/lin.yaml"),
    ]


def test_a_signature_stands_until_it_is_withdrawn() -> None:
    lin = [WorkflowAct(kind, "lin", str(at)) for at, kind in enumerate((STARTED, SIGNED, WITHDRAWN, SIGNED))]
    signed = [Proposal("t", "lin", acts=tuple(lin[:count])).signed for count in range(5)]
    assert signed == ["", "", "1", "", "3"]
    assert Proposal("t", "lin", acts=tuple(lin)).started == "0"


def test_a_decision_needs_a_state_of_one_operator() -> None:
    document = {"task": "t", "a": {"who": "x"}, "b": {"who": "y"}, "decisions": [{"choice": "a"}]}
    with pytest.raises(Damaged, match=r"decisions\[1\].b is missing"):
        definition_of(document, "t.yaml")
