"""Scenes of the window itself: first start, palette, keys, settings, themes."""

from __future__ import annotations

from collector.model.i18n import _
from studio.app.demo.tour import Tour


def in_both_themes(tour: Tour, name: str) -> None:
    """A picture in the theme that holds and one in the other, then back."""
    tour.shoot(name)
    switch_theme(tour)
    tour.shoot(name)
    switch_theme(tour)


def switch_theme(tour: Tour) -> None:
    """Dark to light or back, by the palette."""
    before = tour.state()["theme"]
    tour.command("view.theme")
    tour.until(lambda state: state["theme"] != before, _("the other theme"))


def show_workspace(tour: Tour, name: str) -> None:
    """Bring a workspace to the front by its key."""
    tour.command(f"view.{name}")
    tour.until(lambda state: state["workspace"] == name, _("the workspace '{name}'", name=name))


def first_start(tour: Tour) -> None:
    """No project, no phone: one sentence, one button."""
    tour.control(_("Start the virtual phone"))
    in_both_themes(tour, "first-start")


def first_click(tour: Tour) -> None:
    """The one button ends in front of a running phone and a task to record."""
    tour.click(_("Start the virtual phone"))
    tour.until(lambda state: state["workspace"] == "record" and state["phone"]["live"], _("a live phone"))
    tour.program.wait("screen", lambda screen: screen["nodes"], _("the phone's tree"), 20.0)
    tour.shoot("first-click")


def palette(tour: Tour) -> None:
    """Every command by its name."""
    tour.palette("re" if tour.language == "en" else "录")
    tour.shoot("palette")
    tour.close_dialog()


def keys(tour: Tour) -> None:
    """The sheet of keys."""
    tour.palette(tour.label("help.shortcuts"))
    tour.key("Enter")
    tour.until(lambda state: state["dialog"], _("the sheet of keys"))
    tour.shoot("keys")
    tour.close_dialog()


def settings(tour: Tour) -> None:
    """The page that changes how the studio looks and works."""
    tour.command("app.settings")
    tour.control(_("Theme"))
    tour.shoot("settings")
    show_workspace(tour, "project")
