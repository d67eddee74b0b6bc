"""Proofs of the built-in tasks: the search over the apps, and the play of what it found."""

from __future__ import annotations

import time
from collections.abc import Iterator

from collector.agents.agent import TREE
from collector.environment.phone_environment import PhoneEnvironment
from collector.oracle.proof import TaskProof
from collector.oracle.proving import TaskProver
from collector.oracle.search import SearchLimit
from collector.task_library.built_in_tasks import built_in_tasks
from tests.benchmarks.budgets.table import Budget, Row

_SHORTEST = 4_000


def rows() -> Iterator[Row]:
    """Each of them once, as ``waymark task prove`` does it, with and without the search for the fewest."""
    count = len(built_in_tasks())
    found = list(_proofs(SearchLimit()))
    yield Row(
        f"proofs: a built-in task is found and played, of {count}, CPU of one core",
        [seconds * 1000 for _proof, seconds in found], Budget("p95", 5000),
    )  # fmt: skip
    spent = [1e6 * seconds / proof.states for proof, seconds in found if proof.states > 100]
    yield Row("proofs: a state of an app in such a search, with its play", spent, unit="us")
    yield Row(
        f"proofs: a built-in task with {_SHORTEST:,} states for the fewest actions",
        [seconds * 1000 for _proof, seconds in _proofs(SearchLimit(shortest=_SHORTEST))],
        Budget("p95", 10_000),
    )  # fmt: skip


def _proofs(limit: SearchLimit) -> Iterator[tuple[TaskProof, float]]:
    environment = PhoneEnvironment(observes=TREE)
    prover = TaskProver(environment, limit)
    for task in built_in_tasks():
        began = time.process_time()
        proof = prover.prove(task)
        if not proof.is_proved:
            raise AssertionError(f"{task.id}: {proof.problem}")
        yield proof, time.process_time() - began
    environment.close()
