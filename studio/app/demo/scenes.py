"""The parts of the tour: one start of the program each, and what is done in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from collector.model.words import _
from studio.app.demo.tour import Tour

Scene = Callable[[Tour], None]


@dataclass(frozen=True)
class Part:
    """One start of the program. ``quick`` parts make the short tour."""

    name: str
    language: str
    theme: str
    scenes: tuple[tuple[str, Scene], ...]
    scale: int = 1
    with_project: bool = True
    quick: bool = False


def in_both_themes(tour: Tour, name: str) -> None:
    """A picture in the theme that holds, then in the other, which stays."""
    tour.shoot(name)
    switch_theme(tour)
    tour.shoot(name)


def switch_theme(tour: Tour) -> None:
    """Dark to light or back, by the palette."""
    before = tour.state()["theme"]
    tour.command("view.theme")
    tour.until(lambda state: state["theme"] != before, _("the other theme"))


def first_start(tour: Tour) -> None:
    """No project, no phone: one sentence, one button."""
    tour.control(_("Start the virtual phone"))
    in_both_themes(tour, "first-start")


def palette(tour: Tour) -> None:
    """Every command by its name."""
    tour.palette("th")
    tour.shoot("palette")
    tour.key("Esc")


def keys(tour: Tour) -> None:
    """The sheet of keys."""
    tour.key("?")
    tour.shoot("keys")
    tour.key("Esc")


def settings(tour: Tour) -> None:
    """The page that changes how the studio looks and works."""
    tour.command("app.settings")
    tour.control(_("Theme"))
    in_both_themes(tour, "settings")
    tour.key("Ctrl+1")
    tour.until(lambda state: state["workspace"] == "project", _("the Project workspace"))


PARTS = (
    Part(
        "first-start",
        "en",
        "dark",
        (("first start", first_start), ("palette", palette), ("keys", keys), ("settings", settings)),
        with_project=False,
        quick=True,
    ),
)
