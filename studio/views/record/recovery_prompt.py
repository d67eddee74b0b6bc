"""Recordings a crash cut short are offered to be gone on with when their project opens."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _, ngettext
from collector.store.project import Project
from collector.store.recover import needs_recovery
from studio.bridge import Job
from studio.views.services import WindowServices


class RecoveryPrompt(QObject):
    """Looks behind the window; nothing is mended before the person says so."""

    def __init__(self, shell: WindowServices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shell = shell

    def look(self, project: Project | None) -> None:
        """Find trajectories of a project whose writer died."""
        if project is None:
            return

        def work(_job: Job) -> list[Path]:
            return [folder for folder in project.trajectory_folders() if needs_recovery(folder)]

        self._shell.tasks.run(work, success=self._found)

    @Slot(object)
    def _found(self, folders: list[Path]) -> None:
        if not folders:
            return
        newest = max(folders, key=lambda folder: folder.name)
        self._shell.toasts.show(
            "err",  # stays until it is answered
            ngettext("{count} recording was cut short", "{count} recordings were cut short", len(folders)),
            _("Every committed step is kept: {name}", name=f"{newest.parent.name} / {newest.name}"),
            action=_("Go on with it"),
            act=lambda: self._resume(newest),
        )

    def _resume(self, folder: Path) -> None:
        phone = self._shell.devices.current
        if phone is not None and phone.is_live and not phone.busy and not self._shell.recording.is_active:
            self._shell.commander.run("view.record")
            self._shell.recording.resume_existing(folder, phone)
        else:
            self._shell.commander.run("record.open-trajectory", folder=str(folder))
