"""Offer to resume recordings that a crash cut short, when their project opens."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _, ngettext
from collector.store.files.errors import StoreError
from collector.store.files.layout import STATES
from collector.store.files.part_files import sweep_parts
from collector.store.project.project import Project
from collector.store.project.trajectory_moves import finish_moves
from collector.store.trajectory.reader import read_header
from collector.store.trajectory.recover import needs_recovery, recover_all
from studio.bridge import Job
from studio.views.services import WindowServices
from studio.widgets.window_frame.toasts import Toast


class RecoveryPrompt(QObject):
    """Searches behind the window. No recording changes on the disk before the person accepts the offer."""

    def __init__(self, services: WindowServices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._searched: Project | None = None
        """The project searched last: offers of another are no longer of use."""
        self._toast: Toast | None = None

    def search(self, project: Project | None) -> None:
        """Search a project for recordings whose writer died; a toast offers the newest of them.

        A run whose program died is repaired without a question: nobody can go on with it. Half-written files
        of programs that died are removed.
        """
        self._searched = project
        if self._toast is not None and self._toast in self._services.toasts.shown:
            self._toast.close_toast()
        self._toast = None
        if project is None:
            return

        def work(_job: Job) -> tuple[Project, list[Path]]:
            folders = [folder for folder in project.trajectory_folders() if needs_recovery(folder)]
            runs = [folder for folder in folders if _is_run(folder)]
            if not project.is_read_only:
                finish_moves(project)
                recover_all(runs)
                sweep_parts(project.folder, passed_over=(STATES,))
            return project, [folder for folder in folders if folder not in runs]

        self._services.tasks.run(work, success=self._offer)

    @Slot(object)
    def _offer(self, searched: tuple[Project, list[Path]]) -> None:
        project, folders = searched
        if project is self._searched:
            self._offer_newest(folders)

    def _offer_newest(self, folders: list[Path]) -> None:
        """Offer the newest recording; the others follow, as each phone of the window can go on with one."""
        if not folders:
            return
        newest = max(folders, key=lambda folder: folder.name)
        self._toast = self._services.toasts.show(
            "err",  # stays until it is answered
            ngettext("{count} recording was cut short", "{count} recordings were cut short", len(folders)),
            _("Every committed step is kept: {name}", name=f"{newest.parent.name} / {newest.name}"),
            action=_("Go on with it"),
            act=lambda: self._go_on(newest, [folder for folder in folders if folder != newest]),
        )

    def _go_on(self, folder: Path, others: list[Path]) -> None:
        self._resume(folder)
        self._offer_newest(others)

    def _resume(self, folder: Path) -> None:
        """Record on where the trajectory ends, or show it while no phone is free."""
        phone, recording = self._services.devices.current, self._services.recording
        if phone is not None and phone.is_live and not phone.busy and not recording.is_active:
            self._services.commander.run("view.record")
            recording.resume_existing(folder, phone)
        else:
            self._services.commander.run("record.open-trajectory", folder=str(folder))


def _is_run(folder: Path) -> bool:
    try:
        return read_header(folder).is_run
    except StoreError:
        return False
