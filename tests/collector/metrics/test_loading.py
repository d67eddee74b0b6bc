"""Runs are loaded as columns with what their files hold, and judged by whoever is asked for."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collector.exchange.imports.importing import import_into
from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns, numbered
from collector.metrics.loading import judges_of_project, load_episodes
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import pivot
from collector.model.action import Complete, Tap
from collector.model.episode import Episode, Outcome
from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.verdicts.judgement import MODEL, PERSON, RULE
from collector.model.verdicts.voted_subject import PEOPLE
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.episode_facts import EpisodeFacts
from collector.store.catalogue.facts_table import CatalogueFacts
from collector.store.catalogue.query import QueryError
from collector.store.files import layout
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reviews.labels import Labels
from tests.helpers.aitk_source import CONFIG, TASK, aitk_folder, answered, said
from tests.helpers.person_files import write_labels
from tests.helpers.run_files import says, steps_of, write_run

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
DGARA_RUN = DATA / "layouts/D-GARA/LOGFINAL"


def texts(table: EpisodeColumns, *names: str) -> list[tuple[Any, ...]]:
    """Some facts of each episode; codes as their texts."""
    is_text = {name: EpisodeFacts.__annotations__[name] == "Code" for name in names}
    return [
        tuple(table.texts[int(record[name])] if is_text[name] else record[name].item() for name in names)
        for record in table.records
    ]


def statuses(table: EpisodeColumns) -> list[str]:
    return [table.texts[code] for code in table.verdicts.status.tolist()]


# -- the sample ----------------------------------------------------------------------
def test_the_run_of_the_sample_is_loaded_with_its_anomalies_and_its_numbers(sample: Project) -> None:
    table = load_episodes(sample)
    assert len(table) == 27 + 32
    assert {(agent, task) for agent, task in texts(table, "agent", "task")} == {
        (agent, task)
        for agents, tasks in (
            (("golden", "careful", "monkey"), ("todo-04", "messenger-05", "settings-03")),
            (("by-words", "by-place"), ("todo-06", "todo-07")),
        )
        for agent in agents
        for task in tasks
    }
    of_condition: dict[str, set[tuple[Any, ...]]] = {}
    names = (
        "anomalies",
        "met",
        "met_at",
        "is_finished",
        "is_fault",
        "by_person",
        "seed",
        "repeat",
        "attempt",
    )
    for condition, *facts in texts(table, "condition", *names):
        of_condition.setdefault(condition, set()).add(tuple(facts))
    assert of_condition == {
        "": {("", 0, -1, 1, 0, 0, 1, 0, 0)},
        "app-crash": {("app_crash", 1, 2, 1, 0, 0, 1, 0, 0)},
        "battery-low": {("battery_low_double_en", 1, 1, 1, 0, 0, 1, 0, 0)},
    }
    # The native crash asks nothing; the dialog is answered at the step that meets it, or never.
    assert {(agent, condition, answers, over) for agent, condition, answers, over in texts(
        table, "agent", "condition", "answers", "over_at") if answers} == {
        ("careful", "battery-low", "\nbattery_low_double_en=deny", 2),
        ("golden", "battery-low", "\nbattery_low_double_en=", -1),
        ("monkey", "battery-low", "\nbattery_low_double_en=deny", 2),
        ("monkey", "battery-low", "\nbattery_low_double_en=dismiss", 2),
    }  # fmt: skip
    assert not table.column("malformed").any()
    assert not table.column("hallucinated").any()


def test_facts_of_the_sample_are_those_of_its_files(sample: Project) -> None:
    """Read once more without any of our readers."""
    table = load_episodes(sample)
    with Catalogue(sample) as catalogue:
        folders = catalogue.folders_of(table.keys.tolist())
    names = ("steps", "actions", "claimed", "outcome", "ended_by", "duration_ms", "time_ms", "package")
    for key, facts in zip(table.keys.tolist(), texts(table, *names), strict=True):
        folder = sample.folder / folders[key]
        header = json.loads((folder / "trajectory.json").read_text())
        steps = [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]
        kinds = [step["action"]["kind"] for step in steps if step["action"]]
        apps = [
            step["state"]["package"] for step in steps
            if step["action"] and "launcher" not in step["state"]["package"]
            and step["state"]["package"] != "com.example.adbsmarttest"
        ]  # fmt: skip
        outcome = header["outcome"]
        signals = sum(kind in ("complete", "answer", "impossible") for kind in kinds)
        assert facts == (
            outcome["agent_steps"], len(kinds) - signals, outcome["claimed"], outcome["status"],
            outcome["ended_by"], header["duration_ms"], outcome.get("time_ms", -1),
            max(dict.fromkeys(apps), key=apps.count, default=""),
        )  # fmt: skip


def test_states_of_the_sample_are_those_that_the_rules_judged(sample: Project) -> None:
    table = load_episodes(sample)
    assert [(state.ids, state.alternatives) for state in table.tasks["shop-11"].needed] == [
        (("shop-11-1",), ("shop-11-3",)), (("shop-11-2",), ()),
    ]  # fmt: skip
    # The second state of the task is optional.
    assert [state.ids for state in table.tasks["todo-04"].needed] == [("todo-04-1",)]
    facts = table.tasks["settings-03"]
    assert (facts.golden_steps, facts.measured_level) == (4, "easy")
    assert (table.tasks["shop-15"].golden_steps, table.tasks["shop-15"].measured_level) == (None, "")
    assert table.verdicts.judged.sum() == 9 * (1 + 2 + 2) + 32
    assert (
        table.verdicts.reached[table.is_success].tolist() == table.verdicts.judged[table.is_success].tolist()
    )
    assert judges_of_project(sample) == ("recorded", "people", "rules", "sara", "simulated")
    assert statuses(load_episodes(sample, judge="rules")) == statuses(table)
    assert not load_episodes(sample, judge="nobody").counted.any()


def test_a_query_selects_and_hides_no_baseline(sample: Project) -> None:
    table = load_episodes(sample, "agent:careful condition:battery-low")
    assert (len(table), int(table.selected.sum())) == (27 + 32, 3)
    cell = pivot(table, [], [MEASURES["rsr"]]).cell(0, 0)
    assert (cell.hits, cell.count) == (3, 3)
    for query, count in (("met:yes", 18), ("met:no", 9 + 32), ("met:>1", 0), ("loop:>=3", 1 + 8),
                         ("helped:yes", 0), ("covered:no kind:run", 27 + 32),
                         ("id:quick__golden", 9)):  # fmt: skip
        assert int(load_episodes(sample, query).selected.sum()) == count, query
    with pytest.raises(QueryError):
        load_episodes(sample, "nothing:here")


def test_an_anomaly_and_its_category_are_dimensions_of_a_condition_with_any_name(sample: Project) -> None:
    table = load_episodes(sample)
    assert DIMENSIONS["anomaly"].values(table)[0] == ("", "app_crash", "battery_low_double_en")
    assert DIMENSIONS["anomaly-category"].values(table)[0] == ("", "App Malfunction", "System Resource")


# -- judges ---------------------------------------------------------------------------
@pytest.fixture
def judged(tmp_path: Path) -> Project:
    """One task with two needed states and runs that judges see differently."""
    created = Project.create(tmp_path / "p")
    states = [EssentialState("t-1", "", "t"), EssentialState("t-2", "", "t", after=("t-1",))]
    created.save_tasks([Task("t", "Buy")], states=[StateChange(None, state) for state in states])
    by_model = says("qwen", MODEL, "failure", t_1=0, t_2=False)
    write_run(created, "1", Episode(agent="a"), Outcome("success"), judgements=[
        *says("rules", RULE, "success", t_1=0, t_2=2), *by_model, *says("ann", PERSON, t_1=1),
    ])  # fmt: skip
    write_run(created, "2", Episode(agent="a"), Outcome("uncompleted"), judgements=[
        *says("rules", RULE, t_1=3), *says("ann", PERSON, t_1=False, t_2=4), *by_model,
    ])  # fmt: skip
    write_run(created, "3", Episode(agent="a"), Outcome(claimed="complete"), judgements=[
        *says("qwen", MODEL, "success"), *says("ann", PERSON, t_1=True, t_2=False),
        *says("bo", PERSON, t_1=1),
    ])  # fmt: skip
    return created


def states_of(table: EpisodeColumns) -> list[tuple[int, int]]:
    return list(zip(table.verdicts.reached.tolist(), table.verdicts.judged.tolist(), strict=True))


def steps_of_states(table: EpisodeColumns) -> list[str]:
    assert table.verdicts.steps is not None
    return [table.texts[code] for code in table.verdicts.steps.tolist()]


def test_every_judge_has_its_own_outcomes_and_states(judged: Project) -> None:
    assert judges_of_project(judged) == ("recorded", "ann", "bo", PEOPLE, "qwen", "rules")
    recorded = load_episodes(judged)
    # Of each state the rules count first, then people; without an outcome the labels of people give one.
    assert statuses(recorded) == ["success", "uncompleted", "failure"]
    assert states_of(recorded) == [(2, 2), (2, 2), (1, 2)]
    assert steps_of_states(recorded) == ["\nt-1=0\nt-2=2", "\nt-2=4\nt-1=3", "\nt-1=1"]
    rules = load_episodes(judged, judge="rules")
    assert statuses(rules) == ["success", "", ""]
    assert states_of(rules) == [(2, 2), (1, 1), (0, 0)]
    model = load_episodes(judged, judge="qwen")
    # A failure that was recorded as uncompleted stays that; a success does not.
    assert statuses(model) == ["failure", "uncompleted", "success"]
    assert states_of(model) == [(1, 2), (1, 2), (0, 0)]
    ann = load_episodes(judged, judge="ann")
    # The first has a state without a label; the second lacks one, and nothing was claimed.
    assert statuses(ann) == ["", "uncompleted", "failure"]
    assert states_of(ann) == [(1, 1), (1, 2), (1, 2)]
    assert statuses(load_episodes(judged, judge=PEOPLE)) == ["", "uncompleted", "failure"]


def test_what_changes_in_files_changes_what_is_loaded(judged: Project) -> None:
    assert statuses(load_episodes(judged, judge=PEOPLE))[0] == ""
    folder = judged.find("1")
    write_labels(folder, Labels("ann").with_reached("t-1", 0).with_reached("t-2", 1))
    assert sorted(statuses(load_episodes(judged, judge=PEOPLE))) == ["failure", "success", "uncompleted"]
    add_judgements(folder, says("bo", PERSON, "failure"))
    table = load_episodes(judged, judge=PEOPLE)
    assert sorted(statuses(table)) == ["failure", "failure", "uncompleted"]
    shutil.rmtree(folder)
    assert len(load_episodes(judged)) == 2
    with Catalogue(judged) as catalogue:
        catalogue.rebuild()
    assert len(load_episodes(judged)) == 2


def test_a_damaged_run_hides_no_other(judged: Project) -> None:
    (judged.find("1") / layout.HEADER).write_bytes(b"\0\0")
    (judged.find("2") / layout.EVENTS).write_bytes(b'{"transition": [}\n\xff\xfe"settings"\n')
    (judged.find("2") / layout.STEPS).write_bytes(b'{"index": "no"}\n')
    (judged.find("3") / layout.JUDGEMENTS / "ann.jsonl").write_bytes(b"[]")
    huge = Episode(agent="a" * 70_000 + "\ud800", seed=10**30)
    write_run(judged, "4", huge, Outcome("success"), steps=steps_of(Tap(1, 1), Complete()))
    table = load_episodes(judged)
    assert statuses(table) == ["uncompleted", "", "success"]
    assert int(table.counted.sum()) == 2
    assert table.column("seed")[-1] == 2**63 - 1
    assert pivot(table, [DIMENSIONS["agent"]], [MEASURES["sr"]]).cell(0, 0).count == 1


def test_a_damaged_file_of_states_or_anomalies_hides_no_number_that_needs_none(judged: Project) -> None:
    judged.paths.rule_file("state").write_text("states: [")
    judged.paths.library.parent.mkdir(exist_ok=True)
    judged.paths.library.write_text("anomalies: {")
    table = load_episodes(Project.open(judged.folder, allow_damage=True))
    assert statuses(table)[:2] == ["success", "uncompleted"]


def test_a_catalogue_of_other_fields_is_read_anew(judged: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    load_episodes(judged)
    monkeypatch.setattr("collector.store.catalogue.catalogue_database.VERSION", 1)
    with Catalogue(judged) as catalogue:
        assert catalogue.refresh() == 3


def test_what_is_loaded_belongs_together_whatever_another_program_writes(
    judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program that indexes the project anew gives texts other codes."""
    load_episodes(judged)
    read = CatalogueFacts.texts

    def read_late(facts: CatalogueFacts) -> list[str]:
        with contextlib.closing(sqlite3.connect(judged.paths.catalogue, timeout=0)) as other:
            other.execute("UPDATE texts SET text = 'other ' || id")
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.commit()
        return read(facts)

    monkeypatch.setattr(CatalogueFacts, "texts", read_late)
    assert statuses(load_episodes(judged)) == ["success", "uncompleted", "failure"]


def test_a_project_without_a_run_has_an_empty_table(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    table = load_episodes(project, "agent:x")
    assert len(table) == 0
    assert not len(pivot(table, [DIMENSIONS["agent"]], list(MEASURES.values())).groups)
    assert judges_of_project(project) == ("recorded",)


def test_large_numbers_keep_rows_apart() -> None:
    columns = [np.array([2**62, 5, 2**62, 5]), np.array([-1, -1, 7, -1]), np.array([3, 3, 3, 3])]
    numbers = numbered(columns, 4).tolist()
    assert numbers[1] == numbers[3]
    assert len(set(numbers)) == 3
    assert numbered([], 2).tolist() == [0, 0]


# -- imports --------------------------------------------------------------------------
@pytest.mark.skipif(not DGARA_RUN.is_dir(), reason="needs ../shared/data")
def test_a_run_of_dgara_met_its_anomaly_and_ran_out_of_steps(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    import_into(project, DGARA_RUN)
    table = load_episodes(project)
    names = ("agent", "condition", "anomalies", "buttons", "outcome", "steps", "met", "met_at", "over_at")
    low = "low_battery_double_en"
    assert texts(table, *names) == [("D-GARA", low, low, 2, "uncompleted", 5, 1, 1, 2)]
    # No tree was recorded, so nobody knows what was covered; the event names a button that is not known.
    assert texts(table, "covered_steps", "answers") == [(0, f"\n{low}=EVENT:SYSTEM_BATTERY_IGNORE")]
    assert [int(mask.sum()) for mask in (table.counted, table.interrupted, table.met)] == [1, 1, 1]
    # The verdict of its validator is a judge too.
    assert judges_of_project(project) == ("recorded", "D-GARA")
    assert statuses(load_episodes(project, judge="D-GARA")) == ["uncompleted"]


def test_a_run_of_aitk_is_judged_by_its_evaluator(tmp_path: Path) -> None:
    source = tmp_path / "saves"
    done = said("Thought: All is done.\nAction: finished(content='')", action="end", answer="")
    run = aitk_folder(source / "qwen25vl_test/cnn_tariff", [said("x", action="tap", x=2, y=6), done])
    search, results = json.loads(TASK["essential states"])
    said_yes = [(0, search, "yes"), (0, results, "no"), (1, search, "no"), (1, results, "no")]
    answers = [answered(run, step, state, f"<answer>{word}<answer>") for step, state, word in said_yes]
    (run.parent / "eval_results.jsonl").write_text("\n".join(map(json.dumps, answers)), "utf-8")
    project = Project.create(tmp_path / "p")
    import_into(project, source)
    project.reload()
    recorded = load_episodes(project)
    assert texts(recorded, "agent", "experiment", "steps", "actions", "claimed", "is_finished") == [
        ("qwen25_vl", CONFIG["experiment"]["name"], 2, 1, "complete", 1)
    ]
    # The outcome is its evaluator's, and so are the states: neither rules nor people judged them.
    assert (statuses(recorded), states_of(recorded)) == (["failure"], [(0, 0)])
    by_model = load_episodes(project, judge="aitk-evaluator")
    assert (statuses(by_model), states_of(by_model)) == (["failure"], [(1, 2)])
