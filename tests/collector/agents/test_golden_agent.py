"""The golden agent on stored screens: what it answers, and when it gives up."""

from __future__ import annotations

import json
import shutil
import threading

import pytest

from collector.agents.agent import AgentEpisode, Observation, PastStep, erased_by, secrets_of, tool_of
from collector.agents.golden_choice import golden_trajectories
from collector.agents.golden_follower import FOLLOWED, REPLAYED_STEP
from collector.agents.registry import DeclaredAgent, create_agent
from collector.device.errors import CallCancelled
from collector.model.action import Answer, Complete, Impossible, Key, OpenApp, Tap, Type, Wait
from collector.model.errors import UserError
from collector.model.verdicts.judgement import FAILURE, MODEL, RULE, TASK, Judgement, Subject
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.dumps import node
from tests.helpers.scripts import ROOT
from tests.helpers.stored_screens import answers, made_screen, screens_of

SAMPLE = ROOT / "assets" / "sample"
DIALOG = made_screen(node(text="Battery almost empty"), package="com.example.adbsmarttest")
TODO_HOME = made_screen(node(text="Tasks"), package="com.waymark.todo", activity=".MainActivity")


@pytest.fixture(scope="module")
def sample():
    return Project.open(SAMPLE)


@pytest.fixture
def copied(tmp_path):
    """A project with the two goldens of one task."""
    Project.create(tmp_path / "project")
    shutil.copytree(SAMPLE / "trajectories" / "todo-01", tmp_path / "project" / "trajectories" / "todo-01")
    shutil.copytree(SAMPLE / "rules", tmp_path / "project" / "rules")
    shutil.copy(SAMPLE / "tasks.yaml", tmp_path / "project")
    return Project.open(tmp_path / "project")


def change_step(folder, number, change):
    lines = [json.loads(line) for line in (folder / "steps.jsonl").read_text("utf-8").splitlines()]
    change(lines[number])
    (folder / "steps.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def begun(project, task, *, seed=1, **options):
    agent = create_agent(DeclaredAgent("golden", options), project)
    agent.begin(AgentEpisode(project.task(task), seed=seed))
    return agent


def followed(turn):
    return turn.extra[FOLLOWED]


def stored(project, name):
    return open_trajectory(project.find(name))


def test_it_repeats_the_recording_on_its_own_screens(sample):
    golden = stored(sample, "todo-01-lin")
    turns = answers(begun(sample, "todo-01", trajectory="todo-01-lin"), screens_of(golden))
    predicted = [turn.predicted for turn in turns]
    assert predicted == [step.action for step in golden.steps[:-1]] + [Complete()]
    assert [turn.extra.get(REPLAYED_STEP) for turn in turns] == [*range(len(golden.steps) - 1), None]
    assert all(turn.usage.time_ms is not None and turn.thought for turn in turns)


def test_it_claims_the_recordings_own_signal(sample):
    golden = stored(sample, "todo-05-lin")
    turns = answers(begun(sample, "todo-05", who="lin"), screens_of(golden)[:6])
    assert turns[-1].predicted == Answer("2")


def test_another_screen_is_waited_for_and_then_ends_it_with_the_reason(sample):
    screens = screens_of(stored(sample, "todo-01-lin"))
    agent = begun(sample, "todo-01", trajectory="{task}-lin", waits=2, wait_ms=50)
    turns = answers(agent, [screens[0], DIALOG, screens[1], DIALOG, DIALOG, DIALOG])
    kinds = [type(turn.predicted) for turn in turns]
    assert kinds == [Tap, Wait, Tap, Wait, Wait, Impossible]
    assert turns[1].predicted == Wait(50)
    assert "Battery almost empty" in turns[-1].thought
    assert "Battery almost empty" in turns[-1].predicted.reason


def test_a_dialog_over_the_end_is_no_success(sample):
    screens = screens_of(stored(sample, "todo-01-lin"))
    turns = answers(begun(sample, "todo-01", who="lin", waits=0), [*screens[:-1], DIALOG])
    assert isinstance(turns[-1].predicted, Impossible)


def test_the_seed_chooses_among_several_and_the_first_screen_corrects_it(sample):
    first = screens_of(stored(sample, "todo-01-lin"))[:1]
    chosen = {}
    for seed in (0, 1, 2, 123):
        (turn,) = answers(begun(sample, "todo-01", seed=seed), first)
        chosen[seed] = followed(turn)
    assert chosen == {0: "todo-01-sara", 1: "todo-01-lin", 2: "todo-01-sara", 123: "todo-01-lin"}


def test_the_first_screen_chooses_a_recording_that_begins_there(copied):
    lin, first = copied.find("todo-01-lin"), screens_of(stored(copied, "todo-01-sara"))[:1]
    change_step(lin, 0, lambda line: line["state"].update(package="com.other"))
    agent = begun(copied, "todo-01", seed=1)
    (chosen, *_others) = golden_trajectories(copied, "todo-01", seed=1)
    assert chosen.header.id == "todo-01-lin"
    (opens,) = answers(agent, first)
    assert isinstance(opens.predicted, OpenApp)
    assert "todo-01-sara" in opens.thought


def test_it_goes_where_the_recording_began_once(sample):
    agent = begun(sample, "todo-01", who="lin", waits=0)
    turns = answers(agent, [TODO_HOME, TODO_HOME])
    assert turns[0].predicted == Key("home")
    assert isinstance(turns[1].predicted, Impossible)


def test_a_redacted_text_comes_from_the_options_or_the_environment(sample, monkeypatch):
    with pytest.raises(UserError, match=r"hidden when they were recorded: 3.*texts: {shop-14: "):
        begun(sample, "shop-14", who="lin")
    monkeypatch.setenv("SHOP_PASSWORD", "hunter22")
    for texts in (["env:SHOP_PASSWORD"], {3: "hunter22"}):
        agent = begun(sample, "shop-14", who="lin", texts={"shop-14": texts})
        assert secrets_of(agent) == ("hunter22",)
        turns = answers(agent, screens_of(stored(sample, "shop-14-lin"))[:4])
        assert turns[3].predicted == Type("hunter22", 8)
        assert "hunter22" not in turns[3].thought
    monkeypatch.delenv("SHOP_PASSWORD")
    with pytest.raises(UserError, match="SHOP_PASSWORD is not set"):
        begun(sample, "shop-14", who="lin", texts={"shop-14": ["env:SHOP_PASSWORD"]})


@pytest.mark.parametrize("texts", [{"a": 3}, {"a": {"x": "y"}}, {"a": [["b"]]}, {"a": "b"}])
def test_texts_of_another_shape_are_refused(sample, texts):
    with pytest.raises(UserError, match="texts of the task a cannot be read"):
        create_agent(DeclaredAgent("golden", {"texts": texts}), sample)


def test_without_a_project_or_a_golden_it_cannot_be_tried(sample):
    with pytest.raises(UserError, match="kept in a project"):
        create_agent(DeclaredAgent("golden", {}))
    with pytest.raises(UserError, match=r"shop-12 has no golden trajectory.*none was finished"):
        begun(sample, "shop-12")
    with pytest.raises(UserError, match="nobody has finished none"):
        begun(sample, "todo-01", who="nobody")


def test_only_successful_goldens_are_followed_with_what_they_erased_and_drew_with(copied):
    lin, sara = copied.find("todo-01-lin"), copied.find("todo-01-sara")
    errs = Judgement("look", MODEL, "1", Subject(TASK), FAILURE, time="2027-01-01T00:00:00+00:00")
    add_judgements(sara, [errs])  # rules and people say otherwise
    assert {entry.header.id for entry in golden_trajectories(copied, "todo-01")} == {
        "todo-01-lin",
        "todo-01-sara",
    }
    verdict = Judgement("rules", RULE, "1", Subject(TASK), FAILURE, time="2027-01-01T00:00:00+00:00")
    add_judgements(sara, [verdict])
    change_step(lin, 4, lambda line: line.update(erased=7, tool="pen"))
    agent = begun(copied, "todo-01", seed=0)
    turns = answers(agent, screens_of(stored(copied, "todo-01-lin"))[:5])
    assert {followed(turn) for turn in turns} == {"todo-01-lin"}
    assert [erased_by(turn) for turn in turns] == [0, 0, 0, 0, 7]
    assert [tool_of(turn) for turn in turns] == ["", "", "", "", "pen"]
    add_judgements(lin, [verdict])
    with pytest.raises(UserError, match=r"judged failures: todo-01-lin, todo-01-sara"):
        begun(copied, "todo-01")


def test_an_answer_that_a_person_left_behind_is_given_again(sample):
    screens = screens_of(stored(sample, "todo-01-lin"))
    agent = begun(sample, "todo-01", who="lin")
    first = agent.act(Observation(1, screens[0]), threading.Event())
    again = agent.act(Observation(1, screens[0]), threading.Event())
    assert again.predicted == first.predicted
    past = (PastStep(first.predicted, first), PastStep(Tap(1, 1)), PastStep(Tap(2, 2)))
    later = agent.act(Observation(4, screens[4], past), threading.Event())
    assert later.extra[REPLAYED_STEP] == 4


def test_a_cancelled_call_answers_nothing(sample):
    agent, cancel = begun(sample, "todo-01"), threading.Event()
    cancel.set()
    with pytest.raises(CallCancelled):
        agent.act(Observation(1, TODO_HOME), cancel)
