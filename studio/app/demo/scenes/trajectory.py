"""Scenes of a finished trajectory."""

from __future__ import annotations

from collector.model.i18n import _
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour


def trajectory(tour: Tour) -> None:
    """Open a trajectory from its card, and in Record; each step shows its screen, action and target."""
    show_workspace(tour, "project")
    tour.click_part(_("Recent trajectories"), 0.02, "List")
    tour.until_context("trajectory.selected")
    tour.command("trajectory.open")
    tour.until(lambda state: state["workspace"] == "review", _("the workspace '{name}'", name="review"))
    tour.until_context("review.aligned")
    tour.command("review.edit")
    tour.until(lambda state: state["workspace"] == "record", _("the workspace '{name}'", name="record"))
    tour.until_context("trajectory.open")
    tour.command("step.first")
    tour.control(_step_of(1))
    tour.screenshot("trajectory-first")
    for place in (2, 3):
        tour.command("step.next")
        tour.control(_step_of(place))
    tour.screenshot("trajectory-third")
    tour.command("step.last")
    tour.command("step.previous")
    in_both_themes(tour, "trajectory")
    tour.small_screenshot("trajectory")
    tour.command("step.note")
    tour.fill(_("This is what the task asks for"))
    tour.screenshot("trajectory-details")
    tour.command("record.close-trajectory")
    tour.until_context("trajectory.open", False)


def _step_of(place: int) -> str:
    """Start of the status bar's text about a step."""
    return _("step {number} / {count}", number=place, count="").rstrip()
