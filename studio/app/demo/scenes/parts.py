"""The parts of the tour: one start of the program each, and the scenes played in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from studio.app.demo.scenes import anomaly, project, record, rules, trajectory, window
from studio.app.demo.tour import Tour

Scene = Callable[[Tour], None]


@dataclass(frozen=True)
class Part:
    """One start of the program."""

    name: str
    language: str
    theme: str
    scenes: tuple[Scene, ...]
    scale: int = 1
    with_project: bool = True


PARTS = (
    Part("first start", "en", "dark", (window.first_start, window.first_click), with_project=False),
    Part(
        "English",
        "en",
        "dark",
        (
            project.tasks,
            project.search,
            project.new_task,
            window.settings,
            window.palette,
            window.keys,
            project.devices,
            record.idle,
            record.golden,
            record.inspect,
            record.finish,
            trajectory.trajectory,
            rules.success,
            rules.injection,
            rules.rehearsal,
            anomaly.editor,
            record.secure,
            record.finish,
            anomaly.interrupted,
            record.finish,
            trajectory.trajectory,
            project.solvability,
            project.import_folder,
            project.check,
        ),
    ),
    Part(
        "Chinese",
        "zh_CN",
        "light",
        (
            project.tasks,
            project.devices,
            record.idle,
            record.chat,
            record.inspect_chat,
            record.finish,
            trajectory.trajectory,
            rules.made,
            anomaly.interrupted,
            record.finish,
            window.palette,
            window.keys,
            window.settings,
        ),
    ),
    Part(
        "large",
        "en",
        "dark",
        (
            project.tasks,
            project.devices,
            record.idle,
            trajectory.trajectory,
            rules.made,
            anomaly.editor,
            anomaly.interrupted,
            record.finish,
        ),
        scale=2,
    ),
)

QUICK = (
    Part("quick", "en", "dark", (project.tasks, project.devices, record.idle, record.golden, record.finish)),
)
"""The shortest tour that still records something."""
