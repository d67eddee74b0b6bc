"""Scenes of anomalies: a recording with an answered dialog and an undone change, and the editor."""

from __future__ import annotations

from collector.model.i18n import _, ngettext
from studio.app.demo.phone_driver import PhoneDriver
from studio.app.demo.scenes.record import begin
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour

_TASKS = {"en": "Find a botanical print under $30", "zh": "搜索“海报”"}
_DIALOGS = {
    "en": ("battery_low_double_en", "Open battery saver"),
    "zh": ("battery_low_double_zh", "打开省电模式"),
}
_CHANGE = "font_scale"


def interrupted(tour: Tour) -> None:
    """Inject a dialog and answer it; inject larger text and undo it."""
    phone, language = PhoneDriver(tour), tour.language[:2]
    dialog, button = _DIALOGS[language]
    show_workspace(tour, "record")
    tour.click(_("Filter tasks"))
    tour.key("Ctrl+A")
    tour.fill(_TASKS[language])
    tour.click(_TASKS[language], "ListItem")
    tour.command("device.home")
    phone.node("Shop")
    begin(tour)
    phone.tap("Shop")
    if not phone.shows("Search products"):
        phone.tap("Home")
    phone.node("Search products")
    _inject(phone, tour, dialog)
    phone.node(button)
    in_both_themes(tour, "interrupted")
    phone.tap(button)
    tour.until(lambda state: not state["anomalies"], _("the answer to the dialog"))
    tour.screenshot("follow-up")
    phone.back()
    phone.node("Search products")
    _inject(phone, tour, _CHANGE)
    phone.tap("Cart")
    tour.click(ngettext("{count} anomaly active", "{count} anomalies active", 1))
    tour.control(_("Undo {id}", id=_CHANGE))
    tour.screenshot("anomaly-active")
    with phone.step(f"undo {_CHANGE}"):
        tour.click(_("Undo {id}", id=_CHANGE))
    tour.until(lambda state: not state["anomalies"], _("the change undone"))
    phone.back()
    phone.node("Search products")
    in_both_themes(tour, "anomaly-undone")


def _inject(phone: PhoneDriver, tour: Tour, anomaly: str) -> None:
    """Search the anomaly in the dialog, wait for its preview, look at it, press Enter."""
    choose(tour, anomaly)
    tour.screenshot("inject")
    send(phone, tour, anomaly)


def choose(tour: Tour, anomaly: str) -> None:
    """Search an anomaly in the dialog and wait for its preview."""
    tour.click(tour.label("record.inject"), "Button")  # the shortcut would go to the phone
    tour.until(lambda state: state["focus"] == _("Search anomalies"), _("the palette of anomalies"))
    tour.fill(anomaly)
    tour.control(_("Inject"), "Button")
    drawing = _("Drawing...")
    tour.program.wait(
        "controls",
        lambda controls: all(control["about"] != drawing for control in controls),
        _("the preview"),
        20.0,
    )


def send(phone: PhoneDriver, tour: Tour, anomaly: str) -> None:
    """Press Enter and wait for the anomaly on the phone."""
    with phone.step(f"inject {anomaly}"):
        tour.key("Enter")
        tour.until(lambda state: state["anomalies"] == [anomaly], _("the anomaly on the phone"))


def editor(tour: Tour) -> None:
    """Create an anomaly from a template; form and YAML stand beside the preview."""
    show_workspace(tour, "rules")
    tour.command("anomaly.new")
    tour.until(lambda state: state["popup"], _("an open menu"))
    tour.screenshot("anomaly-new")
    tour.key("Down")
    tour.key("Enter")
    tour.until_context("anomaly.selected")
    in_both_themes(tour, "anomaly-editor")
    show_workspace(tour, "record")
