"""Rules are tried on the trajectories that the catalogue chooses; no other is opened."""

from __future__ import annotations

import json
import os

import pytest

from collector.cli.main import main
from collector.model.episode import REPLAY_AGENT, Episode
from collector.model.trajectory import TrajectoryHeader
from collector.project_rules import recording_choice
from collector.project_rules.project_rules import ProjectRules
from collector.project_rules.recording_choice import choose_recordings
from collector.store.catalogue.query import QueryError
from collector.store.project.project import Project
from collector.store.project.runs import begin_run
from tests.helpers.many_runs import add_runs
from tests.helpers.opened_files import opened_below
from tests.helpers.rule_room import make_project
from tests.helpers.steps import png, step, xml

RUNS = 9


@pytest.fixture
def project(tmp_path) -> Project:
    made = make_project(tmp_path / "p")
    add_runs(made, RUNS, "buy")
    return made


def kinds(project: Project, query: str = "") -> list[str]:
    corpus = ProjectRules(project).corpus(choice=choose_recordings(project, query))
    return [trajectory.kind for trajectory in corpus.trajectories]


def test_few_runs_are_tried_with_the_rest_and_many_are_left_out(project, monkeypatch) -> None:
    goldens = ["golden"] * len(kinds(project, "kind:golden"))
    assert sorted(kinds(project)) == [*goldens, *["run"] * RUNS]
    monkeypatch.setattr(recording_choice, "MOST_RUNS", RUNS - 1)
    choice = choose_recordings(project)  # reads new and changed trajectories once
    assert choice.runs_left_out == RUNS
    with opened_below(f"{project.paths.trajectories_of('buy')}{os.sep}run-") as opened:
        assert kinds(project) == goldens
    assert opened == []


def test_replays_repeat_recorded_screens_and_count_only_when_asked_for(project, monkeypatch) -> None:
    monkeypatch.setattr(recording_choice, "MOST_RUNS", RUNS)
    before = kinds(project)
    episode = Episode("solvability", "golden-1 / step 2", REPLAY_AGENT, condition="low_battery")
    for _number in range(2):
        header = TrajectoryHeader("", "buy", episode=episode)
        with begin_run(project, header) as writer:
            writer.append(step(0), png(), xml())
            replayed = writer.folder
    choice = choose_recordings(project)
    assert (kinds(project), choice.runs_left_out) == (before, 0)
    assert kinds(project, "experiment:solvability") == ["run"] * 2
    assert replayed not in (choice.folders or ())
    assert replayed in (choose_recordings(project, also=replayed).folders or ())


def test_a_query_chooses_and_is_refused_in_a_sentence(project) -> None:
    assert kinds(project, "agent:x kind:run") == ["run"] * 3
    assert kinds(project, "agent:nobody") == []
    with pytest.raises(QueryError):
        choose_recordings(project, "colour:red")


def test_the_trajectory_that_somebody_looks_at_is_tried_too(project, monkeypatch) -> None:
    monkeypatch.setattr(recording_choice, "MOST_RUNS", 0)
    run = project.find("run-000003")
    assert run in (choose_recordings(project, also=run).folders or ())
    assert run not in (choose_recordings(project).folders or ())
    elsewhere = project.folder.parent / "elsewhere"
    assert elsewhere not in (choose_recordings(project, also=elsewhere).folders or ())


def test_without_a_catalogue_all_are_tried(project, caplog) -> None:
    everything = kinds(project)
    project.paths.catalogue.unlink()
    project.paths.catalogue.mkdir()
    with caplog.at_level("ERROR"):
        assert kinds(project) == everything


def test_the_command_line_chooses_by_a_query(project, capsys, monkeypatch) -> None:
    monkeypatch.setattr(recording_choice, "MOST_RUNS", 0)
    folder = str(project.folder)
    main(["rules", "backtest", folder, "--json"])
    plain = capsys.readouterr()
    assert f"{RUNS} runs are left out; choose with --where" in plain.err
    main(["rules", "backtest", folder, "--json", "--where", "agent:x kind:run"])
    chosen = capsys.readouterr()
    assert chosen.err == ""
    states = [json.loads(text)["rules"][0]["states"] for text in (plain.out, chosen.out)]
    assert states[1] == 3 * 2 != states[0]
    assert main(["rules", "compare", folder, "--where", "colour:red"]) == 1
    assert "no search key colour" in capsys.readouterr().err
    main(["rules", "follow", folder, "--json", "--every-rule", "--where", "agent:x kind:run"])
    followed = capsys.readouterr()
    assert (len(json.loads(followed.out)["trajectories"]), followed.err) == (3, "")
    main(["rules", "follow", folder, "--json", "--trajectory", "run-000003"])
    assert [row["trajectory"] for row in json.loads(capsys.readouterr().out)["trajectories"]] == [
        "run-000003"
    ]
    assert main(["rules", "follow", folder, "--trajectory", "a", "--where", "b"]) == 2
    assert "cannot be used together" in capsys.readouterr().err
    dump = next(project.folder.glob("trajectories/*/*/states/*.xml"))
    suggest = ["rules", "suggest", "--on", str(dump), "--point", "5,5", "--json"]
    assert main([*suggest, "--where", "agent:x"]) == 2
    assert "give --project" in capsys.readouterr().err
    main([*suggest, "--project", folder])
    assert f"{RUNS} runs are left out" in capsys.readouterr().err
    main([*suggest, "--project", folder, "--where", "kind:golden"])
    assert capsys.readouterr().err == ""
