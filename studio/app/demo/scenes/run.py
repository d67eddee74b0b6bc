"""Scenes of the Run workspace: a finished experiment, one that is composed, watched and taken over."""

from __future__ import annotations

from collector.model.i18n import _
from collector.model.resources import asset
from collector.store.files.layout import ProjectPaths
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour

_FINISHED, _COMPOSED = "quick", "robustness"
_START_S = 60.0
"""Two virtual phones are started for the run."""


def finished(tour: Tour) -> None:
    """Show the finished run of the sample."""
    _choose(tour, _FINISHED)
    tour.screenshot("run-finished")
    show_workspace(tour, "project")


def compose(tour: Tour) -> None:
    """Show an experiment with its size, time and cost before it is run."""
    _choose(tour, _COMPOSED)
    tour.until_context("experiment.valid")
    in_both_themes(tour, "run-compose")
    tour.small_screenshot("run-compose")
    tour.command("run.dry-run")
    tour.until(lambda state: state["dialog"], _("the dry run"))
    tour.screenshot("run-dry-run")
    tour.close_dialog()
    show_workspace(tour, "project")


def watch(tour: Tour) -> None:
    """Start a run, watch it, take a phone over and give it back, and end the run."""
    start(tour)
    in_both_themes(tour, "run-watch")
    tour.command("run.next-phone")
    tour.until_context("run.episode", seconds=_START_S)
    tour.command("run.take-over")
    tour.until_context("run.taken-over", seconds=_START_S)
    tour.screenshot("run-take-over")
    tour.click(_("Give back"), "Button")
    tour.until_context("run.taken-over", False, seconds=_START_S)
    end(tour)
    show_workspace(tour, "project")


def start(tour: Tour) -> None:
    """Start the run of an experiment and wait for the screens of its phones."""
    _choose(tour, _COMPOSED)
    tour.until_context("experiment.valid")
    tour.command("run.start")
    tour.until_context("run.attached", seconds=_START_S)
    tour.until_context("run.pictured", seconds=_START_S)


def end(tour: Tour) -> None:
    """End the run."""
    tour.command("run.stop")
    tour.until(lambda state: state["dialog"], _("the question whether the run is to end"))
    tour.click(_("End the run"))
    tour.until_context("run.attached", False, seconds=_START_S)


def _choose(tour: Tour, name: str) -> None:
    """Bring an experiment of the sample into hand."""
    show_workspace(tour, "run")
    tour.until_context("experiment.chosen")
    tour.command("run.choose")
    tour.until(lambda state: state["popup"], _("the list of experiments"))
    listed = [path.stem for path in ProjectPaths(asset("sample")).experiments()]
    for _number in range(listed.index(name) + 1):
        tour.key("Down")
    tour.key("Enter")
    tour.until_context("experiment.name", name)
