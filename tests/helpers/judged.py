"""Trajectories written as texts of screens, judged by rules."""

from __future__ import annotations

from collections.abc import Sequence

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.rule_judge import RuleJudge
from collector.model.action import Action, Tap
from collector.model.task import Task
from collector.model.trajectory import RUN
from collector.model.verdicts.judgement import Judgement
from collector.rules.grammar.model import STATE, Rule
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

NO_TREE = ""
"""In place of the texts of a screen whose tree was not captured."""
DO = Tap(5, 5)


def screen(texts: str) -> bytes:
    """A dump of nodes with these texts, separated by commas; each 100 wide, below the one before."""
    nodes = "".join(
        f'<node text="{text.strip()}" bounds="[0,{at * 10}][100,{at * 10 + 10}]" clickable="true"/>'
        for at, text in enumerate(texts.split(","))
    )
    return f'<hierarchy rotation="0">{nodes}</hierarchy>'.encode() if texts else b""


def states_of(text: str) -> tuple[Rule, ...]:
    """Essential states as ``rules/states.yaml`` lists them."""
    rules = read_rules(f"states:\n{text}", kind=STATE)
    assert not [item for item in rules.diagnostics if item.severity == "error"], rules.diagnostics
    return rules.rules


def shows(name: str) -> str:
    """The condition that a node has the text ``name``, in YAML."""
    return f"conditions: [{{type: element_exists, selector: \"text='{name}'\"}}]"


def judge_screens(
    screens: Sequence[str],
    rules: Sequence[Rule],
    *,
    actions: Sequence[Action | None] = (),
    task: Task | None = None,
    kind: str = RUN,
    status: str = "finished",
    tasks: Sequence[Task] = (),
) -> dict[str, Judgement]:
    """The judgements by state, and that of the task under ``task``.

    Missing actions are taps, and the last step has none.
    """
    task = task or Task("t", "Do", essential_states=tuple(rule.id for rule in rules if rule.kind == STATE))
    done = [*actions, *[DO] * (len(screens) - 1 - len(actions))]
    done += [None] * (len(screens) - len(done))
    recorded = [RecordedScreen(screen(text), action) for text, action in zip(screens, done, strict=True)]
    trajectory = MemoryTrajectory(task.id, recorded, kind, status=status)
    judged = JudgedTrajectory.of(trajectory, [task, *tasks], rules)
    return {item.subject.state or "task": item for item in RuleJudge().judge(judged)}


def first_steps(found: dict[str, Judgement]) -> dict[str, int | None]:
    """The step of each state, None where it was not reached."""
    return {name: item.subject.first for name, item in found.items() if name != "task"}
