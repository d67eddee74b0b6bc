"""Scenes of the Project workspace."""

from __future__ import annotations

import zipfile
from pathlib import Path

from collector.model.i18n import _
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour

TASK = "shop-14"
INTERRUPTED = "shop-11"
"""The task whose golden path an anomaly interrupts."""
_SURVEYED = ("battery_low_double_en", "process_death", "app_crash", "rotation")
_SURVEY_S = 180.0
_LOOSE = 7
"""Files, so that one picture has no dump and the report has something to say."""


def tasks(tour: Tour) -> None:
    """The tasks of the sample, with everything that belongs to them."""
    show_workspace(tour, "project")
    tour.control(TASK)
    in_both_themes(tour, "project")


def search(tour: Tour) -> None:
    """Words and ``key:value``; a finished pair becomes a chip."""
    tour.command("project.find")
    tour.until(lambda state: state["focus"] == _("Search tasks"), _("the search field"))
    tour.write("app:shop level:medium ")
    tour.control(_("Remove {part}", part="level:medium"))
    tour.shoot("search")
    tour.key("Esc")
    tour.control("todo-01")


def new_task(tour: Tour) -> None:
    """A task is written in a form; it is in the table at once."""
    tour.click(TASK)
    tour.until_context("task.selected")
    tour.command("task.new")
    tour.until(lambda state: state["dialog"], _("the form of a task"))
    tour.click(_("Instruction"))
    tour.write("Find the gift card in the shop and save it for later")
    tour.shoot("new-task")
    tour.key("Ctrl+Enter")
    tour.until(lambda state: not state["dialog"], _("the form closed"))


def devices(tour: Tour) -> None:
    """A virtual phone from the button below the device cards."""
    tour.command("device.start-virtual")
    tour.until(lambda state: state["phone"]["live"], _("a live phone"))
    show_workspace(tour, "project")
    tour.shoot("devices")


def import_folder(tour: Tour) -> None:
    """Screenshots and dumps from elsewhere, with a report of what could not be kept."""
    source = _pictures_and_dumps(tour.album.folder)
    show_workspace(tour, "project")
    tour.command("project.import")
    tour.until(lambda state: state["dialog"], _("the question for a file"))
    tour.write(str(source))
    tour.shoot("import")
    tour.key("Enter")
    tour.until(lambda state: state["dialog"] == _("The import is done"), _("the report"))
    tour.shoot("import-report")
    tour.close_dialog()


def check(tour: Tour) -> None:
    """Everything the files promise, verified."""
    tour.command("project.check")
    tour.until(lambda state: not state["jobs"], _("the end of the check"))
    in_both_themes(tour, "project-with-trajectories")


def _pictures_and_dumps(folder: Path) -> Path:
    """A zip of loose states as other tools leave them, made of what the tour recorded."""
    target = folder / "work" / "from-elsewhere.zip"
    recorded = sorted((folder / "project" / "trajectories" / TASK).glob("*/states/*"))
    with zipfile.ZipFile(target, "w") as archive:
        for path in recorded[:_LOOSE]:
            kind = "screenshot" if path.suffix == ".png" else "dump"
            archive.write(path, f"gift-card/{kind}_{int(path.stem):02d}{path.suffix}")
    return target


def solvability(tour: Tour) -> None:
    """A golden path replayed under four anomalies: which it bears, and where one stops it."""
    show_workspace(tour, "project")
    tour.click(INTERRUPTED)
    tour.command("project.solvability")
    tour.until(lambda state: state["dialog"], _("the survey's form"))
    tour.click(_("{list}: none", list=_("Anomalies")), "Button")
    for one in _SURVEYED:
        tour.click(_("Filter anomalies"))
        tour.key("Ctrl+A")
        tour.write(one)
        tour.click(one, "TreeItem")
        tour.key("Space")
    tour.click(_("Filter anomalies"))
    tour.key("Ctrl+A")
    tour.key("Del")
    tour.shoot("solvability-setup")
    tour.click(_("Start"), "Button")
    tour.until_context("survey.running")
    tour.until_context("survey.running", value=False, seconds=_SURVEY_S)
    tour.click(_("Tasks under anomalies"))
    for _number in _SURVEYED[1:]:
        tour.key("Right")
    in_both_themes(tour, "solvability")
