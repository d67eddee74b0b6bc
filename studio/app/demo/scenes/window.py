"""Scenes of the window itself: first start, palette, keys, settings, themes."""

from __future__ import annotations

from collector.model.i18n import _
from studio.app.demo.phone_driver import await_virtual_phone
from studio.app.demo.tour import PATIENCE_S, Tour


def in_both_themes(tour: Tour, name: str) -> None:
    """Take a screenshot in each theme, and return to the first theme."""
    tour.screenshot(name)
    switch_theme(tour)
    tour.screenshot(name)
    switch_theme(tour)


def switch_theme(tour: Tour) -> None:
    """Switch the theme through the palette."""
    before = tour.state()["theme"]
    tour.command("view.theme")
    tour.until(lambda state: state["theme"] != before, _("the other theme"))


def show_workspace(tour: Tour, name: str) -> None:
    """Show a workspace by its shortcut."""
    tour.command(f"view.{name}")
    tour.until(lambda state: state["workspace"] == name, _("the workspace '{name}'", name=name))


def first_start(tour: Tour) -> None:
    """Show the start page without project and phone."""
    tour.control(_("Start the virtual phone"))
    in_both_themes(tour, "first-start")


def first_click(tour: Tour) -> None:
    """Click the start button, make a project and a task, and wait for a recording on a running phone."""
    tour.click(_("Start the virtual phone"))
    tour.until(lambda state: state["dialog"] == _("New project"), _("the form of a project"))
    tour.click(_("Folder"), "EditableText")
    tour.fill(str(tour.screenshots.folder / "work" / "my-benchmark"))
    tour.screenshot("new-project")
    tour.click(_("Make project"))
    await_virtual_phone(tour)
    tour.until(lambda state: state["dialog"] == _("New task"), _("the form of a task"))
    tour.write("Open the shop")
    tour.click(_("Add and record"))
    tour.until(lambda state: state["workspace"] == "record", _("the workspace '{name}'", name="record"))
    tour.program.wait("screen", lambda screen: screen["nodes"], _("the phone's tree"), PATIENCE_S)
    tour.screenshot("first-click")


def palette(tour: Tour) -> None:
    """Show the command palette."""
    tour.palette("re" if tour.language == "en" else "录")
    tour.screenshot("palette")
    tour.close_dialog()


def keys(tour: Tour) -> None:
    """Show the shortcut sheet."""
    tour.palette(tour.label("help.shortcuts"))
    tour.key("Enter")
    tour.until(lambda state: state["dialog"], _("the sheet of keys"))
    tour.screenshot("keys")
    tour.close_dialog()


def settings(tour: Tour) -> None:
    """Show the settings page."""
    tour.command("app.settings")
    tour.control(_("Theme"))
    tour.screenshot("settings")
    show_workspace(tour, "project")
