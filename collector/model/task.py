"""A task: an instruction for an app, and the rules and states that belong to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from collector.model.app_data.kept_proof import KeptProof
from collector.model.app_data.target import TaskTarget
from collector.model.errors import UserError
from collector.model.expected_answer import ExpectedAnswer
from collector.model.i18n import N_, _
from collector.model.task_parameter import Parameter
from collector.model.user_reply import TaskReply

LEVELS = ("easy", "medium", "hard")
STATE_TASK, PROCESS_TASK = "state", "process"
TASK_TYPES = (STATE_TASK, PROCESS_TASK)
"""ProBench's types: judged by the last state alone, or also by the way there."""
OPERATION, INFORMATION_RETRIEVAL = "operation", "information retrieval"
CATEGORIES = {OPERATION: N_("operation"), INFORMATION_RETRIEVAL: N_("information retrieval")}
"""AITK's categories, each in words: something is to be done, or something is to be answered."""
STYLE_PATTERN = r"[A-Za-z][A-Za-z0-9_-]*"
GOAL_STYLE_PATTERN = rf"{STYLE_PATTERN}(:[1-9][0-9]{{0,3}})?"
"""How an experiment names a style, or one wording of it."""
_STYLE = re.compile(STYLE_PATTERN)
_GOAL_STYLE = re.compile(GOAL_STYLE_PATTERN)
OWN_WORDS = "default"
"""The word for the task's instruction as it is; no style has this name."""
PLACEHOLDER = "human_validation"
"""The rule key by which D-GARA says that a person judges a task; it names no rule."""
RESET_APP, RESET_PHONE, RESET_PROJECT = "app-data", "phone", "project"
RESETS = (RESET_APP, RESET_PHONE, RESET_PROJECT)
"""What is reset before a recording: the app's data, the whole virtual phone, what the project declares."""


def category_text(category: str) -> str:
    """A category in the language in use; the word of another benchmark is returned unchanged."""
    return _(CATEGORIES[category]) if category in CATEGORIES else category


@dataclass(frozen=True, slots=True)
class Task:
    """``id`` is unique in its project and names the folder of its trajectories."""

    id: str
    instruction: str
    app: str = ""
    """Name a person reads, as in ``Shop``."""
    package: str = ""
    level: str = ""
    category: str = ""
    """One of CATEGORIES, or the word of another benchmark."""
    type: str = ""
    """One of TASK_TYPES."""
    language: str = ""
    """Of the instruction and the app, as in ``en`` or ``zh``."""
    app_category: str = ""
    """What kind of app it is, as in ``Shopping``."""
    max_steps: int = 0
    """0 = no budget."""
    rule_key: str = ""
    target_rule_ids: tuple[str, ...] = ()
    essential_states: tuple[str, ...] = ()
    """Ids of states in ``rules/states.yaml``, in the order in which they are reached."""
    forbidden: tuple[str, ...] = ()
    """Ids of the safety rules that say what must never happen while it is done."""
    expected_answer: ExpectedAnswer | None = None
    target: TaskTarget | None = None
    """What has to be different in the data of apps when it is done, and nothing else; None for no target."""
    proof: KeptProof | None = None
    """That the target can be reached, and in how many actions; None while nobody looked."""
    human_validation: bool = False
    """Whether a person judges it, because no rule can."""
    note: str = ""
    rewordings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Goal style -> other wordings of the instruction in it, at least one. OpenApps' styles are ``casual``,
    ``formal`` and ``unrelated_context``."""
    parameters: tuple[Parameter, ...] = ()
    """Names in braces in its texts, rules and target, each with what its values are drawn from by a seed."""
    replies: tuple[TaskReply, ...] = ()
    """What the user answers when an agent asks; the first that fits counts."""
    golden_wanted: int = 2
    """How many golden trajectories the project asks for (A3: two independent ones)."""
    reset: str = ""
    """What is reset before each recording, one of RESETS; empty for nothing."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the file this version does not know; written back untouched."""


def is_goal_style(name: str) -> bool:
    """Whether rewordings may have a style of that name."""
    return bool(_STYLE.fullmatch(name)) and name != OWN_WORDS


def is_goal_style_choice(text: str) -> bool:
    """Whether an experiment may write that: a style, or one with the number of a wording."""
    return bool(_GOAL_STYLE.fullmatch(text)) and is_goal_style(style_of(text))


def style_of(goal_style: str) -> str:
    """The style without the number of a wording; empty for the task's own words."""
    return goal_style.partition(":")[0]


def wordings(task: Task, goal_style: str) -> tuple[str, ...]:
    """The texts that an episode of a goal style may be given, one of them; none where the task lacks them."""
    if not goal_style:
        return (task.instruction,)
    style, _colon, number = goal_style.partition(":")
    texts = task.rewordings.get(style, ())
    return texts[int(number) - 1 : int(number)] if number else texts


def lacking_wordings(tasks: Iterable[Task], goal_style: str) -> list[str]:
    """Ids of the tasks without a wording of a goal style."""
    return [task.id for task in tasks if not wordings(task, goal_style)]


def reworded(task: Task, goal_style: str, seed: int) -> Task:
    """The task with the instruction that an episode gets: of several wordings of a style the seed's one.

    Raises UserError when the task has none.
    """
    texts = wordings(task, goal_style)
    if not texts:
        raise UserError(
            _("Task {id} has no wording {style}", id=task.id, style=goal_style), "",
            _("Write it under `rewordings` of the task, or leave the style out of `goal_styles`"),
        )  # fmt: skip
    return replace(task, instruction=texts[seed % len(texts)])


def rewording_lines(task: Task) -> list[str]:
    """The rewordings of a task as lines for a person, as in ``casual: Get me a poster``."""
    return [f"{style}: {text}" for style, texts in task.rewordings.items() for text in texts]


def read_rewordings(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The rewordings of such lines; empty ones say nothing. Raises ValueError with what is wrong with one."""
    found: dict[str, tuple[str, ...]] = {}
    for line in filter(None, map(str.strip, lines)):
        style, colon, text = (part.strip() for part in line.partition(":"))
        if not colon or not text or not is_goal_style(style):
            raise ValueError(
                _("{line} is no style and wording: write it as in casual: Get me a poster", line=line)
            )
        found[style] = (*found.get(style, ()), text)
    return found
