"""Drive the mirrored phone of a tour: find nodes by text or id, and wait for the effect of each action."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from collector.model.i18n import _
from studio.app.demo.input_driver import LEFT, RIGHT, Pixel
from studio.app.demo.tour import PATIENCE_S, Tour, middle

Node = dict[str, Any]
_DRAG_STEPS = 12
_START_S = 120.0
"""A first start compiles the modules of the phone, too, on a machine that may do other things."""
_MOST_BACKS = 6


def await_virtual_phone(tour: Tour) -> None:
    """Wait for the virtual phone that is being started: the window lists it, then shows its screen."""
    tour.until(lambda state: state["phones"], _("a virtual phone among the phones"), _START_S)
    tour.until(lambda state: state["phone"]["live"], _("a live phone"), _START_S)


class PhoneDriver:
    """Acts through the device view, in Interact mode.

    An action on a node waits until the node is on the screen. While recording, each action also
    waits until the recorder has captured the next state, as a careful annotator does.
    """

    def __init__(self, tour: Tour) -> None:
        self._tour = tour

    def node(self, text: str = "", *, id: str = "", seconds: float = PATIENCE_S) -> Node:  # noqa: A002
        """Wait for a node on the screen with this text or description, or with this short id."""

        def condition(screen: dict[str, Any]) -> Node | None:
            return next((node for node in screen["nodes"] if _matches(node, text, id) and "at" in node), None)

        description = _("'{text}' on the phone", text=text or id)
        match: Node = self._tour.program.wait("screen", condition, description, seconds)
        return match

    def shows(self, text: str = "", *, id: str = "") -> bool:  # noqa: A002
        """Whether such a node is in the tree now."""
        return any(_matches(node, text, id) for node in self._tour.screen()["nodes"])

    def tap(self, text: str = "", *, id: str = "") -> None:  # noqa: A002
        """Tap the middle of a node."""
        pixel = tuple(self.node(text, id=id)["at"])
        with self.step(f"tap {text or id}"):
            self._tour.driver.click(pixel, LEFT)

    def swipe(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag between two points, given as fractions of the screen."""
        left, top, width, height = self._tour.screen()["place"]
        path: list[Pixel] = []
        for step in range(_DRAG_STEPS + 1):
            share = step / _DRAG_STEPS
            across, down = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            path.append((round(left + across * width), round(top + down * height)))
        with self.step("swipe"):
            self._tour.driver.drag(path)

    def back(self) -> None:
        """Press BACK: the right button of the mouse."""
        with self.step("back"):
            self._tour.driver.click(middle(self._tour.screen()["place"]), RIGHT)

    def back_until(self, text: str) -> None:
        """Press BACK until a node is on the screen. Raises TourError when it does not appear."""
        for _number in range(_MOST_BACKS):
            if self.shows(text):
                return
            self.back()
        self.node(text)

    def write(self, text: str) -> None:
        """Type into the phone's focused field."""
        with self.step(f"type {text}"):
            self._tour.driver.write(text)

    def key(self, chord: str) -> None:
        with self.step(f"key {chord}"):
            self._tour.driver.key(chord)

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Report what happens inside as one action, and wait until the recorder has the next state."""
        before = self._tour.state()["recording"]
        with self._tour.action(what):
            yield
            if before["phase"] == "recording":

                def condition(state: dict[str, Any]) -> bool:
                    return bool(state["recording"]["ready"] > before["ready"])

                self._tour.until(condition, _("the state after '{action}'", action=what))


def _matches(node: Node, text: str, short_id: str) -> bool:
    if short_id:
        return bool(node["id"].endswith(f"/{short_id}"))
    return text in (node["text"], node["description"])
