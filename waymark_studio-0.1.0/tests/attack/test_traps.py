"""A project's folder is the current one and full of traps: no program that Waymark starts loads one of them.

The traps are modules of the standard library and of all packages, start files of Python, programs, libraries,
plug-ins and settings; see :mod:`tests.helpers.traps`. PATH names the current folder, as it does for many.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
import pytest

from collector.cli.main import waymark
from studio.app.demo.studio_process import StudioProcess
from tests.attack.verbs import CALLS
from tests.helpers.scripts import ROOT
from tests.helpers.traps import careless_environment, marks, set_traps

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="traps are scripts with a shebang")
SAMPLE = ROOT / "assets" / "sample"
TINY = """\
format: waymark-experiment
version: 1
tasks: [todo-04]
agents: [golden]
seeds: [1, 2]
budget: 2
phones: {virtual: 2, size: 300x666, density: 133}
"""
SECONDS = 120
WAYMARK = Path(sys.executable).with_name("waymark")
"""The command as pip installs it."""


class TrappedProject:
    """The sample project in a folder of traps."""

    def __init__(self, room: Path) -> None:
        self.folder, self._marker, self._home = room / "project", room / "marker", room / "home"
        self._home.mkdir()
        shutil.copytree(SAMPLE, self.folder)
        (self.folder / "experiments" / "tiny.yaml").write_text(TINY)
        set_traps(self.folder, self._marker)

    @property
    def marks(self) -> list[str]:
        return marks(self._marker)

    @property
    def environment(self) -> dict[str, str]:
        return {**careless_environment(), "WAYMARK_HOME": str(self._home)}

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run ``waymark`` in the folder."""
        return subprocess.run(
            [WAYMARK, *words], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip


@pytest.fixture
def trapped(tmp_path: Path) -> TrappedProject:
    return TrappedProject(tmp_path)


def leaves(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every verb of the command line, as the words that name it."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from leaves(below, (*words, name))
    else:
        yield words


def test_the_traps_work(trapped: TrappedProject) -> None:
    # A careless start of Python steps into them: what the other tests find is not found for want of a trap.
    words = [sys.executable, "-c", "import multiprocessing"]
    subprocess.run(words, cwd=trapped.folder, env=trapped.environment, check=True)
    assert any(mark.startswith("multiprocessing ") for mark in trapped.marks)


def test_a_run_with_worker_processes_steps_into_no_trap(trapped: TrappedProject) -> None:
    done = trapped.call("run", "tiny")
    assert trapped.marks == []
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 of 2 episodes are finished" in done.stdout


def test_every_verb_has_words() -> None:
    assert {" ".join(words) for words in leaves(waymark)} == set(CALLS)


@pytest.mark.attack
@pytest.mark.timeout(1200)
def test_no_verb_steps_into_a_trap(trapped: TrappedProject) -> None:
    with ThreadPoolExecutor(2) as pool:
        ends = pool.map(lambda verb: trapped.call(*verb.split(), *CALLS[verb]), CALLS)
        done = dict(zip(CALLS, ends, strict=True))
    assert trapped.marks == []
    broken = {verb: end.stderr for verb, end in done.items() if "Traceback" in end.stderr}
    assert broken == {}
    wrong = {verb: end.stderr for verb, end in done.items() if end.returncode == 2}
    assert wrong == {}, "the table of verbs calls a verb in a way that it does not have"


@pytest.mark.attack
def test_workers_of_ray_step_into_no_trap(trapped: TrappedProject) -> None:
    pytest.importorskip("ray")
    done = trapped.call("run", "tiny", "--executor", "ray", "--ray-address", "local")
    assert trapped.marks == []
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.attack
def test_the_window_and_its_runner_step_into_no_trap(trapped: TrappedProject, tmp_path: Path) -> None:
    for name in ("quick", "robustness", "rule-driven"):
        (trapped.folder / "experiments" / f"{name}.yaml").unlink()
    command, home = [str(WAYMARK), "studio", str(trapped.folder)], tmp_path / "home"
    with StudioProcess(command, trapped.environment, home, trapped.folder) as window:
        window.run("view.run")
        window.wait("state", lambda state: state["context"].get("experiment.valid"), "experiment", SECONDS)
        window.run("run.start")
        runs = trapped.folder / "trajectories" / "todo-04"
        window.wait("state", lambda _: len(list(runs.glob("tiny__*/trajectory.json"))) == 2, "runs", SECONDS)
    assert trapped.marks == []
