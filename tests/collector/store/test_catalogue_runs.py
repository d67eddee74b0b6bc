"""Runs are found by every field of their episode, outcome and judgements, without being opened."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from collector.model.episode import Episode, Outcome
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.model.usage import Usage
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.catalogue import catalogue_content, catalogue_scan, query
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.query import QueryError
from collector.store.files import layout
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements, path_of
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

FULL = Episode(
    "pop-ups", "t/openai/low_battery", "openai", "Qwen/Qwen2.5-VL", "dgara.txt", "low_battery, incoming_call",
    "screenshot+tree", 2, "dark", "zh-CN", 7, 1, 0,
)  # fmt: skip
FAILED = Outcome(
    "failure", "The agent said 50% was done", "complete", usage=Usage(1200, 80, 0.25, "USD", 61_500)
)
EARLY = Outcome("uncompleted", "Five equal actions", early_stop=True, usage=Usage(input_tokens=5))
BROKEN = Outcome(infrastructure="The phone was lost")
RUNS = {
    "full": (FULL, FAILED),
    "early": (Episode(agent="openai-2", condition="no_network", seed=12, buttons=1), EARLY),
    "broken": (Episode(agent="monkey", attempt=2), BROKEN),
    "plain": (Episode(), None),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    created = Project.create(tmp_path_factory.mktemp("runs") / "p")
    for number, (name, (episode, outcome)) in enumerate(RUNS.items()):
        header = TrajectoryHeader(
            name, "t", kind=RUN, episode=episode, outcome=outcome, started=f"2026-0{number}"
        )
        write(created, header)
    write(created, TrajectoryHeader("golden", "t", started="2025"))
    # An anomaly that no condition names, in the events alone.
    inject(created, "broken", "gps_off")
    add_judgements(created.find("full"), [
        Judgement("rules", "rule", "1", Subject(), "success"),
        Judgement("rules", "rule", "2", Subject(), "failure"),
        Judgement("ann", "person", "", Subject(), "success"),
        Judgement("rules", "rule", "2", Subject("state", "cart"), "reached"),
        Judgement("rules", "rule", "2", Subject("state", "paid"), "missed"),
        Judgement("qwen", "model", "7b", Subject("window", "mailed", 0, 1), "reached"),
        Judgement("qwen", "model", "7b", Subject("window", "mailed", 2, 3), "missed"),
    ])  # fmt: skip
    add_judgements(created.find("early"), [Judgement("rules", "rule", "2", Subject(), "uncompleted")])
    with Catalogue(created) as catalogue:
        catalogue.refresh()
    return created


def write(project: Project, header: TrajectoryHeader) -> None:
    with TrajectoryWriter.create(project.paths.trajectories_of("t"), header) as writer:
        writer.append(step(0), png(), xml())
        writer.finish()


def inject(project: Project, run: str, anomaly: str) -> None:
    injected = {"kind": "anomaly", "t_ms": 5, "injection": "i1", "anomaly": anomaly, "transition": "injected"}
    with (project.find(run) / layout.EVENTS).open("a") as events:
        events.write(json.dumps(injected) + "\n")


def ids(project: Project, text: str) -> set[str]:
    with Catalogue(project) as catalogue:
        rows = catalogue.find(text)
        assert catalogue.count(text) == len(rows)
        return {row.id for row in rows}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("experiment:pop", "full"),
        ("cell:t/openai", "full"),
        ("agent:openai", "full early"),
        ("agent:=openai", "full"),
        ("agent:=OPENAI-2", "early"),
        ("agent:none kind:run", "plain"),
        ("agent:any", "full early broken"),
        ("-agent:openai kind:run", "broken plain"),
        ("model:qwen", "full"),
        ("model:*2.5-vl", "full"),
        ("model:2.5", ""),
        ("prompt:dgara", "full"),
        ("condition:low_battery", "full"),
        ("condition:incoming", ""),
        ("condition:none kind:run", "broken plain"),
        ("modality:screenshot+tree", "full"),
        ("buttons:2", "full"),
        ("buttons:<2", "early"),
        ("variation:dark", "full"),
        ("language:zh", "full"),
        ("seed:7", "full"),
        ("seed:>7", "early"),
        ("seed:none kind:run", "broken plain"),
        ("-seed:7 kind:run", "early broken plain"),
        ("repeat:1", "full"),
        ("attempt:>=1", "broken"),
        ("attempt:0", "full"),
        ("outcome:failure", "full"),
        ("outcome:uncompleted", "early"),
        ("outcome:none kind:run", "broken plain"),
        ("reason:50%", "full"),
        ("claimed:complete", "full"),
        ("claimed:none kind:run", "early broken plain"),
        ("early:yes", "early"),
        ("early:no kind:run", "full broken plain"),
        ("infrastructure:yes", "broken"),
        ("infrastructure:no", "full early plain golden"),
        ("infrastructure:phone", "broken"),
        ("tokens:>1000", "full"),
        ("tokens:5", "early"),
        ("cost:<0.3", "full"),
        ("cost:>=0.25", "full"),
        ("time:>61.4", "full"),
        ("time:<61", ""),
        ("anomaly:low_battery", "full"),
        ("anomaly:incoming", "full"),
        ("anomaly:gps_off", "broken"),
        ("anomaly:=gps", ""),
        ("anomaly:none", "plain golden"),
        ("anomaly:any", "full early broken"),
        ("verdict:failure", "full"),
        ("verdict:success", "full"),
        ("verdict:success=ann", "full"),
        ("verdict:success=rules", ""),
        ("verdict:uncompleted=rules", "early"),
        ("verdict:none kind:run", "broken plain"),
        ("judge:rules", "full early"),
        ("judge:=ann", "full"),
        ("judge:an", "full"),
        ("judge:=an", ""),
        ("judge:any", "full early"),
        ("reached:cart", "full"),
        ("reached:mailed", "full"),
        ("missed:paid", "full"),
        ("missed:mailed", ""),
        ("reached:paid", ""),
        ("kind:golden", "golden"),
        ("monkey", "broken"),
        ("agent:openai outcome:failure anomaly:low_battery", "full"),
        ("agent:openai outcome:failure anomaly:no_network", ""),
        ("app:none agent:monkey", ""),
    ],
)
def test_queries(project: Project, text: str, expected: str) -> None:
    assert ids(project, text) == set(expected.split())


def test_a_row_has_every_field(project: Project) -> None:
    with Catalogue(project) as catalogue:
        row = catalogue.find("full")[0]
        golden = catalogue.find("kind:golden")[0]
    for field in dataclasses.fields(FULL):
        if field.name != "extra":
            assert getattr(row, field.name) == getattr(FULL, field.name), field.name
    assert (row.outcome, row.reason, row.claimed) == ("failure", FAILED.reason, "complete")
    assert (row.tokens, row.cost, row.currency, row.time_ms) == (1280, 0.25, "USD", 61_500)
    assert row.anomalies == ("low_battery", "incoming_call")
    assert set(row.verdicts) == {("failure", "rules"), ("success", "ann")}
    assert (golden.outcome, golden.seed, golden.anomalies, golden.verdicts) == ("", None, (), ())
    assert json.loads(json.dumps(row.as_dict()))["verdicts"][0].keys() == {"judge", "verdict"}


@pytest.mark.parametrize("text", ["early:maybe", "seed:many", "cost:<", "tokens:1.2.3"])
def test_what_cannot_be_compared_is_said(project: Project, text: str) -> None:
    with pytest.raises(QueryError):
        ids(project, text)


def test_the_error_of_an_unknown_key_names_all(project: Project) -> None:
    with pytest.raises(QueryError) as refused:
        ids(project, "colour:red")
    assert all(key in str(refused.value) for key in query.KEYS)


def test_verdicts_and_events_of_others_are_noticed_however_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = Project.create(tmp_path / "p")
    write(created, TrajectoryHeader("r", "t", kind=RUN, episode=Episode(agent="a")))
    folder = created.find("r")
    with Catalogue(created) as catalogue:
        catalogue.refresh()
        add_judgements(folder, [Judgement("rules", "rule", "1", Subject(), "failure")])
        assert catalogue.refresh() == 1
        assert catalogue.count("verdict:failure") == 1
        path = path_of(folder, "rules")
        path.write_text(path.read_text().replace("failure", "success"))  # in place, the folder keeps its time
        assert catalogue.refresh() == 1
        assert catalogue.count("verdict:success") == 1
        inject(created, "r", "gps_off")
        assert catalogue.refresh() == 1
        assert catalogue.count("anomaly:gps_off") == 1
        path.unlink()
        assert catalogue.refresh() == 1
        assert catalogue.count("verdict:none") == 1
        # Of a large project, too, when the file of a judge is new or replaced.
        monkeypatch.setattr(catalogue_scan, "SMALL", 0)
        monkeypatch.setattr(catalogue_scan, "NEWEST", 0)
        monkeypatch.setattr(catalogue_scan, "SLICE", 0)
        add_judgements(folder, [Judgement("ann", "person", "", Subject(), "success")])
        assert catalogue.refresh() == 1
        assert catalogue.count("judge:ann") == 1


def test_damaged_judgements_events_and_outcomes_hide_no_run(tmp_path: Path) -> None:
    created = Project.create(tmp_path / "p")
    for name in ("a", "b", "c"):
        write(created, TrajectoryHeader(name, "t", kind=RUN, episode=Episode(agent="x", seed=10**40)))
        inject(created, name, "gps_off")
    (created.find("a") / layout.EVENTS).write_bytes(b'"injected"\n{"transition":"injected"\n[1]\n\xff\x00')
    (created.find("a") / layout.JUDGEMENTS).mkdir()
    (created.find("a") / layout.JUDGEMENTS / "x.jsonl").write_bytes(b"\xff{")
    header = created.find("b") / layout.HEADER
    header.write_text(header.read_text().replace('"agent": "x"', '"agent": "\\ud800"'))
    header = created.find("c") / layout.HEADER
    header.write_text(
        header.read_text().replace('"kind": "run"', '"kind": "run", "outcome": {"status": "won"}')
    )
    with Catalogue(created) as catalogue:
        assert catalogue.refresh() == 3
        assert {row.id for row in catalogue.find()} == {"a", "b", "c"}
        assert [row.id for row in catalogue.find("anomaly:gps_off")] == ["b"]
        assert [row.id for row in catalogue.find("status:damaged")] == ["c"]


def test_of_long_events_only_the_first_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    created = Project.create(tmp_path / "p")
    write(created, TrajectoryHeader("r", "t", kind=RUN))
    inject(created, "r", "first")
    with (created.find("r") / layout.EVENTS).open("a") as events:
        events.write("{}\n" * 400)
    inject(created, "r", "late")
    monkeypatch.setattr(catalogue_content, "_EVENTS_OF_RUN", 1000)
    with Catalogue(created) as catalogue:
        catalogue.refresh()
        assert catalogue.find()[0].anomalies == ("first",)
