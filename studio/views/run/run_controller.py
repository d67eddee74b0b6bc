"""Starts, pauses and ends the run of the experiment in hand, and chooses its phones."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.anomalies.anomaly_source import TrustRequest
from collector.model.episode import AGAIN_CHANGED
from collector.model.i18n import _, join_sentences, ngettext
from collector.run.control.requests import PauseRun, ResumeRun, StopRun
from collector.run.experiment import edits
from collector.run.experiment.model import PhoneChoice
from collector.store.trajectory.fingerprint import part_titles
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge.jobs import Job, JobQueue
from studio.bridge.runs.run_attachment import RunnerFailure
from studio.views.conditions.popup_menus import add_heading, open_below
from studio.views.run.compose.dry_run_dialog import DryRunDialog
from studio.views.run.experiment_panel import ExperimentPanel
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.inject.confirmation_dialogs import TrustDialog

_VIRTUAL = (1, 2, 4, 8, 16)
_NOTHING_LEFT = 0
_ASKS = "ask_permissions"
_OF_VIRTUAL = ("size", "density", _ASKS)
"""Keys that stay when other virtual phones are chosen."""


class RunController(QObject):
    """Handles the commands of the menu *Run* that concern the runner as a whole."""

    def __init__(
        self, session: RunSession, panel: ExperimentPanel, services: WindowServices, window: QWidget
    ) -> None:
        super().__init__(window)
        self._session, self._panel, self._services, self._window = session, panel, services, window
        self._again = ""
        """The finished episodes that the run that begins repeats."""
        handle = services.commander.handle
        handle("run.start", self.start)
        handle("run.again-stale", partial(self._begin, AGAIN_CHANGED))
        handle("run.pause-all", self.pause, checked=lambda: session.progress.state == "paused")
        handle("run.stop", self.ask_stop)
        handle("run.dry-run", self.show_plan)
        panel.phones.clicked.connect(self._offer_phones)
        session.runs.start_failed.connect(self._show_failure)
        session.runs.ended.connect(self._show_end)
        session.run_changed.connect(self._end_old_errors)
        for signal in (session.experiment_chosen, session.experiment_changed, session.run_changed):
            signal.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        """Name the commands after what they would do now, and show the phones."""
        session, commander = self._session, self._services.commander
        experiment, progress = session.experiment, session.progress
        is_paused = progress.state == "paused"
        commander.retitle("run.pause-all", _("Go on") if is_paused else "")
        commander.retitle("run.stop", _("Stopping") if session.is_stopping else "")
        commander.retitle("run.start", _("Resume") if progress.finished and progress.left else "")
        is_offline = session.is_offline
        words = _("none needed") if is_offline else ""
        if experiment is not None and not is_offline:
            words = phones_text(experiment.phones)
        self._panel.phones.setText(words)
        may_choose = not session.is_active and not session.is_read_only and not is_offline
        self._panel.phones.setEnabled(may_choose)

    # -- starting --------------------------------------------------------------
    def start(self) -> None:
        """Run what has no outcome yet."""
        loaded = self._session.loaded
        if loaded is not None and loaded.cells and self._session.progress.left == _NOTHING_LEFT:
            self._say_nothing_left(loaded.name)
        else:
            self._begin()

    def _say_nothing_left(self, name: str) -> None:
        title, stale = _("Every episode of {name} has an outcome", name=name), self._session.stale
        if not stale:
            words = _("Add tasks, agents, conditions or seeds to run more")
            self._services.toasts.show("info", title, words)
            return
        words = _("Some are stale: since they were run, {parts} changed", parts=part_titles(stale))
        self._services.toasts.show(
            "warn", title, words,
            action=_("Run them again"), act=partial(self._services.run_command, "run.again-stale"),
        )  # fmt: skip

    def _begin(self, again: str = "") -> None:
        """Start a runner, once everything it would run on this computer and on phones is trusted.

        ``again`` names the finished episodes that are run again, one of ``episode.AGAIN``; empty for none.
        """
        project, loaded = self._services.project_library.project, self._session.loaded
        if project is None or loaded is None or not loaded.can_run:
            return
        self._again = again
        self._session.experiments.save()
        experiment = loaded.experiment

        def work(_job: Job) -> TrustRequest | None:
            from studio.bridge.runs.run_trust import run_trust_request

            return run_trust_request(project, experiment)

        # In the store's queue: what was edited is on the disk before the runner reads it.
        self._services.tasks.run(
            work, success=self._trust_known, failure=self._session.failed.emit, queue=JobQueue.STORE
        )

    def _trust_known(self, request: TrustRequest | None) -> None:
        if request is None:
            self._start()
            return
        dialog = TrustDialog(request, self._window)
        dialog.accepted.connect(partial(self._trust, request))
        dialog.open()

    def _trust(self, request: TrustRequest) -> None:
        job = self._services.project_library.grant(request)
        if job is not None:
            job.succeeded.connect(self._start)

    @Slot()
    def _start(self) -> None:
        hold = self._services.settings["run.hold-ms"]
        holds = hold and not self._session.is_offline  # nothing is done that people would want to see before
        options = ["--hold", str(hold / 1000)] if holds else []
        self._session.runs.start([*options, *(["--again", self._again] if self._again else [])])

    @Slot(object)
    def _show_failure(self, failure: RunnerFailure) -> None:
        if failure.was_attached:
            self._show_gone(failure.experiment, _end_text(failure.exit_code))
            return
        last = failure.words.splitlines()[-1:] or [_end_text(failure.exit_code)]
        self._services.toasts.show(
            "err", _("The runner of {name} ended", name=failure.experiment), last[0],
            action=_("Open its log"), act=partial(self._services.run_command, "run.open-log"),
            cause=_cause(failure.experiment),
        )  # fmt: skip

    def _show_gone(self, name: str, why: str = "") -> None:
        """Say that a runner is gone without a word, until the run is resumed."""
        kept = _("What it stored is kept; Resume goes on where it was")
        self._services.toasts.show(
            "err", _("The runner of {name} is gone", name=name), join_sentences(why, kept),
            action=_("Resume"), act=partial(self._services.run_command, "run.start"), cause=_cause(name),
            for_now=True,
        )  # fmt: skip

    @Slot()
    def _end_old_errors(self) -> None:
        """Close what was said of a runner once another one works on the experiment."""
        if self._session.is_running or self._session.runs.is_starting:
            self._services.toasts.end(_cause(self._session.name))

    @Slot(bool)
    def _show_end(self, is_known: bool) -> None:
        progress, toasts = self._session.progress, self._services.toasts
        if not is_known:
            self._show_gone(self._session.name)
        elif progress.how == "failed":
            name = self._session.name
            toasts.show("err", _("The run of {name} failed", name=name), progress.reason, cause=_cause(name))
        elif progress.how == "stopped":
            toasts.show(
                "info", _("The run of {name} has stopped", name=self._session.name),
                _("{done} of {total} episodes have an outcome; Resume runs the others",
                  done=progress.finished, total=progress.total),
            )  # fmt: skip
        elif progress.how == "finished":
            words = ngettext(
                "{count} episode has no outcome", "{count} episodes have no outcome", progress.left
            )
            toasts.show(
                "warn" if progress.left else "ok",
                _("The run of {name} is finished", name=self._session.name),
                words if progress.left else _("Every episode has an outcome"),
            )

    # -- steering --------------------------------------------------------------
    def pause(self) -> None:
        """Pause all phones, or let all go on."""
        is_paused = self._session.progress.state == "paused"
        self._session.request(ResumeRun() if is_paused else PauseRun())

    def ask_stop(self) -> None:
        """Ask, then end the run."""
        running = self._session.progress.counts["running"]
        sentence = ngettext(
            "{count} episode is running: it ends without an outcome, and is run again when you resume.",
            "{count} episodes are running: they end without an outcome, and are run again when you resume.",
            running,
        )
        dialog = Dialog(
            _("End the run of {name}?", name=self._session.name), _("End the run"), self._window,
            sentence=sentence if running else _("You can resume it at any time."), no=_("Let it go on"),
        )  # fmt: skip
        dialog.accepted.connect(partial(self._session.request, StopRun()))
        dialog.open()

    def show_plan(self) -> None:
        """Show what a run would do: its size, time, cost and problems."""
        loaded = self._session.loaded
        if loaded is None:
            return
        dialog = DryRunDialog(loaded, self._session.progress, self._window)
        dialog.accepted.connect(partial(self._services.run_command, "run.start"))
        dialog.yes.setEnabled(self._services.commander.enabled("run.start") and dialog.can_start)
        dialog.open()

    # -- phones ----------------------------------------------------------------
    @Slot()
    def _offer_phones(self) -> None:
        """Offer virtual phones and those that are connected."""
        experiment = self._session.experiment
        if experiment is None:
            return
        choice, button = experiment.phones, self._panel.phones
        menu = PopupMenu(button)
        add_heading(menu, _("Virtual phones"))
        is_virtual = not choice.serials and not choice.avd
        for count in _VIRTUAL:
            action = menu.addAction(menu_text(_virtual_text(count)))
            action.setCheckable(True)
            action.setChecked(is_virtual and max(1, choice.virtual) == count)
            action.triggered.connect(partial(self._set_phones, {"virtual": count}))
        asking = menu.addAction(_("Apps ask for their permissions"))
        asking.setCheckable(True)
        asking.setChecked(choice.asks_permissions)
        asking.setEnabled(is_virtual)
        asking.triggered.connect(self._set_asking)
        menu.addSeparator()
        add_heading(menu, _("Connected phones"))
        listed = {entry.serial: entry.name for entry in self._services.devices.entries if entry.is_ready}
        for serial in [*listed, *(serial for serial in choice.serials if serial not in listed)]:
            words = listed.get(serial) or _("{serial} (not connected)", serial=serial)
            action = menu.addAction(menu_text(words))
            action.setToolTip(serial)
            action.setCheckable(True)
            action.setChecked(serial in choice.serials)
            action.triggered.connect(partial(self._switch_serial, serial))
        if not listed and not choice.serials:
            error = self._services.devices.server_error
            words = error.what if error is not None else _("No phone is connected")
            menu.addAction(menu_text(words)).setEnabled(False)
        open_below(menu, button)

    def _switch_serial(self, serial: str) -> None:
        experiment = self._session.experiment
        if experiment is None:
            return
        serials = [known for known in experiment.phones.serials if known != serial]
        serials += [] if serial in experiment.phones.serials else [serial]
        self._set_phones({"serials": serials} if serials else {"virtual": 1})

    @Slot(bool)
    def _set_asking(self, is_set: bool) -> None:
        """Say in the file whether apps ask; what it says else of its virtual phones stays."""
        loaded = self._session.loaded
        written = loaded.file.root.plain.get("phones") if loaded else None
        others = dict(written) if isinstance(written, dict) else {}
        others.pop(_ASKS, None)
        value = {**others, _ASKS: True} if is_set else others
        self._session.edit(
            _("choose the phones"), lambda text: edits.set_value(text, "phones", value or {"virtual": 1})
        )

    def _set_phones(self, value: dict[str, object]) -> None:
        written = self._session.loaded.file.root.plain.get("phones") if self._session.loaded else None
        kept = {key: written[key] for key in _OF_VIRTUAL if key in written} if (
            isinstance(written, dict) and "virtual" in value
        ) else {}  # fmt: skip
        self._session.edit(
            _("choose the phones"), lambda text: edits.set_value(text, "phones", {**value, **kept})
        )


def _end_text(exit_code: int) -> str:
    """How a runner ended: with a code, or by a signal, which has a negative one."""
    if exit_code < 0:
        return _("The signal {number} ended it", number=-exit_code)
    return _("It ended with code {code}", code=exit_code)


def _cause(experiment: str) -> str:
    """What errors of a runner are about."""
    return f"runner of {experiment}"


def phones_text(choice: PhoneChoice) -> str:
    """The phones of an experiment in words."""
    if choice.serials:
        return ngettext("{count} connected phone", "{count} connected phones", len(choice.serials))
    if choice.avd:
        return ngettext("{count} emulator", "{count} emulators", choice.count)
    return _virtual_text(max(1, choice.virtual))


def _virtual_text(count: int) -> str:
    return ngettext("{count} virtual phone", "{count} virtual phones", count)
