"""Scenes of the Record workspace."""

from __future__ import annotations

from collections.abc import Callable

from collector.model.i18n import _
from studio.app.demo.input_driver import RIGHT
from studio.app.demo.phone_driver import PhoneDriver
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour

INSTRUCTION = "Sign in, sort posters by price"
"""Start of the instruction of task shop-14 of the sample."""
MESSAGE = "Sorry, 我会晚到十分钟 🙏"


def idle(tour: Tour) -> None:
    """Choose a task; the phone is live and nothing is recorded yet."""
    show_workspace(tour, "record")
    tour.click(INSTRUCTION, "ListItem")
    PhoneDriver(tour).node("Shop")
    in_both_themes(tour, "record")


def golden(tour: Tour) -> None:
    """Sign in, sort posters by price, add the cheapest one in stock to the cart."""
    begin(tour)
    buy(tour, tour.screenshot)
    in_both_themes(tour, "recording")
    tour.small_screenshot("recording")


def buy(tour: Tour, look: Callable[[str], None]) -> None:
    """Do the task on the phone; ``look`` is called where there is something to see, with its name."""
    phone = PhoneDriver(tour)
    phone.tap("Shop")
    phone.tap("Sign in")
    phone.tap(id="password")
    phone.write("hunter22")
    look("recording-password")
    phone.tap(id="continue")
    phone.tap("Search products")
    phone.write("poster")
    phone.key("Enter")
    phone.tap(id="chip_sort")
    look("recording-sheet")
    phone.tap("Price: low to high")
    phone.tap(id="chip_filter")
    phone.tap("In stock only")
    phone.tap("Apply")
    phone.tap("Paris street poster")
    phone.tap("Add to cart")


def begin(tour: Tour) -> None:
    """Start recording the chosen task."""
    tour.command("record.start")
    tour.until(lambda state: state["recording"]["phase"] == "recording", _("the recording"))
    tour.until(lambda state: state["focus"] == _("Phone screen"), _("the keyboard on the phone"))


def finish(tour: Tour) -> None:
    """Submit the recording."""
    tour.command("record.finish")
    tour.until(lambda state: not state["recording"]["phase"], _("the recording on the disk"))
    tour.screenshot("finished")


def inspect(tour: Tour) -> None:
    """Inspect nodes of the shop."""
    _inspect(tour, "Paris street poster")


def inspect_chat(tour: Tour) -> None:
    """Inspect nodes of the messenger."""
    _inspect(tour, MESSAGE)


def _inspect(tour: Tour, text: str) -> None:
    """Hover over nodes, walk the stack under the pointer, search by XPath."""
    tour.command("mirror.toggle-inspect")
    tour.program.wait("screen", lambda screen: screen["mode"] == "inspect", _("Inspect"), 20.0)
    pixel = _middle_of(tour, text)
    tour.driver.move(pixel)
    tour.program.wait("screen", lambda screen: screen["hovered"], _("a lit node"), 20.0)
    tour.screenshot("inspect-hover")
    tour.driver.click(pixel, RIGHT)
    tour.until(lambda state: "StackMenu" in state["focus"] or state["focus"], _("the menu of nodes"))
    tour.screenshot("inspect-stack")
    tour.key("Enter")
    tour.program.wait("screen", lambda screen: screen["selected"], _("a selected node"), 20.0)
    tour.screenshot("inspect-selected")
    tour.command("tree.find")
    tour.until(lambda state: state["focus"] == _("Search the tree"), _("the search of the tree"))
    tour.write("//android.widget.ImageButton")
    tour.program.wait("screen", lambda screen: screen["hits"], _("hits"), 20.0)
    in_both_themes(tour, "inspect-search")
    tour.small_screenshot("inspect-search")
    tour.key("Ctrl+A")
    tour.key("Del")
    tour.click_part(", ".join((_("Steps"), _("Tree"), _("Details"))), 0.12)
    tour.command("mirror.toggle-inspect")
    tour.program.wait("screen", lambda screen: screen["mode"] == "interact", _("Interact"), 20.0)


def secure(tour: Tour) -> None:
    """Record a task that ends at a secure window: it hides its pixels, but not its tree."""
    phone = PhoneDriver(tour)
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
    tour.screenshot("recording-paid")


def chat(tour: Tour) -> None:
    """Type text of several scripts into the phone; it is recorded as one step."""
    phone = PhoneDriver(tour)
    tour.click(_("Filter tasks"))
    tour.write("ten minutes")
    tour.click("Tell Ana you will be", "ListItem")
    begin(tour)
    phone.tap("Messenger")
    phone.tap("Ana Duarte")
    phone.tap(id="message")
    phone.write(MESSAGE)
    phone.node(MESSAGE)
    tour.screenshot("recording-text")
    phone.tap(id="send")
    in_both_themes(tour, "recording")


def _middle_of(tour: Tour, text: str) -> tuple[int, int]:
    """Position of a node of the phone on the screen."""
    x, y = PhoneDriver(tour).node(text)["at"]
    return x, y
