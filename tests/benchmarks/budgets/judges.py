"""Judges: the rules over many runs, and windows of models; an endpoint in another process answers at once."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path

from collector.judge.judging import judge_trajectories
from collector.judge.registry import RULES_JUDGE, create_judge
from collector.model.resources import asset
from collector.model.trajectory import RUN
from collector.model_judges.judge_files import named_model_judge
from collector.model_judges.judging_run import JudgingControl, judge_by_models
from collector.project_rules.project_rules import ProjectRules
from collector.store.trajectory.reader import read_header
from tests.benchmarks.budgets.table import Budget, Row
from tests.helpers.chat_server import ChatServer, Exchange, completion
from tests.helpers.judged_by_model import write_judge
from tests.helpers.large_sample import large_sample

_JUDGED = 300
_RUNS = 12
_ROUNDS = 3
_LEAST_A_SECOND = 40


def rows() -> Iterator[Row]:
    """A3RM's windows: two screens with the action marked, and a question for each state in each window.

    Both processes share the cores, so the endpoint's work counts too.
    """
    with tempfile.TemporaryDirectory() as name:
        yield from _by_rules(Path(name) / "many")
    with tempfile.TemporaryDirectory() as name:
        os.environ["WAYMARK_HOME"] = name  # where hosts are allowed, in this process alone
        folder = Path(name) / "sample"
        shutil.copytree(asset("sample"), folder)
        with _endpoint() as address:
            samples = [_milliseconds_a_window(folder, address, number) for number in range(_ROUNDS)]
    budget = Budget("median", 1000 / _LEAST_A_SECOND)
    yield Row(f"a window of {_RUNS} runs judged, the endpoint answers at once", samples, budget)


def _by_rules(folder: Path) -> Iterator[Row]:
    """Judge all of a project anew, in this process alone."""
    project = ProjectRules.open(large_sample(folder, _JUDGED))
    folders = list(project.project.trajectory_folders())
    samples = []
    for _round in range(_ROUNDS):
        judge, began = create_judge(RULES_JUDGE, project.project), time.process_time()
        if any(result.problem for result in judge_trajectories(project, folders, judge, anew=True)):
            raise RuntimeError("not every run was judged")
        samples.append(1000 * (time.process_time() - began) / len(folders))
    yield Row("judge a run of the sample by rules, CPU", samples, Budget("median", 3))


def _milliseconds_a_window(folder: Path, address: str, number: int) -> float:
    """The mean time a window of one run of judging; each run has another seed, so that no answer is kept."""
    project = ProjectRules.open(folder)
    folders = [path for path in project.project.trajectory_folders() if read_header(path).kind == RUN][:_RUNS]
    options = {"prompt": "a3rm", "questions": "each", "early_exit": False, "seed": number, "workers": 8}
    write_judge(project, f"judge-{number}", address, **options)
    control = JudgingControl()
    began = time.perf_counter()
    results = list(
        judge_by_models(
            project, folders, named_model_judge(f"judge-{number}", project.project), control, keep=False
        )
    )
    elapsed = time.perf_counter() - began
    if any(result.problem for result in results) or control.spending.asked < _RUNS:
        raise RuntimeError(f"not every run was judged: {[result.problem for result in results]}")
    # Runs share some windows, which are asked once.
    return 1000 * elapsed / control.spending.asked


class _endpoint:  # noqa: N801 - a context
    """The address of the endpoint, which runs in a process of its own."""

    def __enter__(self) -> str:
        context = multiprocessing.get_context("spawn")
        mine, theirs = context.Pipe()
        self._ended = context.Event()
        self._process = context.Process(target=_serve, args=(theirs, self._ended), daemon=True)
        self._process.start()
        return str(mine.recv())

    def __exit__(self, *details: object) -> None:
        self._ended.set()
        self._process.join()


def _serve(pipe: Connection, ended: Event) -> None:
    body = json.dumps(completion("<answer>no</answer>")).encode()

    def answer(exchange: Exchange) -> None:
        exchange.server.requests.clear()  # of thousands of pictures none is looked at
        exchange.send(200, body)

    with ChatServer(answer) as server:
        pipe.send(server.address)
        ended.wait()
