"""The main job in ten scenes with a picture each, from recording a task to plots of what agents do."""

from __future__ import annotations

from collector.model.i18n import _
from studio.app.demo.phone_driver import PhoneDriver, await_virtual_phone
from studio.app.demo.scenes import anomaly, metrics, rules, states
from studio.app.demo.scenes import record as recording
from studio.app.demo.scenes import review as reviewing
from studio.app.demo.scenes import run as experiment
from studio.app.demo.scenes.project import TASK
from studio.app.demo.scenes.window import show_workspace
from studio.app.demo.tour import PATIENCE_S, Tour

_DIALOG, _BUTTON = "battery_low_double_en", "Open battery saver"


def record(tour: Tour) -> None:
    """Start a virtual phone and record how a person does a task."""
    show_workspace(tour, "project")
    tour.command("device.start-virtual")
    await_virtual_phone(tour)
    show_workspace(tour, "record")
    tour.click(recording.INSTRUCTION, "ListItem")
    PhoneDriver(tour).node("Shop")
    recording.begin(tour)
    recording.buy(tour, lambda _name: None)
    tour.screenshot("record")


def inject(tour: Tour) -> None:
    """Interrupt the recording by a dialog, answer it, and finish."""
    phone = PhoneDriver(tour)
    anomaly.choose(tour, _DIALOG)
    anomaly.send(phone, tour, _DIALOG)
    phone.node(_BUTTON)
    tour.screenshot("inject")
    phone.tap(_BUTTON)
    tour.until(lambda state: not state["anomalies"], _("the answer to the dialog"))
    phone.back()  # from the page that the answer opened to the end of the task
    phone.node("Add to cart")
    tour.command("record.finish")
    tour.until(lambda state: not state["recording"]["phase"], _("the recording on the disk"))


def judge(tour: Tour) -> None:
    """Show the success rule of the task, tried on every screen of what is recorded."""
    show_workspace(tour, "rules")
    tour.until_context("rules.recorded")
    rules.show_trajectory(tour, TASK)
    tour.click(TASK, "TreeItem")
    tour.until_context("rule.selected")
    tour.program.wait("screen", lambda screen: screen["nodes"], _("a recorded screen"), PATIENCE_S)
    tour.screenshot("judge")


def vary(tour: Tour) -> None:
    """Show the phone before and after a variation."""
    rules.show_variation(tour)
    tour.screenshot("vary")
    tour.command("rules.variations")
    tour.until_context("variations.shown", value=False)


def judges(tour: Tour) -> None:
    """Show what a judge by a model said of windows of screens."""
    states.show_judged_windows(tour)
    tour.screenshot("judges")


def run(tour: Tour) -> None:
    """Let agents try tasks on two phones, and end the run once both are at work."""
    experiment.start(tour)
    tour.screenshot("run")
    experiment.end(tour)


def review(tour: Tour) -> None:
    """Compare a finished run with the golden trajectory, and give a verdict."""
    reviewing.open_run(tour)
    tour.command("review.judge-failure")
    tour.until_context("review.judged")
    tour.screenshot("review")


def measure(tour: Tour) -> None:
    """Show a number of the finished experiment with the episodes behind it."""
    metrics.open_numbers(tour)
    metrics.select_number(tour)
    tour.screenshot("measure")


def studies(tour: Tour) -> None:
    """Show how right judges are against people, and what agents achieve under each."""
    metrics.show_view(tour, "judges")
    tour.screenshot("studies")
    metrics.show_view(tour, "")


def plot(tour: Tour) -> None:
    """Show what agents do under variations: a line for each, and a heat map of two factors."""
    metrics.open_plots(tour)
    tour.screenshot("plot")
