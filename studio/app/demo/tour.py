"""What a scene of the tour is made of: find, point, press, type, wait for what follows, take a picture."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from collector.model.i18n import _
from studio.app.demo.album import Album
from studio.app.demo.errors import TourError
from studio.app.demo.hands import LEFT, Hands, Spot
from studio.app.demo.program import Program
from studio.commands.registry import Registry

Found = TypeVar("Found")
PATIENCE_S = 20.0
_TRIES = 3


@dataclass
class Deed:
    """One line of the report: what was done and how long until its effect was seen."""

    what: str
    seconds: float


@dataclass
class Scene:
    """A named part of the tour."""

    name: str
    seconds: float = 0.0
    deeds: list[Deed] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)


class Tour:
    """A pair of hands at one open window. Every method returns when its effect can be seen."""

    def __init__(self, program: Program, hands: Hands, album: Album, language: str, scale: int = 1) -> None:
        self.program, self.hands, self.album = program, hands, album
        self.language, self.scale = language, scale
        self.scenes: list[Scene] = []
        self._registry = Registry()

    # -- scenes ------------------------------------------------------------
    @contextmanager
    def scene(self, name: str) -> Iterator[None]:
        """What is done inside belongs to this part of the report, and so does what goes wrong."""
        started = time.monotonic()
        self.scenes.append(Scene(name))
        try:
            yield
        except TourError as error:
            raise TourError(
                _("The tour stopped at '{scene}': {what}", scene=name, what=str(error))
            ) from error
        finally:
            self.scenes[-1].seconds = round(time.monotonic() - started, 2)

    @contextmanager
    def deed(self, what: str) -> Iterator[None]:
        started = time.monotonic()
        yield
        self.scenes[-1].deeds.append(Deed(what, round(time.monotonic() - started, 2)))

    def shoot(self, name: str) -> None:
        """A picture of the window as it stands."""
        state = self.state()
        look = "-".join([state["theme"], self.language, *([f"{self.scale}x"] if self.scale > 1 else [])])
        self.scenes[-1].pictures.append(self.album.take(self.hands, state["place"], name, look).name)

    # -- seeing ------------------------------------------------------------
    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.program.ask("state")
        return state

    def until(self, met: Callable[[dict[str, Any]], Any], what: str, seconds: float = PATIENCE_S) -> Any:
        """Wait for the window's state to be so."""
        return self.program.wait("state", met, what, seconds)

    def until_context(self, name: str, value: object = True, seconds: float = PATIENCE_S) -> None:
        """Wait for a name of the commands' context."""
        self.until(lambda state: state["context"].get(name, False) == value, f"{name} = {value}", seconds)

    def control(self, name: str, role: str = "", seconds: float = PATIENCE_S) -> dict[str, Any]:
        """An enabled control in sight whose name is, or else begins with, ``name``."""

        def met(controls: list[dict[str, Any]]) -> dict[str, Any] | None:
            usable = [control for control in controls if control["enabled"] and role in ("", control["role"])]
            exact = [one for one in usable if one["name"] == name]
            return next(iter(exact or [one for one in usable if one["name"].startswith(name)]), None)

        found: dict[str, Any] = self.program.wait(
            "controls", met, _("a control named '{name}'", name=name), seconds
        )
        return found

    def screen(self) -> dict[str, Any]:
        screen: dict[str, Any] = self.program.ask("screen")
        return screen

    # -- doing -------------------------------------------------------------
    def attend(self) -> None:
        """See that the keyboard is the program's: without a window manager a closed dialog takes it along."""
        if not self.state()["active"]:
            self.program.raise_window()
            self.until(lambda state: state["active"], _("the window in front"))

    def click(self, name: str, role: str = "", *, button: int = LEFT, times: int = 1) -> None:
        """Click the middle of a control."""
        with self.deed(f"click {name}"):
            self.hands.click(middle(self.control(name, role)["place"]), button, times)

    def click_part(self, name: str, across: float, role: str = "") -> None:
        """Click a control at a share of its width, as one of its tabs."""
        left, top, width, height = self.control(name, role)["place"]
        with self.deed(f"click {name} at {across:.0%}"):
            self.hands.click((left + round(width * across), top + height // 2))

    def key(self, chord: str) -> None:
        """Press a chord."""
        self.attend()
        with self.deed(f"key {chord}"):
            self.hands.key(chord)

    def command(self, command_id: str) -> None:
        """Run a command by its key, or through the palette when it has none."""
        chord = self._registry.shown_keys(command_id)
        if chord:
            self.key(chord)
            return
        self.palette(self.label(command_id))
        self.key("Enter")
        self.until(lambda state: state["focus"] != self.label("view.palette"), "the palette closed")

    def label(self, command_id: str) -> str:
        """What a command is called in the window's language."""
        return self._registry[command_id].label

    def palette(self, words: str) -> None:
        """Open the command palette and type into it."""
        self.key("Ctrl+K")
        self.until(lambda state: state["focus"] == _("Search or run a command"), "the palette")
        for _number in range(_TRIES):
            self.write(words)
            if self._typed() == words:
                return
            # Letters no key writes can come too fast for the window to learn of them.
            self.key("Ctrl+A")

    def _typed(self) -> str:
        """What stands in the field with the keyboard."""
        focused = [
            one for one in self.program.ask("controls") if one["focused"] and one["role"] == "EditableText"
        ]
        return str(focused[-1]["value"]) if focused else ""

    def close_dialog(self) -> None:
        """Esc, until nothing lies over the workspace."""
        self.key("Esc")
        hint = _("Search or run a command")
        self.until(
            lambda state: not state["dialog"] and state["focus"] != hint, _("nothing over the workspace")
        )

    def write(self, text: str) -> None:
        """Type into what has the focus."""
        self.attend()
        with self.deed(f"type {text}"):
            self.hands.write(text)


def middle(place: list[int]) -> Spot:
    """The middle of ``left, top, width, height``."""
    return place[0] + place[2] // 2, place[1] + place[3] // 2
