"""Longer tasks made of the built-in ones: two to five parts over several apps, the same for the same seed."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import LEVELS, OPERATION, Task
from collector.targets.reader import SUBTASKS, read_target
from collector.task_library.built_in_tasks import tasks_of
from collector.task_library.footprint import disturb_each_other, footprint, needs_front
from collector.task_library.wording import instruction_of

FEWEST_PARTS, MOST_PARTS = 2, 5
MOST_TASKS = 1000
_DRAWS = 2000
"""Draws without a new task after which there is none."""
_WEIGHTS = dict(zip(LEVELS, (1, 2, 3), strict=True))
_EASY, _MEDIUM = 6, 10
_MANY_PARTS = 4
"""Tasks of at least so many parts are over three apps, others over two."""
_PREFIX = "long"


@dataclass(frozen=True, slots=True)
class GenerationOptions:
    """Which longer tasks are wanted."""

    number: int = 100
    seed: int = DEFAULT_SEED
    fewest_parts: int = FEWEST_PARTS
    most_parts: int = MOST_PARTS
    apps: tuple[str, ...] = ()
    """Short names; all when none is named."""
    level: str = ""
    """One of LEVELS, or empty for all."""


def generated_tasks(options: GenerationOptions) -> tuple[Task, ...]:
    """So many different tasks, in the order in which they are drawn.

    The same options give the same tasks, and a smaller number the first of them. An id stands for the parts
    and their order, whatever they were drawn with. No two parts of a task are about the same record. Raises
    UserError when there are not so many.
    """
    drawing = _Drawing(options)
    found: dict[frozenset[str], Task] = {}
    for _number in range(options.number):
        for _draw in range(_DRAWS):
            parts = drawing.parts()
            key = frozenset(part.id for part in parts)
            if parts and key not in found and (not options.level or level_of(parts) == options.level):
                found[key] = _task(parts)
                break
        else:
            raise UserError(
                _("There are only {count} such tasks", count=len(found)),
                _("they are made of the built-in tasks, each set of parts once"),
                _("Ask for fewer, or allow more apps, parts and levels"),
            )
    return tuple(found.values())


class _Drawing:
    """Draws the parts of one task after another."""

    def __init__(self, options: GenerationOptions) -> None:
        self._options, self._random = options, random.Random(options.seed)
        self._tasks = tasks_of(options.apps)
        self._footprints = {task.id: footprint(task) for task in self._tasks}
        self._apps = len({task.package for task in self._tasks})

    def parts(self) -> tuple[Task, ...]:
        """Parts in their order; none when the draw came to too few of them, or of apps."""
        wanted = self._random.randint(self._options.fewest_parts, self._options.most_parts)
        chosen: list[Task] = []
        for task in self._random.sample(self._tasks, len(self._tasks)):
            if len(chosen) < wanted and self._fits(task, chosen):
                chosen.append(task)
        apps = list(dict.fromkeys(task.package for task in chosen))
        if len(chosen) < wanted or len(apps) < min(self._apps, 2 + (wanted >= _MANY_PARTS)):
            return ()
        return tuple(sorted(chosen, key=lambda task: (needs_front(task), apps.index(task.package))))

    def _fits(self, task: Task, chosen: Sequence[Task]) -> bool:
        own = self._footprints[task.id]
        return not any(disturb_each_other(own, self._footprints[other.id]) for other in chosen)


def level_of(parts: Sequence[Task]) -> str:
    """How hard the parts are together: 1 to 3 points for the level of each, and one for each app but one."""
    points = sum(_WEIGHTS[part.level] for part in parts) + len({part.package for part in parts}) - 1
    return LEVELS[(points > _EASY) + (points > _MEDIUM)]


def _task(parts: Sequence[Task]) -> Task:
    digest = hashlib.sha256("\n".join(part.id for part in parts).encode())
    apps = dict.fromkeys(part.app for part in parts)
    packages = {part.package for part in parts}
    return Task(
        id=f"{_PREFIX}-{digest.hexdigest()[:8]}",
        instruction=instruction_of(parts, int.from_bytes(digest.digest()[8:16], "big")),
        app=", ".join(apps),
        package=parts[0].package if len(packages) == 1 else "",
        level=level_of(parts),
        category=OPERATION,
        language=parts[0].language,
        max_steps=sum(part.max_steps for part in parts),
        target=read_target({SUBTASKS: [dict(part.target.source) for part in parts if part.target]}),
        note=f"Parts: {', '.join(part.id for part in parts)}",  # in English everywhere, as the instruction is
    )  # fmt: skip
