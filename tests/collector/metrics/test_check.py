"""The papers' numbers are the same whether they are counted from files or from the catalogue."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.metrics import check as check_module
from collector.metrics.check import CHECKED, check_metrics
from collector.model.action import Complete, Tap
from collector.model.episode import ACTING_PERSON, Episode, Outcome
from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.verdicts.judgement import PERSON, RULE, Judgement, Subject
from collector.store.files import layout
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.reviews.labels import Labels
from tests.helpers.person_files import write_labels
from tests.helpers.run_files import anomaly_event, says, steps_of, write_run
from tests.helpers.steps import step

SUCCESS, FAILED, OPEN_END = Outcome("success"), Outcome("failure", claimed="complete"), Outcome("uncompleted")
EARLY = Outcome("uncompleted", early_stop=True)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Two agents under two conditions, with everything that a rate leaves out."""
    created = Project.create(tmp_path_factory.mktemp("check") / "p")
    states = [
        EssentialState("t-1", "", "t", alternatives=("t-4",)),
        EssentialState("t-2", "", "t"),
        EssentialState("t-3", "", "t", optional=True),
        EssentialState("t-4", "", "t", optional=True),
    ]
    created.save_tasks([Task("t", "Buy")], states=[StateChange(None, state) for state in states])
    base, low = Episode("e", agent="a", seed=1), Episode("e", agent="a", condition="low", seed=1)
    appeared = [anomaly_event("injected", 50)]
    by_rules = says("rules", RULE, t_1=1, t_2=False, t_3=True)
    write_run(created, "01", base, SUCCESS, judgements=by_rules)
    # A newer baseline of the same experiment stands; one of another experiment does not.
    write_run(created, "02", base, FAILED, judgements=says("rules", RULE, t_1=False, t_4=True, t_2=2))
    write_run(created, "03", Episode("f", agent="a", seed=1), SUCCESS)
    write_run(created, "04", low, SUCCESS, events=appeared)
    write_run(created, "05", Episode("f", agent="a", condition="low", seed=1), OPEN_END, events=appeared)
    write_run(created, "06", Episode("g", agent="a", condition="low", seed=1), SUCCESS)
    write_run(created, "07", Episode("g", agent="a", condition="low", seed=2), EARLY)
    # Left out: a fault, a stop, a person's help, no end, no verdict, a writer that died.
    stopped = Outcome(infrastructure="A person stopped the episode", stopped=True)
    write_run(created, "10", low, stopped, judgements=[*by_rules, *says("ann", PERSON, "success")])
    write_run(created, "11", low, Outcome(infrastructure="The phone was lost"), judgements=by_rules)
    helped = [step(0, Tap(1, 1), extra={ACTING_PERSON: "ann"}), step(1, Complete())]
    write_run(created, "12", base, SUCCESS, steps=helped, judgements=by_rules)
    write_run(created, "13", base, None, status="recording")
    write_run(created, "14", base, Outcome())
    write_run(created, "15", base, None, status="recovered", judgements=says("ann", PERSON, "success"))
    # Without an outcome people say it: by verdict, by majority, by what was settled, by labels of states.
    write_run(created, "21", Episode(agent="b"), Outcome(), judgements=says("ann", PERSON, "success"))
    votes = [*says("ann", PERSON, "success"), *says("bo", PERSON, "failure")]
    write_run(created, "22", Episode(agent="b"), Outcome(), judgements=votes)
    settled = Judgement("cy", PERSON, "", Subject(), "failure", settles=True, time="2026")
    write_run(created, "23", Episode(agent="b"), Outcome(), judgements=[*votes, settled])
    labelled = write_run(created, "24", Episode(agent="b"), Outcome(claimed="complete"))
    write_labels(labelled, Labels("ann").with_reached("t-1", 0).with_missed("t-2"))
    labelled = write_run(created, "25", Episode(agent="b"), Outcome(), judgements=says("rules", RULE, t_1=0))
    write_labels(labelled, Labels("ann").with_missed("t-1").with_reached("t-2", 1))
    # What appeared makes an interrupted episode also where the condition has no name.
    # Half a surrogate pair, which JSON can have and a database cannot.
    write_run(created, "27", Episode(agent="\ud800"), SUCCESS)
    write_run(created, "26", Episode(agent="b", seed=9), SUCCESS, events=appeared, steps=steps_of(Tap(1, 1)))
    (created.paths.trajectories_of("t") / "31").mkdir()
    (created.paths.trajectories_of("t") / "31" / layout.HEADER).write_text("{")
    return created


def test_both_ways_agree_and_give_what_was_counted_by_hand(project: Project) -> None:
    result = check_metrics(project)
    assert not result.differences
    counts: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for item in result.numbers:
        counts.setdefault((item.agent, item.condition), []).append(item.from_files)
    assert CHECKED == ("sr", "rsr", "esar", "uncompleted", "early-stop")
    assert counts == {
        ("a", ""): [(2, 3), (0, 0), (3, 4), (0, 1), (0, 0)],
        ("a", "low"): [(2, 4), (1, 2), (0, 0), (2, 2), (1, 2)],
        ("b", ""): [(2, 5), (0, 0), (3, 4), (1, 3), (0, 1)],
        ("?", ""): [(1, 1), (0, 0), (0, 0), (0, 0), (0, 0)],
    }
    assert (result.episodes, result.faults) == (20, 1)
    assert len(result.damaged) == 1
    assert "t/31" in result.damaged[0]


def test_the_sample_agrees(sample: Project) -> None:
    result = check_metrics(sample)
    assert (result.episodes, result.faults, result.damaged, result.differences) == (27 + 32, 0, (), ())
    assert len(result.numbers) == (9 + 2) * len(CHECKED)


def test_a_wrong_fact_in_the_catalogue_is_a_difference(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = check_module.load_episodes

    def wrong(*given, **named):
        table = right(*given, **named)
        table.records = table.records.copy()
        table.records["is_early_stop"] = 0
        return table

    monkeypatch.setattr(check_module, "load_episodes", wrong)
    (difference,) = check_metrics(project).differences
    assert (difference.measure, difference.from_files, difference.from_catalogue) == (
        "early-stop", (1, 2), (0, 2),
    )  # fmt: skip


def test_of_baselines_that_began_together_one_is_taken_in_whatever_order_they_are_read(
    tmp_path: Path,
) -> None:
    """As of two imports that do not know when their runs began."""
    created = Project.create(tmp_path / "p")
    base, low = Episode("e", agent="a"), Episode("e", agent="a", condition="low")
    for name in ("m1", "m2", "m3", "m4"):
        write_run(created, name, base, SUCCESS if name in ("m1", "m3") else FAILED, started="")
    write_run(created, "low", low, SUCCESS, started="")
    results = {check_metrics(created).numbers}
    for name in ("m1", "m2", "m3", "m4"):
        header = created.find(name) / layout.HEADER
        header.write_text(header.read_text() + "\n")  # It is read again, and gets the last key.
        result = check_metrics(created)
        assert not result.differences
        results.add(result.numbers)
    assert len(results) == 1
