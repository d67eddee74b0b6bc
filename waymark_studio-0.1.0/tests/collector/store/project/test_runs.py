"""Ids of runs name their cell, fit every file system, and are never given twice."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.episode import Episode
from collector.model.trajectory import TrajectoryHeader
from collector.store.files.names import folder_name
from collector.store.project.project import Project
from collector.store.project.runs import begin_run, run_id
from collector.store.project.trajectory_changes import delete_trajectory

ROOT = Path(__file__).resolve().parents[4]
CELL = Episode("pilot", agent="gpt", condition="low_battery", seed=7, repeat=0, attempt=1)
CHILD = """
import pathlib, sys
from collector.model.episode import Episode
from collector.model.trajectory import TrajectoryHeader
from collector.store.project.project import Project
from collector.store.project.runs import begin_run

project = Project.open(pathlib.Path(sys.argv[1]))
header = TrajectoryHeader("", "shop-1", episode=Episode("pilot", agent="gpt", seed=7))
print("ready", flush=True)
sys.stdin.readline()
for _number in range(12):
    with begin_run(project, header) as writer:
        print(writer.header.id, flush=True)
"""
numbers = st.none() | st.integers(0)
episodes = st.builds(
    Episode,
    st.text(max_size=40),
    st.text(max_size=20),
    st.text(max_size=40),
    condition=st.text(max_size=300),
    seed=st.none() | st.integers(),
    repeat=numbers,
    attempt=numbers,
)


@pytest.fixture
def project(tmp_path):
    return Project.create(tmp_path / "p")


def test_a_plain_cell_is_readable():
    assert run_id("shop-14", CELL) == "pilot__gpt__shop-14__low_battery__s7__r0__a1"
    clean = replace(CELL, condition="", attempt=None)
    assert run_id("shop-14", clean) == "pilot__gpt__shop-14__s7__r0"


@given(episodes, st.text(max_size=300))
def test_every_cell_gives_a_short_name_that_every_file_system_takes(episode, task):
    name = run_id(task, episode)
    assert name == folder_name(name)
    assert len(name.encode()) <= 120
    assert re.fullmatch(r"[\w.-]+", name)


@given(episodes, episodes, st.text(max_size=30), st.text(max_size=30))
def test_different_cells_differ_also_where_names_have_no_case(episode, other, task, other_task):
    if (episode, task) != (other, other_task):
        assert run_id(task, episode).casefold() != run_id(other_task, other).casefold()
    assert run_id(task, episode) == run_id(task, replace(episode))


@pytest.mark.parametrize(
    "changed",
    [
        {"agent": "GPT"}, {"model": "gpt-5"}, {"prompt": "b"}, {"modality": "tree"}, {"buttons": 2},
        {"language": "zh"}, {"variation": "v"}, {"cell": "c"}, {"condition": "low battery"}, {"seed": 8},
        {"condition": "low_battery__s7"}, {"repeat": 1}, {"seed": 10**30},
        {"experiment": "", "agent": "pilot"},
    ],
)  # fmt: skip
def test_each_part_of_a_cell_counts(changed):
    assert run_id("shop-14", replace(CELL, **changed)).casefold() != run_id("shop-14", CELL)


def test_a_condition_that_looks_like_a_seed_is_not_taken_for_one():
    named = Episode("pilot", agent="gpt", condition="s7")
    assert run_id("shop-1", named) != run_id("shop-1", Episode("pilot", agent="gpt", seed=7))


def test_an_unknown_repeat_is_the_first_free_one_and_of_a_known_one_the_attempt(project):
    header = TrajectoryHeader("", "shop-1", episode=Episode("pilot", agent="gpt"))
    names = []
    for _number in range(3):
        with begin_run(project, header) as writer:
            names.append(writer.header.id)
            assert (writer.header.kind, writer.folder.parent.name) == ("run", "shop-1")
    assert names == [f"pilot__gpt__shop-1__r{number}" for number in range(3)]
    delete_trajectory(project, project.find(names[2]))
    with begin_run(project, header) as writer:
        assert writer.header.id == "pilot__gpt__shop-1__r3", "one in the trash may come back"
    known = replace(header, episode=Episode("pilot", agent="gpt", repeat=1))
    for attempt in (0, 1):
        with begin_run(project, known) as writer:
            assert writer.header.id == f"pilot__gpt__shop-1__r1__a{attempt}"
            assert writer.header.episode.attempt == attempt


def test_processes_that_begin_runs_at_once_get_different_ids(project):
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, str(project.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for _number in range(2)
    ]  # fmt: skip
    for child in children:
        assert child.stdout.readline() == "ready\n"
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    names = [name for child in children for name in child.communicate(timeout=60)[0].split()]
    assert sorted(names, key=lambda name: int(name.rpartition("r")[2])) == [
        f"pilot__gpt__shop-1__s7__r{number}" for number in range(24)
    ]
    assert len(list(project.trajectory_folders("shop-1"))) == 24
