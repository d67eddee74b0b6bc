"""Scenes of the Record workspace: a golden trajectory made by hand."""

from __future__ import annotations

from collector.model.i18n import _
from studio.app.demo.hands import RIGHT
from studio.app.demo.phone_hand import PhoneHand
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour

INSTRUCTION = "Sign in, sort posters by price"
"""Beginning of what the golden trajectory is to do: task shop-14 of the sample."""
MESSAGE = "Sorry, 我会晚到十分钟 🙏"


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
    """The mouse picks nodes of the shop."""
    _inspect(tour, "Paris street poster")


def inspect_chat(tour: Tour) -> None:
    """The mouse picks nodes of the messenger."""
    _inspect(tour, MESSAGE)


def _inspect(tour: Tour, text: str) -> None:
    """Hover, the stack under the pointer, search by XPath."""
    tour.command("mirror.toggle-inspect")
    tour.program.wait("screen", lambda screen: screen["mode"] == "inspect", _("Inspect"), 20.0)
    spot = _middle_of(tour, text)
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
    tour.key("Ctrl+A")
    tour.key("Del")
    tour.click_part(", ".join((_("Steps"), _("Tree"), _("Details"))), 0.12)
    tour.command("mirror.toggle-inspect")
    tour.program.wait("screen", lambda screen: screen["mode"] == "interact", _("Interact"), 20.0)


def secure(tour: Tour) -> None:
    """The next task ends at a window that hides its pixels; tree, keys and recording go on."""
    phone = PhoneHand(tour)
    tour.click("Order the last purchase again", "ListItem")
    begin(tour)
    phone.back_until("Account")
    phone.tap("Account")
    phone.tap("Order again")
    phone.tap("Express, tomorrow")
    phone.tap("Check out")
    tour.until(lambda state: state["phone"]["secure"], _("a secure window"))
    tour.click(_("Boxes of all nodes"))
    tour.command("mirror.hud")
    in_both_themes(tour, "recording-secure")
    tour.command("mirror.hud")
    tour.click(_("Boxes of all nodes"))
    for digit in "314159":
        phone.tap(digit)
    tour.until(lambda state: not state["phone"]["secure"], _("the end of the secure window"))
    tour.shoot("recording-paid")


def chat(tour: Tour) -> None:
    """Words of every script, typed into the phone and recorded as one step."""
    phone = PhoneHand(tour)
    tour.click(_("Filter tasks"))
    tour.write("ten minutes")
    tour.click("Tell Ana you will be", "ListItem")
    begin(tour)
    phone.tap("Messenger")
    phone.tap("Ana Duarte")
    phone.tap(id="message")
    phone.write(MESSAGE)
    phone.node(MESSAGE)
    tour.shoot("recording-text")
    phone.tap(id="send")
    in_both_themes(tour, "recording")


def _middle_of(tour: Tour, text: str) -> tuple[int, int]:
    """Where a node of the phone is in the window."""
    x, y = PhoneHand(tour).node(text)["at"]
    return x, y
