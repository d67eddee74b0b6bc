"""Episodes of a task with parameters: instruction, rules, answers and goldens with the values of the seed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.agents.golden_path import GoldenPath
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.judging import judged_by_rules
from collector.judge.progress.task_summaries import summaries_by_rules
from collector.model.action import Complete, Tap, Type
from collector.model.task_parameter import Parameter
from collector.model.trajectory import State, Step, Target
from collector.replay.other_values import OtherValues
from collector.run.cycle.episode_plan import EpisodePlan
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.experiment.model import AgentEntry, Cell, Experiment, RunCondition
from collector.store.catalogue.catalogue_row import listed
from collector.store.catalogue.episode_counting import facts_of_episode
from collector.store.tasks.task_values import bound_by_seed, values_of
from tests.helpers.cycle_room import press

SUCCESS = """\
in-cart:
  description: The place is open
  conditions:
    - {type: element_exists, selector: "text='Screen {place}'"}
"""
PLACE = Parameter("place", options=("about", "posters"))


@pytest.fixture
def asked(room):
    """The room whose task is to open one of two places."""
    (task,) = room.project.tasks
    task = replace(task, instruction="Open {place}", parameters=(PLACE,))
    room.project.save_tasks([task])
    (room.folder / "rules" / "success.yaml").write_text(SUCCESS)
    room.seeds = {values_of(task, seed)["place"]: seed for seed in range(1, 20)}
    assert set(room.seeds) == {"about", "posters"}
    return room


def test_an_episode_is_given_and_judged_by_the_values_of_its_seed(asked):
    for place, seed in asked.seeds.items():
        other = next(name for name in asked.seeds if name != place)
        for goes, status in ((place, "success"), (other, "failure")):
            result = asked.run([press("Shop"), press(goes.capitalize()), Complete()], seed=seed)
            assert result.outcome.status == status
            assert asked.agent.begun.task.instruction == f"Open {place}"
            header = asked.stored(result).header
            assert (header.instruction, header.extra["parameters"]) == (f"Open {place}", {"place": place})
            assert facts_of_episode(header, (), ()).parameters == listed([f"place={place}"])
            assert asked.recomputed(result).is_equal
    # The generator may change: what was recorded is judged by the values that it kept.
    (task,) = asked.project.tasks
    asked.project.save_tasks([replace(task, parameters=(Parameter("place", options=("cart",)),))])
    project, stored = EpisodeProject.load(asked.folder), asked.stored(result)
    verdict = judged_by_rules(project.project, project.rules, stored, "waymark")[-1]
    assert verdict.verdict == "failure"
    summary = summaries_by_rules(project.project)["buy"]
    assert verdict.version == summary.version, "it is judged by the rules of the present, whatever its values"
    assert f"Screen {place}" in str(TaskRules.of_trajectory(stored.folder, "buy").success)


def test_parameters_are_part_of_what_makes_a_result_stale(asked):
    def digests():
        experiment = Experiment("pilot", ("buy",), (AgentEntry("list", "list"),), (RunCondition("baseline"),))
        project = EpisodeProject.load(asked.folder)
        task, cell = project.task("buy"), Cell("buy", "list", "baseline", "screenshot")
        return project.fingerprint(EpisodePlan.of(experiment, cell, task), task)

    before = digests()
    (task,) = asked.project.tasks
    asked.project.save_tasks([replace(task, parameters=(replace(PLACE, options=("about", "cart")),))])
    after = digests()
    assert {part for part in before if before[part] != after[part]} == {"task"}


def test_a_golden_is_followed_where_its_steps_name_the_parameter(asked):
    (task,) = asked.project.tasks
    seeds = asked.seeds
    # A person's recording of one place, here made by a run.
    recorded = asked.run([press("Shop"), press("Posters"), Complete()], seed=seeds["posters"])
    stored = asked.stored(recorded)
    path = GoldenPath(stored, bound_by_seed(task, seeds["posters"]), {})
    assert [step.target.attributes["text"] for step in path.steps[:2]] == ["Shop", "Posters"]
    changed = replace(task, parameters=(replace(PLACE, options=("Posters", "About")),))
    header = replace(stored.header, extra={"parameters": {"place": "Posters"}})
    values = OtherValues.of(header, bound_by_seed(changed, _seed_of(changed, "About")))
    assert values.now == {"Posters": "About"}
    step = values.in_step(stored.steps[1])
    assert step.target.attributes["text"] == "About"
    assert any("About" in selector for selector in step.target.selectors)
    assert b'text="About"' in values.in_xml(stored.tree(stored.steps[1]))


def _seed_of(task, value):
    return next(seed for seed in range(50) if values_of(task, seed)["place"] == value)


def test_values_are_replaced_as_whole_words_in_what_people_read_alone():
    values = OtherValues({"Milk": "Rye bread", "2": "7"})
    target = Target(
        (0,), None, ("resource-id='Milk' and text='Buy Milk'",), {"text": "Milk", "class": "Milk"}
    )
    step = values.in_step(Step(0, 0, None, State(), Type("Buy Milk, 2 l, 20 Milkshakes", 28), target))
    assert step.action == Type("Buy Rye bread, 7 l, 20 Milkshakes", 33)
    assert step.target == Target(
        (0,), None, ("resource-id='Milk' and text='Buy Rye bread'",), {"text": "Rye bread", "class": "Milk"}
    )
    xml = b'<node text="Milk" bounds="[2,2][2,2]" content-desc="2 Milk" resource-id="Milk"/>'
    assert values.in_xml(xml) == (
        b'<node text="Rye bread" bounds="[2,2][2,2]" content-desc="7 Rye bread" resource-id="Milk"/>'
    )
    plain = Step(0, 0, None, State(), Tap(1, 2))
    assert OtherValues().in_step(plain) is plain
