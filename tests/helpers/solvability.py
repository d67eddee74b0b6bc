"""Inputs and trials of a solvability check, without a phone."""

from __future__ import annotations

from collector.anomalies.model import Anomaly
from collector.anomalies.reader import read_library
from collector.model.action import Key, Tap, Type
from collector.model.task import Task
from collector.replay.outcomes import RecoveryMove
from collector.replay.solvability.cases import SolvabilityTask
from collector.replay.solvability.plan import SolvabilityInput, SolvabilityPlan
from collector.replay.solvability.trials import SolvabilityTrial, TrialResult
from collector.rules.grammar.model import INJECTION, Injection, Rule
from tests.helpers.dumps import hierarchy, node
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

LIBRARY = """
anomalies:
  - id: low
    category: System Resource
    description: The battery is low
    target_activity: LowBatteryActivity
    params: {param_button_text: OK, param_log_event: LIKED}
  - id: quiet
    kind: native
    category: System Network
    description: The network goes
    commands: [{apply: ["settings put global quiet 1"], undo: ["settings put global quiet 0"]}]
"""
LOW, QUIET = read_library(LIBRARY).anomalies
_XML = hierarchy(node(text="Buy")).encode()


def case(task_id: str, *named: str, steps: int = 3, hidden: int = 0) -> SolvabilityTask:
    """A task with a golden trajectory of so many steps, and a rule that injects ``named``.

    ``hidden`` texts are typed before the last step.
    """
    typed = [Type("", 8, redacted=True)] * hidden
    actions = [Tap(1, 1)] * (steps - 1) + typed + [Key("back")]
    golden = MemoryTrajectory(
        task_id, [*(RecordedScreen(_XML, action) for action in actions), RecordedScreen(_XML)]
    )
    injects = tuple(Injection(interference_id=anomaly_id) for anomaly_id in named)
    rules = [Rule(id="rule", kind=INJECTION, actions=injects)] if named else []
    return SolvabilityTask(Task(task_id, f"Do {task_id}", "Shop", "com.example.shop"), [golden], rules)


def ground(*cases: SolvabilityTask) -> SolvabilityInput:
    return SolvabilityInput({case.task.id: case for case in cases})


def plan(*tasks: str, anomalies: tuple[Anomaly, ...] = (LOW, QUIET), **more: object) -> SolvabilityPlan:
    return SolvabilityPlan(tasks, anomalies, **more)  # type: ignore[arg-type]


def trial(
    task: str, anomaly: str, result: TrialResult = TrialResult.SOLVABLE, **more: object
) -> SolvabilityTrial:
    given = {"trajectory": f"{task}-golden", "answer": "accept" if anomaly == "low" else "", **more}
    return SolvabilityTrial(task=task, anomaly=anomaly, result=result, **given)  # type: ignore[arg-type]


STOPPED = trial(
    "two", "low", TrialResult.STOPS, met_at=1, stops_at=2, seconds=12.0,
    why="Expected: 'Buy' to touch; the launcher is in front", ways=(RecoveryMove.BACK, RecoveryMove.BACK),
)  # fmt: skip
BROKEN = trial("three", "", TrialResult.BROKEN, stops_at=0, answer="", why="Expected: the screen recorded")
