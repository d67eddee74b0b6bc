"""Scenes of the Metrics workspace: numbers of the sample's finished runs, their plots, the papers' tables."""

from __future__ import annotations

from collector.metrics.views import VIEWS
from collector.model.i18n import _
from studio.app.demo.scenes.window import in_both_themes, show_workspace, switch_theme
from studio.app.demo.tour import Tour

_VIEWS = ("", *VIEWS)
"""The table of numbers and the papers, in the order of their menu."""
_ROWS_DOWN = 6
"""From the first number, which is selected, to a row in which episodes fail."""


def numbers(tour: Tour) -> None:
    """Show the table, then a number with its episodes in both themes and in a small window."""
    open_numbers(tour)
    tour.screenshot("metrics")
    select_number(tour)
    in_both_themes(tour, "metrics-number")
    tour.small_screenshot("metrics-number")
    show_workspace(tour, "project")


def variations(tour: Tour) -> None:
    """Show a line for each agent over variations, and the heat map of two factors, in both themes."""
    open_plots(tour)
    in_both_themes(tour, "metrics-variations")
    _count_all(tour)
    show_workspace(tour, "project")


def papers(tour: Tour) -> None:
    """Show the tables of every paper in both themes."""
    open_numbers(tour)
    _show_papers(tour)
    switch_theme(tour)
    _show_papers(tour)
    switch_theme(tour)
    show_view(tour, "")
    show_workspace(tour, "project")


def reopened(tour: Tour) -> None:
    """Show a number and the tables of every paper again, in another language or at another scale."""
    open_numbers(tour)
    select_number(tour)
    tour.screenshot("metrics-number")
    _show_papers(tour)
    show_view(tour, "")
    show_workspace(tour, "project")


def open_numbers(tour: Tour) -> None:
    """Show the numbers of the finished run."""
    show_workspace(tour, "metrics")
    tour.until_context("metrics.counted")
    tour.control(_("Success with intervals"))


def open_plots(tour: Tour) -> None:
    """Count the episodes of the experiment over variations alone: the heat map comes by itself."""
    open_numbers(tour)
    tour.command("metrics.experiment")
    tour.until(lambda state: state["popup"], _("the list of experiments"))
    # All of them are unticked, and the last one is ticked again.
    for key in ("Down", "Enter", "Up", "Enter", "Esc"):
        tour.key(key)
    tour.until(lambda state: not state["popup"], _("the menu closed"))
    tour.until_context("metrics.narrowed")
    tour.until_context("metrics.counted")
    tour.control(_("Success by two factors"))


def _count_all(tour: Tour) -> None:
    tour.command("metrics.count-all")
    tour.until_context("metrics.narrowed", value=False)
    tour.until_context("metrics.counted")


def select_number(tour: Tour) -> None:
    """Walk to a number whose episodes fail."""
    for _number in range(_ROWS_DOWN):
        tour.key("Down")
    tour.control("SR 0.0 %")


def _show_papers(tour: Tour) -> None:
    for view in VIEWS:
        show_view(tour, view)
        tour.screenshot(f"metrics-{view}")


def show_view(tour: Tour, view: str) -> None:
    """Choose a paper, or the table of numbers, in the menu."""
    tour.command("metrics.view")
    tour.until(lambda state: state["popup"], _("the list of papers"))
    for _number in range(_VIEWS.index(view) + 1):
        tour.key("Down")
    tour.key("Enter")
    tour.until_context("metrics.view", view)
    tour.until_context("metrics.counted")
