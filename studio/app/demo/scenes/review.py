"""Scenes of the Review workspace: an interrupted run beside its baseline and the golden trajectory."""

from __future__ import annotations

from collector.model.i18n import _
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour

_INTERRUPTED = "agent:careful task:settings-03 condition:*battery"
"""A run of the sample's finished experiment."""
_ALIGN_S = 60.0


def compared(tour: Tour) -> None:
    """Go to the first divergence, look at what differs, filter, give a verdict, and share."""
    open_run(tour)
    in_both_themes(tour, "review")
    tour.small_screenshot("review")
    tour.command("review.pixels-heat")
    tour.command("review.clock")
    tour.screenshot("review-heat-clock")
    tour.command("review.clock")
    tour.command("review.filter")
    tour.until(lambda state: state["focus"] == _("Filter the steps"), _("Filter the steps"))
    tour.fill("anomaly:any")
    tour.until_context("review.filtered")
    tour.screenshot("review-filter")
    tour.key("Esc")
    tour.command("review.judge-failure")
    tour.until_context("review.judged")
    tour.command("review.reason-3")
    tour.screenshot("review-verdict")
    tour.command("review.share")
    tour.until(lambda state: state["dialog"], _("Share"))
    tour.screenshot("review-share")
    tour.close_dialog()
    show_workspace(tour, "project")


def reopened(tour: Tour) -> None:
    """Show the comparison again, in another language or at another scale."""
    open_run(tour)
    tour.screenshot("review")
    show_workspace(tour, "project")


def open_run(tour: Tour) -> None:
    """Choose a run in the list of all trajectories; it brings its companions."""
    show_workspace(tour, "review")
    if tour.state()["context"].get("review.open"):
        tour.command("review.close")
        tour.until_context("review.open", False)
    tour.command("review.add")
    tour.until(lambda state: state["dialog"], _("Trajectories"))
    tour.fill(_INTERRUPTED)
    tour.control(_("{count} trajectory", count=1))
    tour.key("Tab")
    tour.key("Down")
    tour.key("Enter")
    tour.until_context("review.several", seconds=_ALIGN_S)
    tour.until_context("review.aligned", seconds=_ALIGN_S)
    tour.command("review.first-divergence")
    tour.until_context("review.compared", seconds=_ALIGN_S)
