"""A catalogue of a hundred thousand episodes with the facts of each, put in without the files behind them."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.catalogue_row import listed
from collector.store.catalogue.episode_facts import EpisodeFacts, VerdictFacts
from collector.store.catalogue.facts_table import CatalogueFacts
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange

EPISODES = 100_000
TASKS, STATES = 200, 3
_AGENTS = ("openai", "qwen", "tars", "monkey", "golden")
_CONDITIONS = ("", "battery_low_double_en", "app_crash", "incoming_call")
_VARIATIONS = ("", "dark", "german", "large-text")
_STATUSES = ("success", "failure", "uncompleted")
_COLUMNS = "key, parent, folder, id, task, kind, status, agent, condition, outcome, started, added, steps"


def catalogue_of_episodes(folder: Path, count: int = EPISODES) -> Catalogue:
    """Of a new project: 200 tasks of three essential states, five agents, four conditions and variations."""
    project = Project.create(folder)
    states = [EssentialState(f"t{task}-{n}", "", f"t{task}") for task in range(TASKS) for n in range(STATES)]
    project.save_tasks(
        [Task(f"t{n}", f"Task {n}", app=f"App {n % 20}", package=f"app{n % 20}") for n in range(TASKS)],
        states=[StateChange(None, state) for state in states],
    )
    opened = Catalogue(project)
    opened.refresh()
    with closing(sqlite3.connect(project.paths.catalogue)) as connection, connection:
        connection.executemany(
            f"INSERT INTO trajectories ({_COLUMNS}) VALUES ({', '.join('?' * 13)})",
            (_row(key, facts) for key, (facts, _verdicts) in enumerate(_episodes(count), 1)),
        )
        CatalogueFacts(connection).put(
            (key, facts, {"rules": verdicts}) for key, (facts, verdicts) in enumerate(_episodes(count), 1)
        )
    return opened


def _row(key: int, facts: EpisodeFacts) -> tuple[object, ...]:
    return (
        key, "", f"f{key}", f"id{key}", facts.task, "run", "finished", facts.agent, facts.condition,
        facts.outcome, str(key), str(key), facts.steps,
    )  # fmt: skip


def _episodes(count: int) -> Iterator[tuple[EpisodeFacts, VerdictFacts]]:
    draw = random.Random(14)
    for number in range(count):
        task, rest = number % TASKS, number // TASKS
        agent, rest = _AGENTS[rest % 5], rest // 5
        condition, rest = _CONDITIONS[rest % 4], rest // 4
        variation, seed = _VARIATIONS[rest % 4], rest // 4
        status = draw.choice(_STATUSES)
        met = int(bool(condition) and draw.random() < 0.9)
        steps = draw.randint(3, 30)
        facts = EpisodeFacts(
            f"t{task}", "large", f"t{task} / {agent}", agent, condition=condition, anomalies=condition,
            variation=variation, started_ms=number, outcome=status, package=f"app{task % 20}",
            answers=listed([f"{condition}=deny"]) if met else "", seed=seed, repeat=0, attempt=0,
            is_finished=1, is_fault=int(draw.random() < 0.01), is_early_stop=int(draw.random() < 0.2),
            claimed="" if status == "uncompleted" else "complete", ended_by="signal",
            steps=steps, actions=steps - 1, met=met, met_at=2 if met else -1, over_at=3 if met else -1,
            loop_length=draw.randint(1, 6), input_tokens=draw.randint(1_000, 9_000), output_tokens=200,
            time_ms=draw.randint(500, 90_000), duration_ms=draw.randint(5_000, 120_000), cost=0.01,
        )  # fmt: skip
        reached = STATES if status == "success" else draw.randint(0, STATES - 1)
        ids = [f"t{task}-{n}" for n in range(STATES)]
        yield facts, VerdictFacts(
            status, listed(ids[:reached]), listed(ids[reached:]),
            listed([f"{state}={2 * n}" for n, state in enumerate(ids[:reached])]),
        )  # fmt: skip
