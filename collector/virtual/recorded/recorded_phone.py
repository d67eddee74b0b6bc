"""A phone whose apps are those of a graph of recorded screens, and how far its path was followed."""

from __future__ import annotations

from collections import Counter
from typing import Any

from collector.model.transition_graph import TransitionGraph
from collector.virtual.apps import make_apps
from collector.virtual.recorded.app import RecordedApp, intent_to, trail_of
from collector.virtual.recorded.off_path import OffPath, OffPathKind
from collector.virtual.recorded.pictures import add_pictures
from collector.virtual.system.phone import Phone
from collector.virtual.ui.app import App
from collector.virtual.ui.effects import Intent

_TYPICAL_WIDTH = 360
"""Of a phone in dp, where the recording does not name its density."""
_OWN_APPS = ("companion",)
"""Apps of the virtual phone that are there, too: anomalies show their dialogs by it."""


def recorded_apps(graph: TransitionGraph, off_path: OffPathKind) -> tuple[App[Any], ...]:
    """The apps of a graph and those of the system that it does not replace."""
    pictures = add_pictures([screen.picture for screen in graph.screens])
    answers = OffPath(off_path)
    recorded = tuple(RecordedApp(graph, package, pictures, answers) for package in graph.packages)
    packages = {app.package for app in recorded}
    own = (app for app in make_apps(_OWN_APPS) if app.package not in packages)
    has_home = any(activity.home for app in recorded for activity in app.activities)
    return (*(app for app in own if not (has_home and _is_home(app))), *recorded)


def first_screen(graph: TransitionGraph) -> Intent:
    """What shows the screen on which the first recording begins."""
    return intent_to(graph.start, trail_of(graph.start))


def show_first_screen(phone: Phone) -> bool:
    """Show the screen on which the first recording begins; False for a phone that plays none."""
    graph = _graph(phone)
    if graph is not None:
        phone.start_activity(first_screen(graph))
    return graph is not None


def usual_density(graph: TransitionGraph) -> int:
    """Dots per inch with which the phone is as wide as most."""
    size = graph.start.size
    return max(72, min(1000, round(160 * min(size.width, size.height) / _TYPICAL_WIDTH)))


def knows_app_data(phone: Phone) -> bool:
    """Whether a phone says what apps keep: one of recordings does so where all of them say it."""
    graphs = (app.graph for app in phone.profile.apps if isinstance(app, RecordedApp))
    return all(graph.has_app_data for graph in graphs)


def practice_report(phone: Phone) -> dict[str, Any] | None:
    """How far the recordings were followed since the phone is new; None for a phone that plays none."""
    graph = _graph(phone)
    if graph is None:
        return None
    models = {name: phone.app_model(name) for name in phone.app_names}
    states = {name: model.state for name, model in models.items() if isinstance(model.app, RecordedApp)}
    taken = Counter(number for state in states.values() for number in state.taken)
    visited = {number for state in states.values() for number in state.visited}
    front = phone.focused
    shown = states.get(front.package) if front is not None else None
    return {
        "screen": shown.screen + 1 if shown is not None else None,
        "on_path": sum(state.on_path for state in states.values()),
        "off_path": sum(state.off_path for state in states.values()),
        "screens": {"shown": len(visited), "of": len(graph.screens)},
        "transitions": {"taken": len(taken), "of": len(graph.transitions)},
        "recordings": [
            {"trajectory": name, "followed": _followed(path, taken), "of": len(path)}
            for name, path in zip(graph.recordings, graph.paths, strict=True)
        ],
    }


def _graph(phone: Phone) -> TransitionGraph | None:
    return next((app.graph for app in phone.profile.apps if isinstance(app, RecordedApp)), None)


def _followed(path: tuple[int, ...], taken: Counter[int]) -> int:
    """How many steps of a recording were done, wherever its way was joined: each as often as it was done."""
    return (Counter(path) & taken).total()


def _is_home(app: App[Any]) -> bool:
    return any(activity.home for activity in app.activities)
