"""Scenes of the Project workspace."""

from __future__ import annotations

import zipfile
from pathlib import Path

from collector.model.i18n import _
from collector.store.files.layout import ProjectPaths
from studio.app.demo.phone_driver import await_virtual_phone
from studio.app.demo.scenes.window import in_both_themes, show_workspace
from studio.app.demo.tour import Tour

TASK = "shop-14"
_INTERRUPTED = "Find a botanical print"
"""How a task begins that anomalies interrupt; its id names the cell of its check mark, too."""
_ANOMALIES = ("battery_low_double_en", "process_death", "app_crash", "rotation")
_SOLVABILITY_CHECK_S = 180.0
_LOOSE = 7
"""Number of files; one screenshot has no dump, so that the report is not empty."""


def tasks(tour: Tour) -> None:
    """Show the tasks of the sample project."""
    show_workspace(tour, "project")
    tour.control(TASK)
    in_both_themes(tour, "project")


def search(tour: Tour) -> None:
    """Search tasks by words and ``key:value``; a finished pair becomes a chip."""
    tour.command("project.find")
    tour.until(lambda state: state["focus"] == _("Search tasks"), _("the search field"))
    tour.write("app:shop level:medium ")
    tour.control(_("Remove {part}", part="level:medium"))
    tour.screenshot("search")
    tour.key("Esc")
    tour.control("todo-01")


def new_task(tour: Tour) -> None:
    """Add a task in the form; it appears in the table."""
    tour.click(TASK)
    tour.until_context("task.selected")
    tour.command("task.new")
    tour.until(lambda state: state["dialog"], _("the form of a task"))
    tour.click(_("Instruction"))
    tour.write("Find the gift card in the shop and save it for later")
    tour.screenshot("new-task")
    tour.key("Ctrl+Enter")
    tour.until(lambda state: not state["dialog"], _("the form closed"))


def devices(tour: Tour) -> None:
    """Start a virtual phone by the button below the device cards."""
    tour.command("device.start-virtual")
    await_virtual_phone(tour)
    show_workspace(tour, "project")
    tour.screenshot("devices")


def import_folder(tour: Tour) -> None:
    """Import screenshots and dumps, and show the report of what was left out."""
    source = _pictures_and_dumps(tour.screenshots.folder)
    show_workspace(tour, "project")
    tour.command("project.import")
    tour.until(lambda state: state["dialog"], _("the question for a file"))
    tour.write(str(source))
    tour.screenshot("import")
    tour.key("Enter")
    tour.until(lambda state: state["dialog"] == _("Import {name}", name=source.name), _("the question how"))
    tour.control(_("Plain folder of screenshots and dumps"))
    tour.screenshot("import-preview")
    tour.key("Ctrl+Enter")
    tour.until(lambda state: state["dialog"] == _("The import is done"), _("the report"))
    tour.screenshot("import-report")
    tour.close_dialog()


def check(tour: Tour) -> None:
    """Check the project."""
    tour.command("project.check")
    tour.until(lambda state: not state["jobs"], _("the end of the check"))
    in_both_themes(tour, "project-with-trajectories")
    tour.small_screenshot("project-with-trajectories")


def _pictures_and_dumps(folder: Path) -> Path:
    """Make a zip of loose screenshots and dumps from the trajectories of the tour."""
    target = folder / "work" / "from-elsewhere.zip"
    recorded = sorted(ProjectPaths(folder / "project").trajectories_of(TASK).glob("*/states/*"))
    with zipfile.ZipFile(target, "w") as archive:
        for path in recorded[:_LOOSE]:
            kind = "screenshot" if path.suffix == ".png" else "dump"
            archive.write(path, f"gift-card/{kind}_{int(path.stem):02d}{path.suffix}")
    return target


def solvability(tour: Tour) -> None:
    """Replay a golden trajectory under four anomalies and show which of them stop it."""
    show_workspace(tour, "project")
    tour.click(_INTERRUPTED, "Cell")
    tour.until_context("task.selected")
    tour.command("project.solvability")
    tour.until(lambda state: state["dialog"], _("the solvability setup"))
    tour.click(_("{list}: none", list=_("Anomalies")), "Button")
    for anomaly in _ANOMALIES:
        tour.click(_("Filter anomalies"))
        tour.key("Ctrl+A")
        tour.write(anomaly)
        tour.click(anomaly, "TreeItem")
        tour.key("Space")
    tour.click(_("Filter anomalies"))
    tour.key("Ctrl+A")
    tour.key("Del")
    tour.screenshot("solvability-setup")
    tour.click(_("Start"), "Button")
    tour.until_context("solvability.running")
    tour.until_context("solvability.running", value=False, seconds=_SOLVABILITY_CHECK_S)
    tour.click(_("Tasks under anomalies"))
    for _number in _ANOMALIES[1:]:
        tour.key("Right")
    in_both_themes(tour, "solvability")
