"""The parts of the tour: each is one start of the program with its scenes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from studio.app.demo.scenes import (
    anomaly,
    main_job,
    metrics,
    project,
    record,
    review,
    rules,
    run,
    state_review,
    states,
    trajectory,
    window,
)
from studio.app.demo.tour import Tour

SceneFunction = Callable[[Tour], None]


@dataclass(frozen=True)
class TourSection:
    """One start of the program."""

    name: str
    language: str
    theme: str
    scenes: tuple[SceneFunction, ...]
    scale: int = 1
    with_project: bool = True


WHOLE_TOUR = (
    TourSection("first start", "en", "dark", (window.first_start, window.first_click), with_project=False),
    TourSection(
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
            rules.variations,
            states.graph,
            states.screen,
            states.judges,
            anomaly.editor,
            record.secure,
            record.finish,
            anomaly.interrupted,
            record.finish,
            trajectory.trajectory,
            project.solvability,
            project.import_folder,
            project.check,
            state_review.comparison,
            state_review.audit,
            run.finished,
            metrics.numbers,
            metrics.variations,
            metrics.papers,
            review.compared,
            run.compose,
            run.watch,
        ),
    ),
    TourSection(
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
            rules.reopened,
            states.reopened,
            anomaly.interrupted,
            record.finish,
            window.palette,
            window.keys,
            window.settings,
            state_review.reopened,
            run.finished,
            metrics.reopened,
            review.reopened,
        ),
    ),
    TourSection(
        "large",
        "en",
        "dark",
        (
            project.tasks,
            project.devices,
            record.idle,
            trajectory.trajectory,
            rules.reopened,
            states.reopened,
            anomaly.editor,
            anomaly.interrupted,
            record.finish,
            state_review.reopened,
            run.finished,
            metrics.reopened,
            review.reopened,
        ),
        scale=2,
    ),
)

MAIN_JOB = (
    TourSection(
        "the main job",
        "en",
        "dark",
        (
            main_job.record,
            main_job.inject,
            main_job.judge,
            main_job.vary,
            main_job.judges,
            main_job.run,
            main_job.review,
            main_job.measure,
            main_job.studies,
            main_job.plot,
        ),
    ),
)
"""What people do all day, in one go; the whole tour shows every page."""
