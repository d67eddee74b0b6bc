"""Scenes of the Record workspace: a golden trajectory made by hand."""

from __future__ import annotations

from collector.model.words import _
from studio.app.demo.hands import RIGHT
from studio.app.demo.phone_hand import PhoneHand
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour, middle

INSTRUCTION = "Sign in, sort posters by price"
"""Beginning of what the golden trajectory is to do: task shop-14 of the sample."""


def idle(tour: Tour) -> None:
    """A task chosen, a phone live, nothing recorded yet."""
    show_workspace(tour, "record")
    tour.click(INSTRUCTION, "ListItem")
    PhoneHand(tour).node("Shop")
    in_both_themes(tour, "record")


def golden(tour: Tour) -> None:
    """Sign in, sort posters by price, add the cheapest one in stock to the cart."""
    phone = PhoneHand(tour)
    begin(tour)
    phone.tap("Shop")
    phone.tap("Sign in")
    phone.tap(id="password")
    phone.write("hunter22")
    tour.shoot("recording-password")
    phone.tap(id="continue")
    phone.tap("Search products")
    phone.write("poster")
    phone.key("Enter")
    phone.tap(id="chip_sort")
    tour.shoot("recording-sheet")
    phone.tap("Price: low to high")
    phone.tap(id="chip_filter")
    phone.tap("In stock only")
    phone.tap("Apply")
    phone.tap("Paris street poster")
    phone.tap("Add to cart")
    in_both_themes(tour, "recording")


def begin(tour: Tour) -> None:
    """Start recording the chosen task."""
    tour.command("record.start")
    tour.until(lambda state: state["recording"]["phase"] == "recording", _("the recording"))
    tour.until(lambda state: state["focus"] == _("Phone screen"), _("the keyboard on the phone"))


def finish(tour: Tour) -> None:
    """Submit; the next task comes."""
    tour.command("record.finish")
    tour.until(lambda state: not state["recording"]["phase"], _("the recording on the disk"))
    tour.shoot("finished")


def inspect(tour: Tour) -> None:
    """The mouse picks nodes: hover, the stack under the pointer, search by XPath."""
    tour.command("mirror.mode")
    tour.program.wait("screen", lambda screen: screen["mode"] == "inspect", _("Inspect"), 20.0)
    spot = middle_of(tour, "Paris street poster")
    tour.hands.move(spot)
    tour.program.wait("screen", lambda screen: screen["hovered"], _("a lit node"), 20.0)
    tour.shoot("inspect-hover")
    tour.hands.click(spot, RIGHT)
    tour.until(lambda state: "StackMenu" in state["focus"] or state["focus"], _("the menu of nodes"))
    tour.shoot("inspect-stack")
    tour.key("Enter")
    tour.program.wait("screen", lambda screen: screen["selected"], _("a selected node"), 20.0)
    tour.shoot("inspect-selected")
    tour.command("tree.find")
    tour.until(lambda state: state["focus"] == _("Search the tree"), _("the search of the tree"))
    tour.write("//android.widget.ImageButton")
    tour.program.wait("screen", lambda screen: screen["hits"], _("hits"), 20.0)
    in_both_themes(tour, "inspect-search")
    tour.command("mirror.mode")


def middle_of(tour: Tour, text: str) -> tuple[int, int]:
    """Where a node of the phone is in the window."""
    x, y = PhoneHand(tour).node(text)["at"]
    return x, y


def place_of_phone(tour: Tour) -> tuple[int, int]:
    """The middle of the mirrored screen."""
    return middle(tour.screen()["place"])
