"""Scenes of people who agree on essential states: two operators compared, and an audit."""

from __future__ import annotations

from collector.model.i18n import _
from studio.app.demo.scenes.states import choose_task
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour

_COMPARED, _AUDITED = "shop-14", "shop-13"
"""Tasks of the sample: one whose definition is open, one whose states are agreed."""
_OPERATOR, _AUDITOR = "lin", "jo"


def comparison(tour: Tour) -> None:
    """Compare the proposals of two operators, and go to the next difference."""
    _open(tour, _COMPARED)
    tour.until_context("definition.open")
    tour.command("states.next-difference")
    in_both_themes(tour, "states-comparison")
    tour.key("E")
    tour.until(lambda state: state["dialog"], _("the dialog of an agreed state"))
    tour.screenshot("states-edit")
    tour.close_dialog()


def audit(tour: Tour) -> None:
    """Audit agreed states as somebody else, blind; then work under the first name again."""
    work_as(tour, _AUDITOR)
    _open(tour, _AUDITED)
    tour.command("states.audit")
    tour.until_context("audit.startable")
    tour.command("states.start-audit")
    tour.until_context("audit.open")
    in_both_themes(tour, "states-audit")
    tour.small_screenshot("states-audit")
    work_as(tour, _OPERATOR)
    show_workspace(tour, "project")


def reopened(tour: Tour) -> None:
    """Show the comparison and the audit again, in another language or at another scale."""
    _open(tour, _COMPARED)
    tour.until_context("definition.open")
    tour.command("states.next-difference")
    tour.screenshot("states-comparison")
    work_as(tour, _AUDITOR)
    _open(tour, _AUDITED)
    tour.command("states.audit")
    tour.until_context("audit.open")
    tour.screenshot("states-audit")
    work_as(tour, _OPERATOR)
    show_workspace(tour, "project")


def work_as(tour: Tour, name: str) -> None:
    """Work under another name."""
    tour.palette(tour.label("app.work-as"))
    tour.key("Enter")
    tour.until(lambda state: state["dialog"], _("the dialog of names"))
    tour.key("Ctrl+A")
    tour.write(name)
    tour.key("Enter")
    tour.control(name)


def _open(tour: Tour, task: str) -> None:
    """Choose a task in the States workspace, and show the proposals."""
    choose_task(tour, task)
    tour.until_context("states.recorded")
    if not tour.state()["context"].get("states.comparing"):
        tour.command("states.compare")
