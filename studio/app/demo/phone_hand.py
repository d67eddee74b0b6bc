"""The tour's finger on the mirrored phone: nodes by what they say, each action seen through to its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from collector.model.i18n import _
from studio.app.demo.hands import LEFT, RIGHT, Spot
from studio.app.demo.tour import PATIENCE_S, Tour, middle

Node = dict[str, Any]
_DRAG_STEPS = 12
_MOST_BACKS = 6


class PhoneHand:
    """Acts through the device view, in Interact mode.

    While a recording runs every action waits until the recorder has the next state whole, as a
    careful annotator waits for the dot; a node is touched only once it is on the screen.
    """

    def __init__(self, tour: Tour) -> None:
        self._tour = tour

    def node(self, text: str = "", *, id: str = "", seconds: float = PATIENCE_S) -> Node:  # noqa: A002
        """The first node with this text or description, or with this short id, that lies on the screen."""

        def met(screen: dict[str, Any]) -> Node | None:
            return next((one for one in screen["nodes"] if _is(one, text, id) and "at" in one), None)

        wanted = _("'{text}' on the phone", text=text or id)
        found: Node = self._tour.program.wait("screen", met, wanted, seconds)
        return found

    def sees(self, text: str = "", *, id: str = "") -> bool:  # noqa: A002
        return any(_is(one, text, id) for one in self._tour.screen()["nodes"])

    def tap(self, text: str = "", *, id: str = "") -> None:  # noqa: A002
        """Tap the middle of a node."""
        spot = tuple(self.node(text, id=id)["at"])
        with self.step(f"tap {text or id}"):
            self._tour.hands.click(spot, LEFT)

    def swipe(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag between two places, given as fractions of the screen."""
        left, top, width, height = self._tour.screen()["place"]
        path: list[Spot] = []
        for step in range(_DRAG_STEPS + 1):
            part = step / _DRAG_STEPS
            across, down = (a + (b - a) * part for a, b in zip(start, end, strict=True))
            path.append((round(left + across * width), round(top + down * height)))
        with self.step("swipe"):
            self._tour.hands.drag(path)

    def back(self) -> None:
        """The right button of the mouse is the phone's BACK."""
        with self.step("back"):
            self._tour.hands.click(middle(self._tour.screen()["place"]), RIGHT)

    def back_until(self, text: str) -> None:
        """BACK until a node is on the screen; raises TourError when it does not come."""
        for _number in range(_MOST_BACKS):
            if self.sees(text):
                return
            self.back()
        self.node(text)

    def write(self, text: str) -> None:
        """Type into the phone's focused field."""
        with self.step(f"type {text}"):
            self._tour.hands.write(text)

    def key(self, chord: str) -> None:
        with self.step(f"key {chord}"):
            self._tour.hands.key(chord)

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Whatever is done inside changes the screen: it is over once the recorder has the next state."""
        before = self._tour.state()["recording"]
        with self._tour.deed(what):
            yield
            if before["phase"] == "recording":

                def met(state: dict[str, Any]) -> bool:
                    return bool(state["recording"]["ready"] > before["ready"])

                self._tour.until(met, _("the state after '{deed}'", deed=what))


def _is(node: Node, text: str, short_id: str) -> bool:
    if short_id:
        return bool(node["id"].endswith(f"/{short_id}"))
    return text in (node["text"], node["description"])
