"""Open the dialogs of the window as a whole, of phones, of projects, and those that ask for trust."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PySide6.QtWidgets import QDialog

from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.trust.command_effects import CommandEffects, command_effects
from collector.anomalies.trust.command_preview import CommandGroup
from collector.consent.transfer import Transfer
from collector.device.apps.installed_app import InstalledApp
from collector.device_check.steps.all_steps import STEPS
from collector.exchange.exchange_reports import ExchangeReport
from collector.model.finding import Finding
from collector.model.geometry import Size
from collector.model.i18n import _
from tests.helpers.every_dialog import TASK, DialogStage, newest_dialog, opens


# -- the window as a whole ---------------------------------------------------------
@opens("WorkspaceHelpDialog")
def _help(stage: DialogStage) -> QDialog:
    return stage.asked("help.workspace")


@opens("GuideWindow")
def _guide(stage: DialogStage) -> QDialog:
    return stage.guide()


@opens("ShortcutSheet")
def _shortcuts(stage: DialogStage) -> QDialog:
    return stage.asked("help.shortcuts")


@opens("ShortcutDialog")
def _shortcut(stage: DialogStage) -> QDialog:
    from studio.widgets.dialogs.shortcut_dialog import ShortcutDialog

    return ShortcutDialog(stage.studio.commander.registry, "record.start", stage.window)


@opens("NotificationDialog")
def _notifications(stage: DialogStage) -> QDialog:
    from studio.widgets.window_frame.notification_dialog import NotificationDialog
    from studio.widgets.window_frame.notification_log import Notification

    words = _("Every episode of {name} has an outcome", name="robustness")
    why = _("Add tasks, agents, conditions or seeds to run more")
    states = ("ok", "info", "warn", "err")
    messages = [Notification(state, words, why, "12:00:00", _("Undo"), lambda: None) for state in states]
    return NotificationDialog(messages, stage.window)


@opens("CrashReportDialog")
def _crashes(stage: DialogStage) -> QDialog:
    from collector.crash_reports.crash_reports import CrashReport
    from studio.views.crash_report_dialog import CrashReportDialog

    text = "error: ValueError: a sentence that says what was wrong with the value that was given\nTraceback"
    names = ("crash-20260412-093000-000000.txt", "crash-20260413-093000-000000.txt")
    return CrashReportDialog([CrashReport(Path(name), text) for name in names], stage.window)


@opens("studio/_about")
def _about(stage: DialogStage) -> QDialog:
    return stage.asked("help.about")


@opens("input_dialogs/_input_dialog")
def _ask_text(stage: DialogStage) -> QDialog:
    from studio.widgets.dialogs.input_dialogs import ask_text

    return ask_text(stage.window, _("Answer"), _("Why, in a sentence"), stage.window.setWindowTitle)


@opens("input_dialogs/ask_number")
def _ask_number(stage: DialogStage) -> QDialog:
    from studio.widgets.dialogs.input_dialogs import ask_number

    return ask_number(stage.window, _("Times"), _("To step"), range(1, 20), 3, stage.window.setFixedWidth)


@opens("popup_menus/ask_for_text")
def _ask_choice(stage: DialogStage) -> QDialog:
    return stage.asked("app.work-as")


# -- phones --------------------------------------------------------------------------
@opens("ConnectDialog")
def _connect(stage: DialogStage) -> QDialog:
    from studio.views.project.connect_dialog import ConnectDialog

    return ConnectDialog(["192.168.0.12:5555"], {"127.0.0.1:5873": "Pixel"}, stage.window)


@opens("PhoneCheckDialog")
def _check(stage: DialogStage) -> QDialog:
    from studio.views.project.phone_check.phone_check_dialog import PhoneCheckDialog

    return PhoneCheckDialog("Pixel 8", STEPS, stage.window)


@opens("CompanionDialog")
def _companion(stage: DialogStage) -> QDialog:
    from collector.model.companion.status import CompanionStatus
    from studio.widgets.inject.companion_dialog import CompanionDialog

    dialog = CompanionDialog("Pixel 8", stage.window)
    dialog.show_status(CompanionStatus("0.9", 1))
    return dialog


@opens("OpenAppDialog")
def _open_app(stage: DialogStage) -> QDialog:
    from studio.views.record.open_app_dialog import OpenAppDialog

    return OpenAppDialog([InstalledApp("com.example.shop", "Shop")], stage.window)


@opens("phone_lost_prompt/_open")
def _lost(stage: DialogStage) -> QDialog:
    from studio.views.record.phones.phone_lost_prompt import PhoneLostPrompt

    real = stage.services.recording
    recording = SimpleNamespace(
        steps=(1, 2), has_lost_phone=True, state_changed=real.state_changed, front_changed=real.front_changed
    )
    services: Any = SimpleNamespace(recording=recording, devices=SimpleNamespace(current=None))
    prompt = PhoneLostPrompt(services, stage.window)
    prompt.show()
    assert prompt.dialog is not None
    return prompt.dialog


# -- projects, tasks and trajectories -------------------------------------------------------
@opens("NewProjectDialog")
def _new_project(stage: DialogStage) -> QDialog:
    from studio.views.project.new_project_dialog import NewProjectDialog

    return NewProjectDialog(stage.project.folder.parent, stage.window, offers_phone=True)


@opens("BuiltInTasksDialog")
def _built_in(stage: DialogStage) -> QDialog:
    from studio.views.task_library.built_in_tasks_dialog import BuiltInTasksDialog

    return BuiltInTasksDialog([], stage.window)


@opens("TaskDialog")
def _task(stage: DialogStage) -> QDialog:
    from studio.views.project.tasks.task_dialog import TaskDialog

    return TaskDialog(
        stage.task, [], stage.window, new=False, states=stage.library.edits.states,
        apps=[InstalledApp("com.example.shop", "Shop")],
    )  # fmt: skip


@opens("TrajectoryListDialog")
def _trajectories(stage: DialogStage) -> QDialog:
    from studio.views.project.trajectory_list_dialog import TrajectoryListDialog

    return TrajectoryListDialog(stage.library, stage.services.trajectories, stage.window)


@opens("_RenameDialog")
def _rename(stage: DialogStage) -> QDialog:
    from studio.views.project.trajectory_change_controller import _RenameDialog

    return _RenameDialog(f"{TASK}-lin", stage.window)


@opens("ExportDialog")
def _export(stage: DialogStage) -> QDialog:
    return stage.asked("project.export")


@opens("ImportDialog")
def _import(stage: DialogStage) -> QDialog:
    from collector.exchange.registry import read_formats
    from studio.bridge.project_exchange import OfferedFormat
    from studio.views.exchange.import_dialog import ImportDialog

    offered = [OfferedFormat(entry, entry.missing, "") for entry in read_formats().values()]
    return ImportDialog(stage.studio.exchange, offered, [stage.project.folder], stage.window)


@opens("ExchangeReportDialog")
def _report(stage: DialogStage) -> QDialog:
    from studio.views.exchange.exchange_report_dialog import ExchangeReportDialog

    why = "A sentence that says at some length why it could not be kept in this format"
    findings = [Finding("code", severity, "What was noticed", why) for severity in ("loss", "note")]
    report = ExchangeReport(
        "1", "2026-04-12T09:30:00", "source.zip", "AITK", ("trajectories/a/one",), tasks=("a",),
        rules=("r",), findings=tuple(findings),
    )  # fmt: skip
    return ExchangeReportDialog(_("The import is done"), [report], stage.window)


@opens("ProgressDialog")
def _progress(stage: DialogStage) -> QDialog:
    from studio.views.exchange.progress_dialog import ProgressDialog

    job = stage.runner.run(lambda job: job.cancel_event.wait(60), title=_("Export"))
    dialog = ProgressDialog(job, stage.window)
    dialog.finished.connect(job.cancel)
    return dialog


@opens("EditPlanDialog")
def _plan(stage: DialogStage) -> QDialog:
    from studio.widgets.thumbnail_cache import ThumbnailCache
    from studio.widgets.trajectory_edits.edit_dialogs import EditPlanDialog

    dialog = EditPlanDialog(_("Trim the trajectory"), _("Trim"), ThumbnailCache(stage.window), stage.window)
    dialog.show_plan(_strips(), [_("Undo brings it back")] * 2)
    return dialog


@opens("InsertDialog")
def _insert(stage: DialogStage) -> QDialog:
    from studio.widgets.thumbnail_cache import ThumbnailCache
    from studio.widgets.trajectory_edits.insert_dialog import InsertDialog

    dialog = InsertDialog(f"{TASK}-sara", 12, ThumbnailCache(stage.window), stage.window)
    dialog.show_plan(_strips(), [_("Undo brings it back")])
    return dialog


@opens("EditHistoryDialog")
def _history(stage: DialogStage) -> QDialog:
    from studio.widgets.tables.act_list import ActEntry
    from studio.widgets.thumbnail_cache import ThumbnailCache
    from studio.widgets.trajectory_edits.edit_dialogs import EditHistoryDialog

    title = _("Edits of {id}", id=f"{TASK}-lin")
    dialog = EditHistoryDialog(title, ThumbnailCache(stage.window), stage.window)
    dialog.show_edits([ActEntry("edit", _("Trim the trajectory"), "12:00")], _("Trim"), "")
    dialog.show_strips(_strips())
    return dialog


def _strips() -> list[Any]:
    from studio.widgets.trajectory_edits.edit_strips import EditStrip, StripStep

    steps = tuple(StripStep(number, f"Tap {number}", None) for number in range(1, 13))
    return [EditStrip(_("Before"), steps), EditStrip(_("After"), steps[:6])]


# -- privacy and trust ---------------------------------------------------------------------
@opens("TrustDialog")
def _trust(stage: DialogStage) -> QDialog:
    from studio.widgets.inject.confirmation_dialogs import TrustDialog

    transfer = Transfer("https://models.example", ("gpu",))
    sent = tuple(CommandEffects(sentence) for sentence in transfer.sentences())
    commands = (command_effects("settings put global wifi_on 0"), command_effects("pm clear com.shop"))
    groups = (CommandGroup("mine", "My own", commands), CommandGroup("spy", "Sends to a host", sent))
    request = TrustRequest(stage.project.folder, None, groups, ("a", "b"), (transfer,))
    return TrustDialog(request, stage.window)


@opens("DangerDialog")
def _danger(stage: DialogStage) -> QDialog:
    from studio.widgets.inject.confirmation_dialogs import DangerDialog

    return DangerDialog(command_effects("pm clear com.example.shop"), stage.window)


@opens("RedactionRulesDialog")
def _redactions(stage: DialogStage) -> QDialog:
    from studio.widgets.redaction.rules_dialog import RedactionRulesDialog, RuleLine
    from studio.widgets.tables.act_list import ActEntry

    dialog = RedactionRulesDialog(stage.window)
    dialog.show_rules([RuleLine("names", "com.example.shop: resource-id='x'", "12")], can_write=True)
    dialog.show_found(_("No trajectory shows what a rule hides"), [ActEntry("redact", "one", "3")])
    return dialog


@opens("rules_controller/_ask_apply")
def _apply(stage: DialogStage) -> QDialog:
    from studio.widgets.redaction.rules_dialog import RedactionRulesDialog

    rules = stage.asked("project.redaction")
    assert isinstance(rules, RedactionRulesDialog)
    rules.apply_asked.emit()
    return newest_dialog()


@opens("HideDialog")
def _hide(stage: DialogStage) -> QDialog:
    from PySide6.QtGui import QImage

    from studio.widgets.redaction.hide_dialog import HideDialog

    image = QImage(360, 720, QImage.Format.Format_RGB32)
    image.fill(0xFF336699)
    title = _("Hide this: step {number}", number=3)
    return HideDialog(title, image, Size(360, 720), None, None, "com.example.shop", [], stage.window)
