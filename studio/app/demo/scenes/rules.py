"""Scenes of the Rules workspace: the success rule of a task, and a new rule, tried on what is recorded."""

from __future__ import annotations

from typing import Any

from collector.model.i18n import _
from studio.app.demo.phone_driver import PhoneDriver
from studio.app.demo.scenes.project import TASK
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import PATIENCE_S, Tour

_VARIATION, _FIRST_SCREEN = "german", "shop"
"""A variation that changes the first screen of its preview."""
_ON_RESULTS = 9
"""Step of the golden trajectory that shows the posters in the search results."""


def success(tour: Tour) -> None:
    """Show what is proposed for a trajectory, and the success rule of its task: true only at the end."""
    show_workspace(tour, "rules")
    tour.until_context("rules.recorded")
    show_trajectory(tour, TASK)
    tour.command("rules.propose")
    tour.until(lambda state: state["popup"], _("the proposed rules"))
    tour.screenshot("rules-proposed")
    tour.key("Esc")
    tour.until(lambda state: not state["popup"], _("the menu closed"))
    tour.click(TASK, "TreeItem")
    tour.until_context("rule.selected")
    tour.screenshot("rules-success")


def injection(tour: Tour) -> None:
    """Create an injection rule by one click on the recorded screen."""
    tour.command("rules.new")
    _until_menu(tour)
    tour.key("Down")
    tour.key("Enter")
    tour.control(_("Injection rules"))
    _show_step(tour, _ON_RESULTS)
    phone = PhoneDriver(tour)
    pixel = phone.node(id="chip_sort")["at"]
    tour.driver.click((pixel[0], pixel[1]))
    tour.until(lambda state: state["popup"], _("the menu of conditions"))
    tour.screenshot("rules-menu")
    tour.key("Enter")
    tour.until(lambda state: not state["popup"], _("the menu closed"))
    tour.control(_("fires"))
    in_both_themes(tour, "rules")
    tour.small_screenshot("rules")
    show_workspace(tour, "record")


def _show_step(tour: Tour, number: int) -> None:
    """Choose the trajectory again, which shows its first step, and walk to a step."""
    show_trajectory(tour, TASK)
    for _number in range(number - 1):
        tour.command("rules.next-state")


def show_trajectory(tour: Tour, task: str) -> None:
    """Choose the first trajectory of a task in the list of all."""
    tour.command("rules.choose-trajectory")
    tour.until(lambda state: state["focus"] == _("Find a trajectory"), _("the list of trajectories"))
    tour.fill(task)
    tour.key("Enter")
    tour.until(lambda state: not state["popup"], _("the list closed"))


def reopened(tour: Tour) -> None:
    """Show the new rules again, in another language or at another scale."""
    show_workspace(tour, "rules")
    tour.until_context("rule.selected")
    tour.until_context("rules.recorded")
    tour.program.wait("screen", lambda screen: screen["nodes"], _("the phone's tree"), PATIENCE_S)
    tour.screenshot("rules")
    matrix: dict[str, Any] = tour.control(_("Back-test matrix"))
    left, top, _width, _height = matrix["place"]
    tour.driver.click((left + round(258 * tour.scale), top + round(33 * tour.scale)))
    tour.control(_("Go there"), "Button")
    tour.screenshot("rules-cell")


def variations(tour: Tour) -> None:
    """Show the tab Variations, with the phone before and after one of them, in both themes."""
    show_variation(tour)
    in_both_themes(tour, "rules-variations")
    tour.command("rules.variations")
    tour.until_context("variations.shown", value=False)
    show_workspace(tour, "record")


def show_variation(tour: Tour) -> None:
    """Open the tab Variations, choose one, and wait for the pictures."""
    show_workspace(tour, "rules")
    tour.command("rules.variations")
    tour.until_context("variations.shown")
    tour.click(_VARIATION, "ListItem")
    tour.control(f"{_FIRST_SCREEN}: {_('different')}")


def _until_menu(tour: Tour) -> None:
    tour.until(lambda state: state["popup"], _("an open menu"))


def rehearsal(tour: Tour) -> None:
    """Rehearse the injection rule on the live phone as a dry run, and show where it would fire."""
    show_workspace(tour, "rules")
    tour.command("rules.rehearse")
    tour.control(_("Stop"), "Button")
    tour.click_part(", ".join((_("Interact"), _("Inspect"))), 0.25)
    tour.program.wait("screen", lambda screen: screen["mode"] == "interact", _("Interact"), 20.0)
    phone = PhoneDriver(tour)
    phone.back()
    phone.node(id="chip_sort")
    tour.control(_("Go there"), "Button")
    in_both_themes(tour, "rules-rehearsal")
    tour.command("rules.rehearse")
    show_workspace(tour, "record")
