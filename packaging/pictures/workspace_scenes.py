"""The scenes of *What is this?*: what a person does in each workspace, two scenes for each of its notes.

A workspace is a generator: it acts in the window, and yields where a picture of the window is to be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

if TYPE_CHECKING:
    from collector.model.tree import Node
    from studio.app.studio import Studio
    from studio.views.metrics.workspace import MetricsWorkspace
    from studio.views.project.workspace import ProjectWorkspace
    from studio.views.record.workspace import RecordWorkspace
    from studio.views.rules.session import RulesSession
    from studio.views.rules.workspace import RulesWorkspace
    from studio.views.run.workspace import RunWorkspace
    from studio.views.states.workspace import StatesWorkspace

_WAIT_MS, _STEP_MS = 90_000, 50
_TASK, _COMPOSED, _FINISHED = "shop-14", "robustness", "quick"
_NEW_TASK = "shop-12"
"""A task that nobody recorded."""
_INTERRUPTED = "settings-03/quick__careful__*battery*"
_PLOTS_MS = 4000
"""The plots are counted after the table."""
_EPISODE_MS = 10_000
"""Some steps of the live phones later."""
_RATE = 3
"""The column of the success rate."""
_TRIED = (("shop-14", 9), ("shop-14", 10), ("shop-11", 4), ("shop-13", 3))
"""Recorded screens, most of them of search results, where a rule is tried."""


def wait(condition: Callable[[], object]) -> None:
    """Handle events until a condition holds."""
    for _number in range(_WAIT_MS // _STEP_MS):
        if condition():
            return
        QTest.qWait(_STEP_MS)
    raise SystemExit("the window did not get there")


def open_sample(studio: Studio) -> None:
    """Open the sample project, and start a virtual phone."""
    studio.commander.run("project.open-sample", quiet="yes")
    wait(lambda: studio.project_library.snapshot is not None and studio.project_library.snapshot.is_read)
    studio.commander.run("device.start-virtual")
    wait(lambda: studio.devices.current is not None and studio.devices.current.is_live)
    studio.selection.choose_task(_TASK)


def project(studio: Studio) -> Iterator[None]:
    """Tasks, and fewer of them; what was recorded; the phones."""
    studio.commander.run("view.project")
    shown = cast("ProjectWorkspace", studio.window.current)
    yield
    shown.search_row.search.add("level:hard")
    yield
    shown.search_row.search.clear()
    for card in (0, 2):
        shown.recent.cards.choose_at(shown.recent.cards.item_place(card).center())
        yield
    shown.table.select([_TASK])
    yield
    studio.commander.run("device.start-virtual")
    wait(lambda: sum(entry.is_ready for entry in studio.devices.entries) > 1)
    yield


def record(studio: Studio) -> Iterator[None]:
    """The phone; steps as they come; the end."""
    run = studio.commander.run
    run("view.record")
    shown = cast("RecordWorkspace", studio.window.current)
    run("record.task", task=_NEW_TASK)
    wait(lambda: studio.recording.is_running and shown.mirror.selection.tree is not None)
    yield
    for words in ("Shop", "Search products"):
        _tap(studio, words)
        yield
    _tap(studio, "desk lamp")
    yield
    run("record.pause")
    yield
    run("record.resume")
    wait(lambda: studio.recording.is_running)
    run("record.finish")
    wait(lambda: not studio.recording.is_active)
    yield


def rules(studio: Studio) -> Iterator[None]:
    """Rules of two kinds; nodes of a recorded screen; the back-test."""
    run = studio.commander.run
    run("view.rules")
    session = cast("RulesWorkspace", studio.window.current).session
    wait(lambda: studio.commander.context.get("rules.recorded") and session.result is not None)
    session.select("success", _TASK)
    yield
    session.select("injection", "battery-low-in-results")
    yield
    for task, index in _TRIED:
        position = session.position_of(f"{task}-lin", index)
        assert position is not None
        session.go_to(position)
        wait(partial(_is_shown, session, position))
        yield


def _is_shown(session: RulesSession, position: int) -> bool:
    return session.recorded is not None and session.recorded.position == position


def states(studio: Studio) -> Iterator[None]:
    """Essential states; the screens that reach them; proposals of two operators."""
    run = studio.commander.run
    run("view.states")
    shown = cast("StatesWorkspace", studio.window.current)
    session = shown.session
    session.choose_task(_TASK)
    wait(lambda: session.trajectory is not None and session.reach_here)
    yield
    session.select(session.states[2].id)
    yield
    session.select(session.states[2].id, follow=True)
    yield
    session.select(session.states[4].id, follow=True)
    yield
    run("states.show-labels")
    yield
    run("states.compare")
    yield


def review(studio: Studio) -> Iterator[None]:
    """Trajectories side by side; where they part; a verdict."""
    run = studio.commander.run
    folder = studio.project_library.folder
    assert folder is not None
    run("review.open", folder=str(next(folder.glob(f"trajectories/{_INTERRUPTED}"))))
    wait(lambda: studio.commander.context.get("review.aligned"))
    yield
    run("review.next-step")
    run("review.next-step")
    run("review.next-step")
    yield
    run("review.first-divergence")
    wait(lambda: studio.commander.context.get("review.compared"))
    yield
    run("review.pixels-heat")
    yield
    run("review.judge-failure")
    wait(lambda: studio.commander.context.get("review.judged"))
    yield
    run("review.reason-3")
    yield


def metrics(studio: Studio) -> Iterator[None]:
    """What numbers are of; a number and its episodes; plots."""
    studio.commander.run("view.metrics")
    shown = cast("MetricsWorkspace", studio.window.current)
    session, table = shown.session, shown.table.view
    wait(lambda: studio.commander.context.get("metrics.counted"))
    QTest.qWait(_PLOTS_MS)
    yield
    session.lay_out(replace(session.layout, rows=("app", "condition")))
    wait(lambda: session.is_counted)
    yield
    for row in (1, 3):
        table.select_number(row, table.content.columns[_RATE].report_column)
        yield
    for tab in (1, 0):
        shown.plots.tabs.set_current(tab)
        yield


def run(studio: Studio) -> Iterator[None]:
    """An experiment; its phones live; its results."""
    command = studio.commander.run
    command("view.run")
    shown = cast("RunWorkspace", studio.window.current)
    wait(lambda: studio.commander.context.get("experiment.chosen"))
    shown.session.choose(_FINISHED)
    wait(lambda: studio.commander.context.get("experiment.name") == _FINISHED)
    yield
    shown.session.choose(_COMPOSED)
    wait(lambda: studio.commander.context.get("experiment.valid"))
    yield
    command("run.start")
    wait(lambda: studio.commander.context.get("run.pictured"))
    yield
    QTest.qWait(_EPISODE_MS)
    yield
    command("run.show-list")
    yield
    command("run.show-rates")
    yield


def _tap(studio: Studio, words: str) -> None:
    """Click on the mirror what has these words, and wait for the next state."""
    mirror = cast("RecordWorkspace", studio.window.current).mirror

    def found() -> list[Node]:
        tree = mirror.selection.tree
        return [node for node in tree or () if words in (node.text, node.get("content-desc"))]

    wait(found)
    place, before = found()[0].bounds, len(studio.recording.steps)
    assert place is not None
    x, y = mirror.view.transform.to_view(place.center)
    at = QPoint(round(x), round(y))
    QTest.mouseClick(mirror.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    wait(lambda: len(studio.recording.steps) > before)


SCENES: dict[str, Callable[[Studio], Iterator[None]]] = {
    "project": project,
    "record": record,
    "rules": rules,
    "states": states,
    "review": review,
    "metrics": metrics,
    "run": run,
}
