"""Composition root: build settings, services, window and controllers, and close them in reverse.

The window is built first, so that it paints at once; :meth:`Studio.load` imports and builds everything else.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QMessageBox
from shiboken6 import delete

from collector.host.user_folders import log_folder
from collector.model.errors import UserError
from collector.model.i18n import _
from studio.app.main_window.window import MainWindow
from studio.app.main_window.window_state import WindowState
from studio.app.single_instance import WindowRequest
from studio.app.window_renewal import WindowRenewal
from studio.bridge import Job, JobRunner
from studio.bridge.garbage_collector import GarbageCollector
from studio.bridge.jobs import JobQueue
from studio.bridge.memory_release import MemoryRelease
from studio.commands.commander import Commander
from studio.commands.registry import Registry
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from studio.settings import Settings
from studio.theme import theme
from studio.theme.reduced_motion import system_allows_motion

if TYPE_CHECKING:
    from studio.app.crash_report_controller import CrashReportController
    from studio.app.licences_controller import LicencesController
    from studio.app.person_controller import PersonController
    from studio.app.phone_controller import PhoneController
    from studio.app.project_controller import ProjectController
    from studio.app.update_notice import UpdateNotice
    from studio.views.services import AppServices

_log = logging.getLogger(__name__)
# Loading adb's libraries holds the interpreter lock, even on a thread: the window paints first.
_AFTER_PAINT_MS = 200
# These settings are read when a phone is opened: it is opened again, unless it is being recorded.
_SESSION_SETTINGS = ("device.frame-source", "device.tree-source", "device.scrcpy-server")


class Studio(QObject):
    """The application: owns settings, commands, jobs, the open project, phones and the window."""

    closing = Signal()
    """The window begins to close, which ends the program."""
    crashes: CrashReportController
    licences: LicencesController
    updates: UpdateNotice
    person: PersonController
    phones: PhoneController
    projects: ProjectController

    def __init__(self, settings: Settings, only: str = "", *, load: bool = True) -> None:
        """``only`` is the id of the single workspace of the window; empty for all workspaces.

        Without ``load`` the window is empty: call :meth:`load` once it has painted.
        """
        super().__init__()
        self._garbage = GarbageCollector(self)
        self._garbage.start()
        self.settings = settings
        self.restarts = False
        """Whether the person asked for a restart."""
        self._system_allows_motion = True
        registry = Registry()
        registry.bind(settings["shortcuts.custom"])
        self.commander = Commander(registry)
        self.tasks = JobRunner(self)
        self._release = MemoryRelease(self.tasks, self)
        self._entries = [entry for entry in AVAILABLE_WORKSPACES if only in ("", entry.id)]
        self.window = self._new_window()
        self.is_loaded = False
        if load:
            self.load()

    def _new_window(self) -> MainWindow:
        window = MainWindow(self.commander, self.settings, self._entries)
        window.closing.connect(self.closing)
        return window

    def load(self) -> None:
        """Build the services, the controllers and the workspaces of the window."""
        with self.commander.batch():
            self._build_services()
            self._own_commands = self.commander.handled
            self._attach_window()
        self._renewal = WindowRenewal(self.settings, self.replace_window, self)
        self._unsubscribe = self.settings.changed.subscribe(self._setting_changed)
        self.is_loaded = True
        self._garbage.freeze()
        if self.settings.problem:
            self.window.toasts.show("warn", self.settings.problem)

    def _build_services(self) -> None:
        self._build_project()
        self._build_phones()
        self._handle_commands()
        self._build_anomalies()
        self._build_reviews()
        self._services = self._app_services()
        self._build_controllers()

    def _build_project(self) -> None:
        from studio.bridge.project_exchange import ProjectExchange
        from studio.bridge.project_findings import ProjectFindings
        from studio.bridge.project_health import ProjectHealth
        from studio.bridge.project_library import ProjectLibrary
        from studio.bridge.review.stored_labels import StoredLabels
        from studio.bridge.review.work_selection import WorkSelection
        from studio.bridge.trajectories.project_trajectories import ProjectTrajectories

        library = self.project_library = ProjectLibrary(self.tasks, self, self.commander.batch)
        # They forget what was of another project before anybody reads them.
        self.selection = WorkSelection(library, self)
        self.findings = ProjectFindings(self.tasks, library, self)
        self.health = ProjectHealth(self.tasks, library, self)
        self.trajectories = ProjectTrajectories(self.tasks, library, self)
        self.stored_labels = StoredLabels(self.tasks, library, self)
        self.exchange = ProjectExchange(self.tasks, library, self)

    def _build_anomalies(self) -> None:
        from studio.app.anomaly_preview import draw_anomaly
        from studio.bridge.anomalies.anomalies import Anomalies
        from studio.bridge.anomalies.solvability import Solvability
        from studio.bridge.previews import AnomalyPreviews

        self.previews = AnomalyPreviews(self.tasks, draw_anomaly, self)
        self.anomalies = Anomalies(self.tasks, self.devices, self.project_library, self.recording, self)
        self.solvability = Solvability(
            self.tasks, self.project_library, self.devices, self.anomalies, self.recording, self
        )

    def _build_reviews(self) -> None:
        from studio.app.person_controller import PersonController
        from studio.bridge.review.state_reviews import StateReviews
        from studio.bridge.rules.rule_documents import RuleDocuments

        settings, library = self.settings, self.project_library
        self.rule_documents = RuleDocuments(self.tasks, self)
        # First of all that follow the settings: others ask who works in the window.
        self.person = PersonController(self.commander, settings, library, self)
        self.state_reviews = StateReviews(self.tasks, library, self.rule_documents, settings, self)

    def _app_services(self) -> AppServices:
        from studio.app.variation_pictures import draw_varied_screen, varied_screens
        from studio.bridge.variations.pictures import VariationPictures
        from studio.views.services import AppServices
        from studio.views.stored_screens import StoredScreenCache

        return AppServices(
            commander=self.commander,
            settings=self.settings,
            tasks=self.tasks,
            project_library=self.project_library,
            selection=self.selection,
            trajectories=self.trajectories,
            stored_labels=self.stored_labels,
            findings=self.findings,
            health=self.health,
            devices=self.devices,
            recording=self.recording,
            previews=self.previews,
            anomalies=self.anomalies,
            solvability=self.solvability,
            rule_documents=self.rule_documents,
            state_reviews=self.state_reviews,
            variation_pictures=VariationPictures(self.tasks, draw_varied_screen, varied_screens, self),
            screens=StoredScreenCache(),
        )

    def _build_phones(self) -> None:
        from studio.bridge.device_ownership import DeviceOwnership
        from studio.bridge.phones.devices import Devices
        from studio.bridge.phones.place_check import PlaceCheck
        from studio.bridge.recording import Recording

        self._use_adb_port()
        self.devices = Devices(self.tasks, self.settings, parent=self)
        self._start_devices = QTimer(self, singleShot=True)
        self._start_devices.timeout.connect(self.devices.start)
        self.recording = Recording(self.tasks, self.settings, self)
        links = self.devices.links
        links.opened.connect(self.recording.link_opened)
        links.closed.connect(self.recording.link_closed)
        self.recording.active_changed.connect(self._keep_recorded_phones)
        self.project_library.edits.keep_used(lambda: self.recording.task_ids)
        self.ownership = DeviceOwnership(self.tasks, self.devices, self.recording, self)
        PlaceCheck(self.tasks, self.devices, self.recording, self)

    @Slot()
    def _keep_recorded_phones(self) -> None:
        """Keep the links of the phones that are recorded, also while another phone is in front."""
        recorded = (recording.serial for recording in self.recording.active)
        self.devices.links.need("recording", recorded)

    def _build_controllers(self) -> None:
        from studio.app.crash_report_controller import CrashReportController
        from studio.app.device_owner_controller import DeviceOwnerController
        from studio.app.guide_controller import GuideController
        from studio.app.guided_tour.facts_watcher import TourFactsWatcher
        from studio.app.guided_tour.tour_controller import GuidedTour
        from studio.app.licences_controller import LicencesController
        from studio.app.phone_controller import PhoneController
        from studio.app.project_controller import ProjectController
        from studio.app.sample_controller import SampleController
        from studio.app.update_notice import UpdateNotice
        from studio.app.window_inspector import WindowInspector
        from studio.app.workspace_help_controller import WorkspaceHelpController
        from studio.bridge.save_status import SaveStatus
        from studio.bridge.trajectories.trajectory_watch import TrajectoryWatch

        settings, library = self.settings, self.project_library
        self.phones = PhoneController(self.commander, settings, self.tasks, self.devices, library, self)
        self.crashes = CrashReportController(self.commander, settings, self.tasks, log_folder(), self)
        self.updates = UpdateNotice(self.commander, settings, self.tasks, self)
        self.licences = LicencesController(self.commander, self.tasks, self)
        self.owners = DeviceOwnerController(self.commander, self.ownership, self)
        self.projects = ProjectController(
            self.commander, settings, self.tasks, library, self.exchange, self.selection, self.devices, self
        )
        self.guide = GuideController(self.commander, self.tasks, self)
        self.workspace_help = WorkspaceHelpController(self.commander, self.guide, self)
        self.samples = SampleController(self.commander, self.tasks, self)
        facts = TourFactsWatcher(self.tasks, settings, library, self.devices, self.recording, self)
        self.tour = GuidedTour(self.commander, settings, facts, self)
        self._observer = WindowInspector(self.commander, self.devices, self.recording, self)
        self._save_status = SaveStatus(self.tasks, library, self)
        TrajectoryWatch(self.tasks, library, self)

    def _attach_window(self, kept: WindowState | None = None) -> None:
        from studio.app.save_indicator import SaveIndicator

        self.window.load(self._services, kept)
        self.phones.attach(self.window)
        for of_help in (self.crashes, self.licences, self.updates):
            of_help.attach(self.window)
        self.owners.attach(self.window)
        self.projects.attach(self.window)
        self.samples.attach(self.window)
        self.guide.attach(self.window)
        self.workspace_help.attach(self.window)
        self.tour.attach(self.window)
        self.person.attach(self.window)
        self._save_indicator = SaveIndicator(self.window.status, self._save_status, self.window)
        self._observer.watch(self.window)

    def replace_window(self, between: Callable[[], None]) -> None:
        """Replace the window by a new one that goes on where it is; ``between`` runs while there is none.

        Phones, project, rule files, recording and jobs are not the window's: they go on meanwhile.
        """
        kept = self.window.hand_over()
        delete(self.window)
        self.commander.forget_handlers(self._own_commands)
        between()
        with self.commander.batch():
            self.window = self._new_window()
            self._attach_window(kept)
        self.window.show()
        self.window.continue_from(kept)
        self.devices.check_computer()  # its sentences are in the language of before
        # What is left of the old window: nobody holds it any more.
        self._garbage.collect_all()

    def show(self) -> None:
        """Put the window on the screen."""
        self.window.show()

    def start(self, project: str = "", *, reopen: bool = True) -> None:
        """Start to follow phones; ``reopen`` the last project unless ``project`` names one."""
        from studio.bridge.qt_types import TYPES_OF_WORKSPACES, make_types

        self._start_devices.start(_AFTER_PAINT_MS)
        self.tasks.run(lambda _job: system_allows_motion(), success=self.motion_known)
        if not project and reopen:
            self.projects.reopen()
        for module, names in TYPES_OF_WORKSPACES.items():
            make_types(module, names)
        self.tasks.run(self._import_workspaces)
        self.crashes.start()
        self.updates.start()

    def _import_workspaces(self, job: Job) -> None:
        """Import what the workspaces need, so that none of them is imported when it first comes to the front.

        Any thread: nothing of Qt is built, and its types are made.
        """
        from studio.app.main_window.workspaces import workspace_class

        for entry in self._entries:
            if not job.cancelled:
                workspace_class(entry)

    def answer(self, request: WindowRequest) -> object:
        """Run a request of a later start or a test; return its result, raise what the command raises."""
        if request.get("raise"):
            self.window.setWindowState(self.window.windowState() & ~self.window.windowState().WindowMinimized)
            self.window.raise_()
            self.window.activateWindow()
            return True
        if "ask" in request:
            return self._observer.answer(str(request["ask"]))
        arguments = request.get("arguments") or {}
        if not isinstance(arguments, dict):
            raise UserError(_("The arguments of a command are an object"))
        return self.commander.run(
            str(request.get("run", "")), **{str(k): str(v) for k, v in arguments.items()}
        )

    @Slot(object)
    def show_uncaught(self, error: Exception) -> None:
        """Show an error that nobody caught, in the window that is there now."""
        self.window.toasts.show_error(error)

    def close_window(self) -> None:
        """Close the window, which ends the program."""
        self.window.close()

    def restart(self) -> None:
        """Close the window and start the program again; refused while a recording runs."""
        if self.recording.active:
            self.window.toasts.show("warn", _("A recording is running"), _("Finish it first"))
            return
        self.restarts = True
        self.window.close()

    def close(self) -> None:
        """Undo injections, release the phones, finish the jobs of the store, save the settings."""
        if self.is_loaded:
            self._save()  # before what may take too long
            self._close_services()
        self.tasks.close()
        if self.is_loaded:
            self._save()
        # After the last job: no other thread allocates any more.
        self._garbage.stop()

    def _close_services(self) -> None:
        self._start_devices.stop()
        self._unsubscribe()
        self.person.close()
        self._renewal.close()
        self.recording.stop_all()
        self.state_reviews.close()
        self.rule_documents.close()
        self.solvability.close()
        self.anomalies.close()
        self.devices.close()
        self.ownership.close()
        self.phones.close()
        self.tour.close()
        self._save_status.close()

    def _handle_commands(self) -> None:
        handle = self.commander.handle
        handle("help.log", self._open_log)
        handle("help.about", self._about)

    # -- settings ----------------------------------------------------------
    def _setting_changed(self, key: str) -> None:
        if key == "appearance.theme":
            theme.use(self.settings[key])
        elif key == "appearance.motion":
            theme.set_motion(self.settings[key] and self._system_allows_motion)
        elif self._renewal.follows(key):
            self._renewal.note_change()
        elif key == "appearance.scale":
            self.window.toasts.show(
                "info",
                _("This holds from the next start"),
                _("This Qt cannot change the scale while it runs; panels and project stay as they are"),
                action=_("Restart now"),
                act=self.restart,
            )
        elif key == "device.adb-port":
            self._use_adb_port()
            self.devices.restart()
        elif key == "device.adb-path":
            self.devices.restart()
        elif key == "device.scrcpy-server":
            self.devices.check_computer()
        if key in _SESSION_SETTINGS and not self.recording.active:
            self.devices.links.renew()
        self.tasks.run(self._save_job, queue=JobQueue.STORE)

    @Slot(object)
    def motion_known(self, allowed: bool) -> None:
        self._system_allows_motion = allowed
        theme.set_motion(self.settings["appearance.motion"] and allowed)

    def _use_adb_port(self) -> None:
        """Set adb's port in the environment, where every adb of this process reads it, once one is chosen."""
        if not self.settings.is_default("device.adb-port"):
            os.environ["ANDROID_ADB_SERVER_PORT"] = str(self.settings["device.adb-port"])

    def _save_job(self, _job: Job) -> None:
        self.settings.save()

    def _save(self) -> None:
        try:
            self.settings.save()
        except OSError:
            _log.exception("the settings could not be saved")

    # -- help --------------------------------------------------------------
    def _open_log(self) -> None:
        from studio.views.desktop_toast import open_or_say

        open_or_say(self.window.services, log_folder())

    def _about(self) -> None:
        box = QMessageBox(self.window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(_("About Waymark Studio"))
        box.setText("Waymark Studio")
        box.setInformativeText(_("For the people who build benchmarks for mobile GUI agents. Apache-2.0."))
        box.setIconPixmap(theme.pixmap("mark", 20, "text", 3.0))
        box.open()
