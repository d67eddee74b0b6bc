"""An episode that begins at a step of another trajectory: the way there, its record, its verdict."""

from __future__ import annotations

import json
import shutil
from functools import partial

from collector.agents import agent_start
from collector.model.action import Complete
from collector.model.episode import BEFORE_START
from collector.model.verdicts.judgement import PERSON, RIGHT, STEP, Judgement, Subject
from collector.replay.replay_options import ReplayOptions
from collector.replay.replay_to_step import ReplayToStep
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.experiment.keys import EXPERIMENT, names_in
from collector.run.experiment.lint import lint
from collector.run.experiment.matrix import cell_count, cells, in_run_order
from collector.run.experiment.model import AgentEntry, Cell, Experiment, RunCondition
from collector.run.experiment.reader import read_experiment
from collector.run.experiment.recovery import first_error
from collector.run.experiment.scope import scope_of
from collector.run.recomputation.current_fingerprints import current_fingerprints
from collector.store.catalogue.catalogue import Catalogue
from collector.store.trajectory.fingerprint import changed_parts, stored_fingerprint
from collector.store.trajectory.judgements import add_judgements
from tests.collector.run.experiment.scopes import KINDS
from tests.helpers.cycle_room import TWO_BUTTONS, WAY, planned, press


def source(room, *labels):
    """A run that pressed these buttons and then said that it was done."""
    return room.run([*map(press, labels), Complete()]).trajectory


def test_the_agent_begins_where_the_step_begins_and_the_run_is_whole(room):
    known = source(room, "Shop", "Posters", "Front")  # it failed: it went back
    result = room.run([press("Oak"), press("Add"), Complete()], start=f"{known}@3")
    assert (result.outcome.status, result.outcome.infrastructure) == ("success", "")
    stored = room.stored(result)
    assert [step.extra.get(BEFORE_START) for step in stored.steps] == [
        f"{known}@1",
        f"{known}@2",
        *[None] * 3,
    ]
    assert (stored.header.episode.start, stored.header.outcome.extra["agent_steps"]) == (f"{known}@3", 3)
    first = room.agent.seen[0]
    assert first.step == 3
    assert [past.turn.predicted.kind for past in first.history] == ["tap", "tap"]
    (prepared,) = [line for line in room.lines(result, "prepare") if "start" in line]
    assert prepared["arrival"] == "replayed"
    assert room.recomputed(result).is_equal
    with Catalogue(room.project) as catalogue:
        catalogue.refresh()
        (row,) = catalogue.find(f"start:{known}")
        assert (row.id, row.start) == (result.trajectory, f"{known}@3")
    again = room.run([press("Add"), Complete()], start=f"{result.trajectory}@4")
    assert again.outcome.status == "success", "of a run that began later itself"
    shutil.rmtree(room.project.find(known))
    assert room.recomputed(result).is_equal, "the other trajectory is not needed any more"


def test_a_virtual_phone_goes_back_to_its_snapshot_when_it_begins_there_again(room):
    known = source(room, "Shop", "Posters", "Front")
    room.phone.snapshots = {}

    def arrivals(answers, start):
        result = room.run([*answers, Complete()], start=start, reset="app-data")
        assert result.outcome.infrastructure == ""
        return [line["arrival"] for line in room.lines(result, "prepare") if "start" in line], result

    assert arrivals([press("Front")], f"{known}@3")[0] == ["replayed"]
    (name,) = room.phone.snapshots
    assert name.startswith("waymark-step-")
    before = len(room.phone.commands)
    arrived, result = arrivals([press("Oak"), press("Add")], f"{known}@3")
    assert (arrived, result.outcome.status) == (["snapshot"], "success")
    assert not any("am start" in command for command in room.phone.commands[before:]), "nothing was replayed"
    assert arrivals([], f"{known}@2")[0] == ["reopened"], "of another step"
    room.phone.snapshots[name] = "about"
    assert arrivals([], f"{known}@3")[0] == ["replayed"], "a snapshot of another screen is not believed"
    assert room.phone.snapshots[name] == "posters", "and is saved anew"


def test_an_edit_of_the_steps_before_makes_an_episode_stale_and_one_after_them_does_not(room):
    known = source(room, *WAY)
    begun = room.stored(room.run([press("Oak"), press("Add"), Complete()], start=f"{known}@3"))
    file = room.project.find(known) / "steps.jsonl"
    lines = file.read_text().splitlines()

    def changed():
        cell = Cell("buy", "list", "baseline", "screenshot+tree", seed=123, start=f"{known}@3")
        experiment = Experiment("pilot", ("buy",), (AgentEntry("list", "list"),), (RunCondition("baseline"),))
        now = current_fingerprints(EpisodeProject.load(room.folder), experiment, [cell])[cell.key]
        return changed_parts(stored_fingerprint(begun.header.episode), now)

    assert changed() == ()
    for number, stale in ((3, ()), (1, ("start",))):
        step = json.loads(lines[number])
        step["action"] = {"kind": "key", "key": "back"}
        file.write_text("\n".join([*lines[:number], json.dumps(step), *lines[number + 1 :]]) + "\n")
        assert changed() == stale
    shutil.rmtree(room.project.find(known))
    assert changed() == (), "nobody can say"


def test_an_anomaly_comes_before_the_agents_own_step_of_that_number(room):
    known = source(room, *WAY)
    answers = [press("Oak"), press("Add"), Complete()]
    result = room.run(answers, planned(TWO_BUTTONS, 2), start=f"{known}@3")
    (injected,) = room.lines(result, "inject")
    assert injected["number"] == 4, "the second step of the agent"
    assert room.recomputed(result).is_equal


def test_a_place_that_is_not_reached_and_a_step_that_is_not_there_are_faults(room, monkeypatch):
    hasty = partial(ReplayToStep, options=ReplayOptions(patience_s=0.2))
    monkeypatch.setattr(agent_start, "ReplayToStep", hasty)
    known = source(room, "Shop", "Posters")
    room.phone.screens = {**room.phone.screens, "front": {"About": "about"}}  # the shop was changed
    result = room.run([Complete()], start=f"{known}@3")
    assert "step" in result.outcome.infrastructure
    assert room.agent.seen == [], "the agent was not asked"
    missing = room.run([Complete()], start=f"{known}@9")
    assert f"{known} has no step 9" in missing.outcome.infrastructure
    none = room.run([Complete()], start="nobody@1")
    assert "nobody" in none.outcome.infrastructure


def test_experiments_name_steps_or_all_failed_runs_before_their_first_error(room):
    good, bad = source(room, *WAY), source(room, "Shop", "Posters", "Front", "About")
    unjudged = source(room, "Shop", "About")
    folder = room.project.find(bad)
    verdicts = [(0, RIGHT), (1, RIGHT), (2, "wrong_action"), (3, "wrong_action")]
    given = [Judgement("ann", PERSON, "", Subject(STEP, first=at), verdict) for at, verdict in verdicts]
    add_judgements(folder, [*given, Judgement("m", "model", "", Subject(STEP, first=0), "wrong_action")])
    assert first_error(folder) == 3, "people come before models"
    assert first_error(room.project.find(good)) == 0
    scope = scope_of(room.project, KINDS)

    def read(starts, name="again"):
        text = f"tasks: all\nagents: [monkey]\nseeds: [1, 2]\nstarts: {starts}\n"
        file = read_experiment(text, scope, name)
        codes = [item.code for item in lint(file, scope) if item.code != "W611"]
        return file.experiment, codes

    listed, codes = read(f"[{good}@2, {bad}@1]")
    assert codes == []
    made = list(cells(listed, KINDS))
    assert [cell.start for cell in in_run_order(made)] == [f"{good}@2", f"{bad}@1"] * 2
    assert len({cell.id for cell in made}) == len(made) == cell_count(listed, KINDS) == 4
    assert all(cell.key.endswith(f" / {cell.start}") for cell in made)
    chosen, codes = read("{where: 'outcome:failure experiment:pilot'}")
    assert ([start.text for start in chosen.starts], codes) == ([f"{bad}@2"], ["W620"])
    assert read("{where: 'experiment:pilot', back: 0}")[0].starts[0].text == f"{bad}@3"
    assert read("{where: 'experiment:pilot', back: 9}")[0].starts[0].text == f"{bad}@1"
    own, codes = read("{where: 'experiment:pilot'}", name="pilot")
    assert (own.starts, codes) == ((), ["W613"]), "its own runs are no starts"
    assert read(f"{{where: 'id:{unjudged}'}}")[1] == ["W613"]
    assert read(f"[{good}@99]")[1] == read("[nobody@1]")[1] == read(f"[{good}]")[1] == ["W602"]
    assert "starts" in names_in(EXPERIMENT)
