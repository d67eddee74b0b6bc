"""Scenes of the States workspace: the states of a sample task, a condition tried on a screen, a check."""

from __future__ import annotations

from collector.model.i18n import _
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour

_TASK = "shop-14"
_MODEL_JUDGED = "shop-16"
"""A task of which the tour records nothing: its first trajectory is the sample's."""
_STATES = 3
"""How far the keyboard goes along the lines of the graph."""


def graph(tour: Tour) -> None:
    """Show the graph of a task, walk along it by keyboard, and zoom until it fits."""
    _open_task(tour)
    in_both_themes(tour, "states")
    tour.small_screenshot("states")
    tour.command("states.enlarge")
    tour.command("states.fit")
    tour.screenshot("states-alone")
    tour.command("states.enlarge")
    show_workspace(tour, "record")


def screen(tour: Tour) -> None:
    """Show the screen that reaches an essential state, with the nodes that its conditions find."""
    _open_task(tour)
    tour.command("states.toggle-screen")
    tour.program.wait("screen", lambda screen: screen["nodes"], _("the nodes of the screen"), 20.0)
    tour.screenshot("states-screen")
    tour.command("states.toggle-screen")
    tour.command("states.check")
    tour.control(_("Checked golden trajectories"))
    tour.screenshot("states-check")
    show_workspace(tour, "record")


def judges(tour: Tour) -> None:
    """Show a judge by a model in both themes."""
    show_judged_windows(tour)
    in_both_themes(tour, "states-judges")
    show_workspace(tour, "record")


def show_judged_windows(tour: Tour) -> None:
    """Show what the simulated judge of the sample said of each window of screens, and one question of it."""
    choose_task(tour, _MODEL_JUDGED)
    tour.until_context("states.judged")
    tour.command("states.show-judges")
    tour.click(_("Windows that the judge was asked about"))
    tour.key("Right")
    tour.control(_("Picture {number}", number=1))


def reopened(tour: Tour) -> None:
    """Show the graph again, in another language or at another scale."""
    _open_task(tour)
    tour.screenshot("states")
    show_workspace(tour, "project")


def choose_task(tour: Tour, task: str) -> None:
    """Choose a task in the States workspace."""
    show_workspace(tour, "states")
    tour.until_context("states.task")
    tour.command("states.choose-task")
    tour.until(lambda state: state["popup"], _("the list of tasks"))
    tour.write(task)
    tour.key("Enter")
    tour.until(lambda state: not state["popup"], _("the list closed"))


def _open_task(tour: Tour) -> None:
    """Choose the task in the list, and select the essential state that lies so far along the lines."""
    choose_task(tour, _TASK)
    tour.until_context("states.judged")
    tour.click(_("Essential states"), "Table")
    for _number in range(_STATES):
        tour.key("Right")
    tour.until_context("state.selected")
