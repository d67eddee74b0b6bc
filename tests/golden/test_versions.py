"""Every version of every format ever written still opens; one from the future is refused, untouched."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from collector.agents.registry import agent_kinds
from collector.exchange.exchange_reports import read_reports
from collector.model.action import ACTIONS, Invalid, Tap, Type, Wait
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.essential_state import EssentialState
from collector.model.expected_answer import ExpectedAnswer
from collector.model.trajectory import TrajectoryHeader
from collector.model.usage import Usage
from collector.model.verdicts.judgement import Judgement, Subject
from collector.model.verdicts.review import ReviewHold
from collector.model_judges.judge_files import JUDGE, judge_files
from collector.model_judges.methods.rubric import RUBRIC, read_rubric
from collector.project_check.project_check import check_every_file
from collector.redaction_rules.rule_file import redaction_of
from collector.review.queue import QueueWork
from collector.review.queue_files import read_queues
from collector.review.trajectory_reviews import read_reviews
from collector.run.experiment.files import check_experiment
from collector.run.experiment.matrix import cells
from collector.run.experiment.model import PlannedInjection
from collector.run.experiment.scope import scope_of
from collector.states.documents.audit import CriterionAnswer
from collector.states.documents.proposal import ProposedState
from collector.states.work_files.state_work import StateWork
from collector.states.work_files.work_check import check_state_work
from collector.store.checks.check import check_project
from collector.store.files import format_versions as versions
from collector.store.files import yaml_files
from collector.store.files.errors import FromTheFuture
from collector.store.files.format_versions import FileFormat
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import duplicate_trajectory, rename_trajectory
from collector.store.project.trajectory_moves import finish_moves
from collector.store.trajectory.achieved_states import AchievedState, state_names, with_state_ids
from collector.store.trajectory.judgements import add_judgements, read_judgements
from collector.store.trajectory.reader import open_trajectory, read_header
from collector.store.trajectory.recover import recover
from collector.store.trajectory.reviews.annotations import read_annotations, write_annotations
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.person_files import marks_in
from tests.helpers.tasks import put_task

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return Path(shutil.copytree(HERE / "project-1", tmp_path / "project"))


def kept_versions() -> set[tuple[str, int]]:
    """Format and version of each kept file that names them."""
    kept = set()
    for path in HERE.rglob("*"):
        if path.suffix in (".yaml", ".json", ".jsonl"):
            text = path.read_text("utf-8")
            name = re.search(r"^\W*format\W+([\w-]+)", text, re.MULTILINE)
            version = re.search(r"\bversion\W+(\d+)", text)
            kept |= {(name[1], int(version[1]))} if name and version else set()
    return kept


def test_every_version_of_every_format_has_a_kept_file() -> None:
    formats = [value for value in vars(versions).values() if isinstance(value, FileFormat)]
    for file_format in (*formats, JUDGE, RUBRIC):
        for version in range(1, file_format.version + 1):
            assert (file_format.name, version) in kept_versions()
    made = re.compile(r"= FileFormat\(\"([\w-]+)\"")
    texts = [path.read_text("utf-8") for path in (ROOT / "collector").rglob("*.py")]
    assert {name for text in texts for name in made.findall(text)} == {
        file_format.name for file_format in (*formats, JUDGE, RUBRIC)
    }


def test_what_release_1_0_keeps_beside_the_recordings_says_what_it_said(tmp_path: Path) -> None:
    shutil.copytree(HERE / "project-2", tmp_path / "project")
    shutil.copytree(HERE / "release-1.0", tmp_path / "project", dirs_exist_ok=True)
    project = Project.open(tmp_path / "project")
    (imported,), (exported,) = read_reports(project), read_reports(project, of_exports=True)
    assert (imported.source, len(imported.findings), exported.source) == ("gp-out", 6, "gp-out")
    judge = next(file for file in judge_files(project) if file.name == "careful")
    assert (judge.problem, judge.method, judge.options["window"]) == ("", "windows", 3)
    assert [(part.id, part.kind, part.state) for part in read_rubric(project, "shop-1")] == [
        ("placed", "obligation", "order_placed"),
        ("nothing-else", "constraint", ""),
    ]
    assert [rule.name for rule in redaction_of(project.folder)] == ["account number"]
    assert finish_moves(project)
    assert read_header(project.folder / "trajectories/shop-1/named-anew").id
    assert not (project.folder / "trajectories/shop-1/20260601-100000-run1").exists()


def test_version_1_opens_and_says_what_it_said(sample: Path) -> None:
    project = Project.open(sample)
    task = project.tasks[0]
    assert (task.id, task.essential_states, task.extra) == ("shop-1", ("shop-1-1",), {"lab": 4})
    assert project.states == {"shop-1-1": EssentialState("shop-1-1", "Poster in the cart")}
    assert not project.paths.rule_file("state").exists()
    stored = open_trajectory(next(project.trajectory_folders()))
    assert not stored.problems
    assert stored.header.episode == Episode(condition="baseline", seed=7)
    assert (stored.header.duration_ms, stored.header.extra) == (1400, {"later": "kept"})
    actions = stored.trajectory.actions
    assert {action.kind for action in actions} == set(ACTIONS) - {"wait", "invalid", "ask_user"}
    assert Type("海报 é", 4) in actions
    assert stored.steps[0].note == "先打开"
    assert stored.steps[2].extra == {"thermal": "hot"}
    secure = next(step for step in stored.steps if step.state.secure)
    assert (stored.screenshot(secure), secure.redacted) == (None, True)
    assert [event["kind"] for event in stored.events()] == ["pause", "resume"]
    output = read_annotations(stored.folder, "ann")
    assert output is not None
    assert output["review"] == "submitted"
    (verdict,) = read_judgements(stored.folder).judgements
    assert (verdict.judge, verdict.kind, verdict.verdict) == ("ann", "person", "success")
    (mark,) = marks_in(stored.folder, "ann")
    assert mark == AchievedState(2, "", sentence="Poster in the cart")
    assert with_state_ids([mark], state_names(task, project.states))[0].state == "shop-1-1"
    assert [finding.code for finding in check_every_file(project)] == ["state-problem"]  # a secure window
    assert check_project(project) == []


def test_version_2_of_tasks_names_states_and_what_the_papers_count_by(tmp_path: Path) -> None:
    project = Project.open(Path(shutil.copytree(HERE / "project-2", tmp_path / "project")))
    first, second = project.tasks
    assert first.essential_states == ("shop-1-1", "order_placed")
    assert (first.type, first.language, first.app_category) == ("state", "en", "Shopping")
    assert (second.category, second.human_validation) == ("information retrieval", True)
    assert second.expected_answer == ExpectedAnswer(("12.5",), "number", {"unit": "EUR"})
    assert [(state.id, state.sentence, state.status) for state in project.states.values()] == [
        ("shop-1-1", "Poster in the cart", "audited"),
        ("order_placed", "The order is placed", "agreed"),
        ("order_saved", "订单已保存", "proposed"),
    ]
    placed = project.states["order_placed"]
    assert (placed.after, placed.optional, placed.alternatives) == (("shop-1-1",), True, ("order_saved",))
    (golden, _run) = project.trajectory_folders()
    assert marks_in(golden, "ann") == (
        AchievedState(2, "shop-1-1", "states/0002.png"),
        AchievedState(3, "", sentence="A sentence of nobody"),
    )
    assert check_project(project) == []


def test_version_1_of_an_experiment_has_the_cells_it_always_had() -> None:
    project, kinds = Project.open(HERE / "project-2"), agent_kinds().kinds
    checked = check_experiment(project.paths.experiment("battery"), scope_of(project, kinds))
    assert checked.errors == ()
    experiment = checked.require()
    assert [condition.id for condition in experiment.conditions] == ["baseline", "low", "two"]
    assert experiment.condition("low").injections == (PlannedInjection("battery_low_single_en", 2),)
    listed = list(cells(experiment, kinds))
    assert (len(listed), listed[0].id) == (
        48,
        "shop-1 / golden / baseline / screenshot+tree / - / - / 7 / 0",
    )


def test_version_2_carries_an_episode_its_outcome_and_what_the_agent_said(tmp_path: Path) -> None:
    project = Project.open(Path(shutil.copytree(HERE / "project-2", tmp_path / "project")))
    all_stored = map(open_trajectory, project.trajectory_folders())
    stored = next(stored for stored in all_stored if stored.header.is_run)
    assert not stored.problems
    assert stored.header.episode == Episode(
        "pop-ups", "shop-1/openai/low_battery/screenshot", "openai", "Qwen2.5-VL-7B", "dgara.txt",
        "low_battery", "screenshot", 2, "dark", "en", 7, 0, 1, extra={"later": "kept"},
    )  # fmt: skip
    usage = Usage(1200, 80, 0.004, "USD", 5200)
    assert stored.header.outcome == Outcome(
        "uncompleted", "The budget of 5 steps ended", "", True, "", usage, extra={"later": "kept"}
    )
    first, invalid, last = stored.steps
    assert first.agent == AgentTurn(
        "The cart is there", '{"action":"click"}', Tap(2, 4), Usage(600, 40, 0.002, "USD", 2600),
        {"think": 2600, "act": 120}, {"later": "kept"},
    )  # fmt: skip
    assert (first.action, last.action, last.agent) == (Tap(2, 3), None, None)
    assert invalid.action == Invalid("click the moon", "malformed", "The answer is no action")
    judgements = read_judgements(stored.folder)
    assert [(judgement.judge, judgement.verdict) for judgement in judgements.judgements] == [
        ("ann", "reached"), ("ben", "failure"), ("qwen", "missed"), ("rules", "uncompleted"),
    ]  # fmt: skip
    assert check_project(project) == []


def test_version_1_of_a_queue_and_the_reviews_of_annotations_say_what_they_said(tmp_path: Path) -> None:
    project = Project.open(Path(shutil.copytree(HERE / "project-2", tmp_path / "project")))
    (queue,), problems = read_queues(project.paths)
    assert problems == ()
    assert (queue.query, queue.work, queue.reviewers, queue.who, queue.hides_judges, queue.extra) == (
        "kind:run outcome:uncompleted", QueueWork.REVIEW, 2, ("ben", "cleo"), True, {"lab": 4},
    )  # fmt: skip
    run = next(folder for folder in project.trajectory_folders() if read_header(folder).is_run)
    reviews = read_reviews(run)
    ben, cleo = reviews.of("ben"), reviews.of("cleo")
    assert ben is not None
    assert cleo is not None
    assert (ben.status, ben.approved_by, ben.verdict and ben.verdict.reason_id) == (
        "approved", "cleo", "does-not-stop",
    )  # fmt: skip
    assert (ben.record.tags, ben.record.seconds, ben.record.queue) == (("弹窗", "slow"), 61.5, "uncompleted")
    assert ben.record.extra == {"later": "kept"}
    assert (cleo.status, cleo.record.hold, cleo.record.skipped) == (
        "draft",
        ReviewHold("uncompleted", "2026-06-02T09:00:00.000+00:00", "2026-06-02T09:30:00.000+00:00"),
        "2026-06-02T08:59:00.000+00:00",
    )
    assert check_project(project) == []


def test_version_1_of_proposals_definitions_and_audits_says_what_it_said(tmp_path: Path) -> None:
    project = Project.open(Path(shutil.copytree(HERE / "project-2", tmp_path / "project")))
    work = StateWork(project).of_task("shop-1")
    assert work.problems == ()
    (proposal,) = work.proposals
    assert (proposal.who, proposal.golden, proposal.extra) == (
        "ann", "20260412-093000-0001", {"later": "kept"},
    )  # fmt: skip
    assert proposal.signed == "2026-04-12T09:50:00.000+00:00"
    first, second = proposal.states
    assert (first.sentence, first.step, first.conditions) == ("Poster in the cart", 0, None)
    assert second == ProposedState(
        "2", "订单已保存", {"all": [{"type": "element_exists", "selector": "text='Thank you'"}]},
        ("1",), True, ("1",), 3, {"lab": 4},
    )  # fmt: skip
    definition = work.definition
    assert definition is not None
    assert (definition.operators, definition.proposals) == (("ann", "ben"), ("3f0a", "77c1"))
    assert [(item.key, item.choice, item.agreed_id) for item in definition.decisions] == [
        ("A1", "a", "shop-1-1"), ("A2", "edited", "order_placed"), ("B2", "dropped", ""),
    ]  # fmt: skip
    assert definition.finished == "2026-04-13T09:03:00.000+00:00"
    (audit,) = work.audits
    assert (audit.definition, audit.signed != "", audit.has_rejected) == (definition.finished, True, False)
    assert audit.sufficiency == CriterionAnswer("yes", "Nothing is left")
    fixed = audit.state("order_placed")
    assert fixed is not None
    assert (fixed.visual_verifiability.value, fixed.criticality.value, fixed.verdict) == (
        "doubt",
        "no",
        "fix",
    )
    assert fixed.fixed is not None
    assert fixed.fixed.after == ("shop-1-1",)
    assert list(check_state_work(project)) == []


@pytest.mark.parametrize("name", ["proposals/shop-1/ann", "definitions/shop-1", "audits/shop-1/cleo"])
def test_a_file_of_the_states_from_the_future_is_refused_and_the_others_are_read(
    tmp_path: Path, name: str
) -> None:
    project = Project.open(Path(shutil.copytree(HERE / "project-2", tmp_path / "project")))
    path = project.folder / f"{name}.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("version: 1", "version: 1000"), encoding="utf-8")
    work = StateWork(project).of_task("shop-1")
    assert [type(problem) for problem in work.problems] == [FromTheFuture]
    assert len(work.proposals) + len(work.audits) + (work.definition is not None) == 2
    (finding,) = check_state_work(project)
    assert (finding.code, finding.where) == ("state-work-damaged", f"{name}.yaml")


def _begin(project: Project, folder: Path) -> None:
    project.new_trajectory(TrajectoryHeader("new", "shop-1")).close()


def _edit(project: Project, folder: Path) -> None:
    with TrajectoryWriter.open(folder) as writer:
        writer.undo()


def _annotate(project: Project, folder: Path) -> None:
    write_annotations(folder, "ann", {"review": "accepted"})


def _judge(project: Project, folder: Path) -> None:
    add_judgements(folder, [Judgement("rules", "rule", "", Subject("task"), "success")])


def _recover(project: Project, folder: Path) -> None:
    header = folder / "trajectory.json"
    header.write_text(header.read_text("utf-8").replace('"finished"', '"recording"', 1), "utf-8")
    recover(folder)


def _rename(project: Project, folder: Path) -> None:
    rename_trajectory(project, folder, "other")


def _duplicate(project: Project, folder: Path) -> None:
    duplicate_trajectory(project, folder)


def _save_task(project: Project, folder: Path) -> None:
    put_task(project, replace(project.tasks[0], note="changed"))


WRITES = (_begin, _edit, _annotate, _judge, _recover, _rename, _duplicate, _save_task)


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__.strip("_"))
def test_a_project_becomes_version_2_with_the_first_write_and_older_programs_refuse_it(
    sample: Path, write: Callable[[Project, Path], None]
) -> None:
    project = Project.open(sample)
    path = sample / "project.yaml"
    path.write_text(f"# ours\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    upgraded = path.read_text(encoding="utf-8").replace("version: 1\n", "version: 2\n")
    folder = next(project.trajectory_folders())
    open_trajectory(folder)
    with TrajectoryWriter.open(folder):  # a writer that writes nothing
        assert "version: 1\n" in path.read_text(encoding="utf-8")
    write(project, folder)
    assert path.read_text(encoding="utf-8") == upgraded
    version_1 = FileFormat("waymark-project")
    with pytest.raises(FromTheFuture, match=r"project\.yaml was written by a later Waymark Studio"):
        version_1.upgrade(yaml_files.load(path), "project.yaml")


def test_a_damaged_project_file_does_not_keep_a_verdict_from_being_written(sample: Path) -> None:
    project = Project.open(sample)
    (sample / "project.yaml").write_text("version: [", encoding="utf-8")
    folder = next(project.trajectory_folders())
    _judge(project, folder)
    assert (sample / "project.yaml").read_text(encoding="utf-8") == "version: ["
    assert len(read_judgements(folder).judgements) == 2
    (sample / "project.yaml").write_text("version: 3\n", encoding="utf-8")
    with pytest.raises(FromTheFuture):
        _judge(project, folder)


def test_version_1_can_still_be_edited_and_undone(sample: Path) -> None:
    with TrajectoryWriter.open(next(Project.open(sample).trajectory_folders())) as writer:
        assert (writer.undo_title, writer.redo_title) == ("delete step 12", "insert step 12")
        writer.undo()
        assert Wait(1500) in [step.action for step in writer.steps]
        while writer.undo():
            pass
        # What was recorded before the file was opened stays.
        assert len(writer) == 15
        assert writer.undo_title == ""


@pytest.mark.parametrize("name", ["project.yaml", "tasks.yaml"])
def test_a_project_from_the_future_is_refused(sample: Path, name: str) -> None:
    path = sample / name
    path.write_text(path.read_text(encoding="utf-8").replace("version: 1", "version: 1000"), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(FromTheFuture, match="version 1000 and this program knows up to"):
        Project.open(sample)
    assert path.read_bytes() == before


def test_a_trajectory_from_the_future_is_refused_for_reading_and_writing(sample: Path) -> None:
    folder = next(Project.open(sample).trajectory_folders())
    path = folder / "trajectory.json"
    path.write_text(json.dumps({**json.loads(path.read_bytes()), "version": 1000}))
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for action in (open_trajectory, TrajectoryWriter.open):
        with pytest.raises(FromTheFuture, match="Update Waymark Studio"):
            action(folder)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_upgrades_are_applied_one_after_the_other() -> None:
    chained = FileFormat(
        "waymark-test",
        3,
        {
            1: lambda document: {**document, "b": document["a"] + 1},
            2: lambda document: {**document, "c": document["b"] + 1},
        },
    )
    assert chained.upgrade({"format": "waymark-test", "version": 1, "a": 1}, "x") == {
        "format": "waymark-test", "version": 3, "a": 1, "b": 2, "c": 3,
    }  # fmt: skip
    assert "b" not in chained.upgrade({"version": 3}, "x")
