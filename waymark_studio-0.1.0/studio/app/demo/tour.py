"""The steps that scenes are made of: find a control, click, type, wait for the effect, take a screenshot."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from collector.model.i18n import _
from studio.app.demo.errors import TourError
from studio.app.demo.input_driver import LEFT, InputDriver, Pixel
from studio.app.demo.screenshots import Screenshots
from studio.app.demo.studio_process import StudioProcess
from studio.commands.registry import Registry

PATIENCE_S = 20.0
_RETYPE_S = 4.0
"""Time after which a text that did not come out right is typed again."""
SMALL = (1280, 720)
"""The size of a small notebook's screen in logical pixels."""


@dataclass
class TourAction:
    """One action of the report, with the time until its effect was visible."""

    what: str
    seconds: float


@dataclass
class SceneReport:
    """One scene of the report: its time, actions and screenshots."""

    name: str
    seconds: float = 0.0
    actions: list[TourAction] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)


class Tour:
    """Input to one open window. Every method returns once its effect is visible."""

    def __init__(
        self,
        program: StudioProcess,
        driver: InputDriver,
        screenshots: Screenshots,
        language: str,
        scale: int = 1,
    ) -> None:
        self.program, self.driver, self.screenshots = program, driver, screenshots
        self.language, self.scale = language, scale
        self.scenes: list[SceneReport] = []
        self._registry = Registry()

    # -- scenes ------------------------------------------------------------
    @contextmanager
    def scene(self, name: str) -> Iterator[None]:
        """Report the actions inside as one scene; an error inside names the scene."""
        started = time.monotonic()
        self.scenes.append(SceneReport(name))
        try:
            yield
        except TourError as error:
            raise TourError(
                _("The tour stopped at '{scene}': {what}", scene=name, what=str(error))
            ) from error
        finally:
            self.scenes[-1].seconds = round(time.monotonic() - started, 2)

    @contextmanager
    def action(self, what: str) -> Iterator[None]:
        """Report what happens inside as one timed action."""
        started = time.monotonic()
        yield
        self.scenes[-1].actions.append(TourAction(what, round(time.monotonic() - started, 2)))

    def small_screenshot(self, name: str) -> None:
        """Take a screenshot of the same window at 1280 x 720, and give it its size again."""
        size = self.state()["place"][2:]
        self._resize([side * self.scale for side in SMALL])
        try:
            self.screenshot(name, "{}x{}".format(*SMALL))
        finally:
            self._resize(size)

    def _resize(self, size: Sequence[int]) -> None:
        self.driver.resize(*size)
        self.until(lambda state: state["place"][2:] == list(size), _("the window in another size"))

    def screenshot(self, name: str, *more: str) -> None:
        """Take a screenshot of the window; ``more`` is added to the name of the file."""
        state = self.state()
        scale = [f"{self.scale}x"] if self.scale > 1 else []
        variant = "-".join([state["theme"], self.language, *scale, *more])
        self.scenes[-1].pictures.append(
            self.screenshots.take(self.driver, state["place"], name, variant).name
        )

    # -- seeing ------------------------------------------------------------
    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.program.ask("state")
        return state

    def until(
        self, condition: Callable[[dict[str, Any]], Any], what: str, seconds: float = PATIENCE_S
    ) -> Any:
        """Wait until a condition on the state of the window holds, and return its value."""
        return self.program.wait("state", condition, what, seconds)

    def until_context(self, name: str, value: object = True, seconds: float = PATIENCE_S) -> None:
        """Wait for a value in the context of the commands."""
        self.until(lambda state: state["context"].get(name, False) == value, f"{name} = {value}", seconds)

    def control(self, name: str, role: str = "", seconds: float = PATIENCE_S) -> dict[str, Any]:
        """Wait for a visible, enabled control with this name, or with a name that begins so."""

        def condition(controls: list[dict[str, Any]]) -> dict[str, Any] | None:
            usable = [control for control in controls if control["enabled"] and role in ("", control["role"])]
            exact = (control for control in usable if control["name"] == name)
            longer = (control for control in usable if control["name"].startswith(name))
            return next(itertools.chain(exact, longer), None)

        match: dict[str, Any] = self.program.wait(
            "controls", condition, _("a control named '{name}'", name=name), seconds
        )
        return match

    def screen(self) -> dict[str, Any]:
        screen: dict[str, Any] = self.program.ask("screen")
        return screen

    # -- doing -------------------------------------------------------------
    def take_keyboard(self) -> None:
        """Make the window active. Without a window manager no window is active after a dialog closes."""
        if not self.state()["active"]:
            self.program.raise_window()
            self.until(lambda state: state["active"], _("the window in front"))

    def click(self, name: str, role: str = "", *, button: int = LEFT, times: int = 1) -> None:
        """Click the middle of a control."""
        with self.action(f"click {name}"):
            self.driver.click(middle(self.control(name, role)["place"]), button, times)

    def click_part(self, name: str, across: float, role: str = "") -> None:
        """Click a control at a fraction of its width, as one of its tabs."""
        left, top, width, height = self.control(name, role)["place"]
        with self.action(f"click {name} at {across:.0%}"):
            self.driver.click((left + round(width * across), top + height // 2))

    def key(self, chord: str) -> None:
        """Press a chord."""
        self.take_keyboard()
        with self.action(f"key {chord}"):
            self.driver.key(chord)

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
        """Title of a command in the language of the window."""
        return self._registry[command_id].label

    def palette(self, query: str) -> None:
        """Open the command palette and type into it."""
        self.key("Ctrl+K")
        self.until(lambda state: state["focus"] == _("Search or run a command"), "the palette")
        self.fill(query)

    def fill(self, text: str) -> None:
        """Type into the focused field in place of what it holds, and wait until it holds the text.

        A text that comes out wrong is typed again, as a person would. Raises TourError when it stays wrong.
        """

        def is_filled(controls: list[dict[str, Any]]) -> bool:
            focused = [control for control in controls if control["focused"]]
            return any(control["value"] == text for control in focused if control["role"] == "EditableText")

        for patience in (_RETYPE_S, _RETYPE_S, PATIENCE_S):
            self.key("Ctrl+A")
            self.write(text)
            try:
                self.program.wait("controls", is_filled, _("'{text}' in the field", text=text), patience)
            except TourError:
                if patience == PATIENCE_S:
                    raise
            else:
                return

    def close_dialog(self) -> None:
        """Press Esc and wait until no dialog or palette covers the workspace."""
        self.key("Esc")
        hint = _("Search or run a command")
        self.until(
            lambda state: not state["dialog"] and state["focus"] != hint, _("nothing over the workspace")
        )

    def write(self, text: str) -> None:
        """Type into the focused control."""
        self.take_keyboard()
        with self.action(f"type {text}"):
            self.driver.write(text)


def middle(rectangle: list[int]) -> Pixel:
    """The middle of ``left, top, width, height``."""
    left, top, width, height = rectangle
    return left + width // 2, top + height // 2
