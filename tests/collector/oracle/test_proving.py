"""Proofs by search: each app's tasks are found and played, and what cannot be done is said."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from collector.cli.main import main
from collector.environment.phone_environment import PhoneEnvironment, StepResult
from collector.model.action import OpenApp
from collector.model.errors import UserError
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.resources import asset
from collector.model.task import Task
from collector.model.variation.phone_variation import PhoneVariation
from collector.oracle.oracle import Oracle
from collector.oracle.plan import Planner
from collector.oracle.proving import TaskProver
from collector.oracle.search import SearchLimit
from collector.store.project.project import Project
from collector.targets.reader import read_target
from collector.task_library.built_in_tasks import built_in_tasks, tasks_named

POOL = {"name": "City Pool", "list": "want_to_go", "color": "blue"}
TARGETS = {
    "a task is ticked off": {"done": {"content_id": "dentist"}},
    "a task of many values": {"add": {"todo.tasks": {
        "title": "Call the plumber", "list": "work", "due": "2026-11-23", "time": "18:00", "note": "Kitchen",
        "important": True,
    }}},
    "an event in a later month": {"add": {"calendar.events": {
        "title": "Trip", "date": "2027-01-15", "time": "", "repeat": "yearly", "guests": ["Zed"],
    }}},
    "a new time of an event": {"change": {"calendar.events": {
        "where": {"content_id": "haircut"}, "to": {"time": "15:30", "end": "16:30"},
    }}},
    "a message": {"sent": {"to": "Ben Okafor", "text": "See you at 5"}},
    "a muted chat": {"change": {"messenger.chats": {"where": {"chat": "ben"}, "to": {"muted": True}}}},
    "a file in a folder": {"add": {"code.files": {"path": "src/new.py", "text": "a = 1\nb = 2\n"}}},
    "a file with another name": {"change": {"code.files": {
        "where": {"path": "README.md"}, "to": {"path": "READ.md"},
    }}},
    "three of a product": {"add": {"shop.cart": {"product": "mug", "count": 3}}},
    "an order with its pin": {"add": {"shop.orders": {"items": {"mug": 1}, "express": True}}},
    "four apps": {"subtasks": [
        {"sent": {"to": "ana", "text": "Done"}},
        {"done": {"content_id": "dentist"}},
        {"removed": {"code.files": {"path": "src/main.py"}}},
        {"open_app": "shop"},
    ]},
}  # fmt: skip


@pytest.fixture(scope="module")
def prover():
    environment = PhoneEnvironment(observes="tree")
    yield TaskProver(environment)
    environment.close()


def task(target, **values):
    return Task("it", "Do it", target=read_target(target), **values)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_way_is_found_and_its_actions_do_the_task_again(prover, target):
    proof = prover.prove(task(target))
    assert proof.problem == ""
    prover.environment.reset(task(target))
    rewards = [prover.environment.step(action).reward for action in proof.actions]
    assert rewards[-1] == 1.0
    assert not any(rewards[:-1])


def test_a_place_of_the_town_is_saved(prover):
    prover.environment.reset()
    pool = next(place for place in prover.environment.phone.app_model("maps").state.town.places.values()
                if place.id == "pool")  # fmt: skip
    proof = prover.prove(task({"saved": {**POOL, "lat": pool.lat, "lng": pool.lng}}))
    assert proof.problem == ""
    assert proof.actions[0] == OpenApp("com.waymark.maps")


def test_a_variation_never_changes_what_the_oracle_comes_to(prover):
    """A sample by a seed, of built-in tasks, of pairs of built-in variations, and of seeds of the phone."""
    drawn = Random(29)
    names = sorted(path.stem for path in asset("variations").glob("*.yaml"))
    tasks = [one for one in built_in_tasks() if one.target is not None]
    for _number in range(6):
        one, seed = drawn.choice(tasks), drawn.randrange(1, 100)
        variation = "+".join(drawn.sample(names, 2))
        proof = prover.prove(one, variation, seed)
        assert proof.problem == "", (one.id, variation, seed)


def test_a_way_that_is_longer_than_the_steps_of_a_task_says_so(prover):
    proof = prover.prove(task({"done": {"content_id": "dentist"}}, max_steps=1))
    assert (proof.problem, proof.is_proved) == ("It takes more than the 1 step of the task", False)


def test_an_event_of_another_year_is_found_by_its_name(prover):
    old = {"id": "old", "title": {"en": "Otto's birthday"}, "day": -1500, "calendar": "home"}
    far = PhoneVariation("far", content={"calendar": ({"+events": [old]},)})
    change = {"where": {"content_id": "old"}, "to": {"place": "Church", "notes": "Cake"}}
    environment, changed = prover.environment, task({"change": {"calendar.events": change}})
    environment.reset(changed, far)
    oracle = Oracle(environment.phone, changed.target, environment.app_data(), SearchLimit(4000))
    done: list[StepResult] = []
    while (action := oracle.next()) is not None:
        done.append(environment.step(action))
        if done[-1].terminated:
            break
    assert done[-1].reward == 1.0


def test_the_day_of_a_record_that_is_gone_does_not_lead_the_search_astray(prover):
    old = {"id": "old", "title": {"en": "Deadline"}, "day": -110, "calendar": "work"}
    far = PhoneVariation("far", content={"calendar": ({"+events": [old]},)})
    added = {"title": "Rebuttal", "date": "2026-08-20"}
    swap = task({"removed": {"calendar.events": {"content_id": "old"}}, "add": {"calendar.events": added}})
    environment = prover.environment
    environment.reset(swap, far)
    planner = Planner(swap.target, environment.app_data(), SearchLimit(3000))
    assert planner.plan(environment.phone).lacking is None


def test_the_fewest_actions_are_known_where_all_sequences_were_seen(prover):
    mute = task(TARGETS["a muted chat"])
    shortest = TaskProver(prover.environment, SearchLimit(shortest=2000)).prove(mute)
    assert (shortest.length, shortest.at_least) == (4, 4)
    (folder,) = tasks_named({"code-add-folder"})  # its dialog focuses the field
    named = TaskProver(prover.environment, SearchLimit(shortest=2000)).prove(folder)
    assert (named.length, named.at_least) == (4, 4)
    unknown = TaskProver(prover.environment, SearchLimit(shortest=10)).prove(mute)
    assert unknown.at_least < unknown.length == 4


def test_an_answer_that_the_task_expects_is_given_at_the_end(prover):
    from collector.model.expected_answer import ExpectedAnswer

    proof = prover.prove(task({"done": {"content_id": "dentist"}}, expected_answer=ExpectedAnswer(("Yes",))))
    assert proof.problem == ""
    assert proof.actions[-1].text == "Yes"


def test_an_answer_to_a_message_does_not_come_after_a_reset_of_the_phone(prover):
    environment = prover.environment
    assert prover.prove(task(TARGETS["a message"])).is_proved
    environment.phone.reset(PhoneSetup())
    before = environment.app_data()
    environment.phone.pass_time(10)
    assert environment.app_data() == before


def test_what_cannot_be_done_is_said_in_a_sentence(prover):
    missing = prover.prove(task({"done": "Not on the list"}))
    assert "todo.tasks has no record" in missing.problem
    never = {"change": {"messenger.contacts": {"where": {"chat": "ben"}, "to": {"name": "Benjamin"}}}}
    few = TaskProver(prover.environment, SearchLimit(200)).prove(task(never))
    assert "No proof within" in few.problem
    assert not few.is_proved
    assert few.as_dict()["length"] is None
    with pytest.raises(UserError, match="has no target"):
        prover.prove(Task("it", "Do it"))


def test_the_verb_proves_the_tasks_of_a_project(tmp_path, capsys):
    project = Project.create(tmp_path / "bench")
    tasks = [{"id": "dentist", "instruction": "Tick it off", "target": {"done": {"content_id": "dentist"}}},
             {"id": "never", "instruction": "Never", "target": {"done": "Not on the list"}},
             {"id": "free", "instruction": "Look around"}]  # fmt: skip
    project.paths.tasks.write_text(json.dumps({"format": "waymark-tasks", "version": 2, "tasks": tasks}))
    assert main(("task", "prove", "--project", str(project.paths.folder), "--json")) == 1
    proofs = json.loads(capsys.readouterr().out)["proofs"]
    assert [(proof["task"], proof["proved"]) for proof in proofs] == [("dentist", True), ("never", False)]
    assert main(("task", "prove", "dentist", "--project", str(project.paths.folder))) == 0
    said = capsys.readouterr().out
    assert "Open com.waymark.todo" in said
    assert "1 of 1 task is proved" in said
    assert main(("task", "prove", "free", "--project", str(project.paths.folder))) == 1
    assert "has no target" in capsys.readouterr().err


def test_what_is_proved_is_kept_in_the_task_until_its_target_is_another(tmp_path, capsys):
    project = Project.create(tmp_path / "bench")
    folder = ("--project", str(project.folder))
    assert main(("task", "generate", "--number", "1", "--parts", "2", "--app", "messenger", "--prove",
                 *folder, "--json")) == 0  # fmt: skip
    (made,) = json.loads(capsys.readouterr().out)["tasks"]
    (kept,) = Project.open(project.folder).tasks
    assert kept.proof is not None
    assert made["proof"] == kept.proof.as_dict()
    assert 0 < kept.proof.at_least <= kept.proof.length
    assert main(("task", "list", str(project.folder))) == 0
    assert f"{kept.proof.at_least}" in capsys.readouterr().out.splitlines()[1].split()
    assert main(("task", "check", str(project.folder))) == 0
    project.paths.tasks.write_text(project.paths.tasks.read_text().replace("target: ", "target: 0", 1))
    assert main(("task", "check", str(project.folder))) == 1
    assert "is of another target" in capsys.readouterr().out
    assert main(("task", "prove", "--keep", "--shortest", "0", *folder)) == 0
    again = Project.open(project.folder).tasks[0].proof
    assert again == replace(kept.proof, at_least=again.at_least)
    assert main(("task", "generate", "--prove", "--dry-run", *folder)) == 2
