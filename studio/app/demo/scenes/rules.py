"""Scenes of the Rules workspace: two rules made by hand, proved on what was recorded a moment before."""

from __future__ import annotations

from typing import Any

from collector.model.i18n import _
from studio.app.demo.phone_hand import PhoneHand
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour

_ON_RESULTS = 9
"""Step of the golden trajectory on which the found posters are seen."""


def success(tour: Tour) -> None:
    """A success rule the trajectory itself proposes: true at its end and nowhere before."""
    show_workspace(tour, "rules")
    tour.until_context("rules.recorded")
    tour.command("rules.propose")
    _until_menu(tour)
    tour.shoot("rules-proposed")
    tour.key("Down")
    tour.key("Enter")
    tour.until_context("rule.selected")
    tour.control(_("Success rules"))
    tour.shoot("rules-success")


def injection(tour: Tour) -> None:
    """An injection rule from one click on the screen it is meant for."""
    tour.command("rules.new")
    _until_menu(tour)
    tour.key("Down")
    tour.key("Enter")
    tour.control(_("Injection rules"))
    for _number in range(_ON_RESULTS - 1):
        tour.command("rules.next-state")
    phone = PhoneHand(tour)
    spot = phone.node(id="chip_sort")["at"]
    tour.hands.click((spot[0], spot[1]))
    tour.until(lambda state: state["popup"], _("the menu of conditions"))
    tour.shoot("rules-menu")
    tour.key("Enter")
    tour.until(lambda state: not state["popup"], _("the menu closed"))
    tour.control(_("fires"))
    in_both_themes(tour, "rules")
    show_workspace(tour, "record")


def made(tour: Tour) -> None:
    """What was made is there again, in another language and at another size."""
    show_workspace(tour, "rules")
    tour.until_context("rule.selected")
    tour.until_context("rules.recorded")
    tour.shoot("rules")
    matrix: dict[str, Any] = tour.control(_("Back-test matrix"))
    left, top, _width, _height = matrix["place"]
    tour.hands.click((left + round(258 * tour.scale), top + round(33 * tour.scale)))
    tour.shoot("rules-cell")


def _until_menu(tour: Tour) -> None:
    tour.until(lambda state: state["popup"], _("an open menu"))


def rehearsal(tour: Tour) -> None:
    """The injection rule on the live phone, as a dry run: where it would fire, and because of what."""
    show_workspace(tour, "rules")
    tour.command("rules.rehearse")
    tour.control(_("Stop"), "Button")
    tour.click_part(", ".join((_("Interact"), _("Inspect"))), 0.25)
    tour.program.wait("screen", lambda screen: screen["mode"] == "interact", _("Interact"), 20.0)
    phone = PhoneHand(tour)
    phone.back()
    phone.node(id="chip_sort")
    tour.control(_("Go there"), "Button")
    in_both_themes(tour, "rules-rehearsal")
    tour.command("rules.rehearse")
    show_workspace(tour, "record")
