"""``project.redaction``: the rules of the project, applied to what was recorded, and the audit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _, join_sentences, ngettext
from studio.bridge.trajectories.redactions import Redactions
from studio.bridge.while_alive import while_alive
from studio.views.desktop_toast import open_or_say
from studio.views.services import WindowServices
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.tables.act_list import ActEntry

if TYPE_CHECKING:
    from collector.redaction_rules.audit import AuditResult
    from collector.redaction_rules.project_redaction import ProjectRedactionReport
    from collector.redaction_rules.redaction_rule import RedactionRule
    from studio.widgets.redaction.rules_dialog import RedactionRulesDialog, RuleLine


class RedactionRulesController(QObject):
    """Opens the dialog of the rules, and does what it asks for."""

    def __init__(self, services: WindowServices, window: QWidget) -> None:
        super().__init__(window)
        self._services, self._window = services, window
        self._redactions = Redactions(services.tasks, services.project_library, services.trajectories, self)
        self.dialog: RedactionRulesDialog | None = None
        self._rules: list[RedactionRule] = []
        self._held: dict[str, int] | None = None
        """By rule, the screens on which it hides something; None before they were counted."""
        services.commander.handle("project.redaction", self.open)

    def open(self) -> None:
        """Show the rules, and count the screens on which they hide something."""
        self._redactions.rules(self._show, self._services.toasts.show_error)

    def _show(self, rules: list[RedactionRule]) -> None:
        from studio.widgets.redaction.rules_dialog import RedactionRulesDialog

        self._rules = rules
        if self.dialog is None:
            dialog = self.dialog = RedactionRulesDialog(self._window.window())
            dialog.apply_asked.connect(self._ask_apply)
            dialog.check_asked.connect(self._check)
            dialog.file_asked.connect(self._open_file)
            dialog.remove_asked.connect(self._remove)
            dialog.finished.connect(self._closed)
            dialog.open()
        self._list(None)
        if rules:
            self.dialog.say(_("Counting the screens..."))
            self._redactions.look(self._looked, self._failed)

    def _list(self, held: dict[str, int] | None) -> None:
        self._held = held
        dialog = self.dialog
        if dialog is not None:
            can_write = not self._redactions.project.is_read_only
            dialog.show_rules([_line_of(rule, held) for rule in self._rules], can_write=can_write)

    def _looked(self, report: ProjectRedactionReport) -> None:
        if self.dialog is None:
            return
        self._list(report.held)
        if self.dialog.is_busy:
            return
        count = len(report.trajectories) - len(report.problems)
        if count:
            text = ngettext(
                "{count} trajectory shows what a rule hides",
                "{count} trajectories show what a rule hides",
                count,
            )
        else:
            text = _("No trajectory shows what a rule hides")
        self.dialog.say(text)

    # -- applying --------------------------------------------------------------
    @Slot()
    def _ask_apply(self) -> None:
        """Say first that there is no way back."""
        dialog = self.dialog
        if dialog is None:
            return
        asked = Dialog(
            _("Hide what was recorded before?"), _("Hide it for good"), dialog,
            sentence=_(
                "It is gone from every trajectory, with the undo of earlier edits. Files that git keeps in "
                "its history, and exports made before, still have it."
            ),
        )  # fmt: skip
        asked.accepted.connect(self._apply)
        asked.open()

    @Slot()
    def _apply(self) -> None:
        if self.dialog is not None:
            self.dialog.show_busy(_("Hiding what the rules hide..."))
        self._redactions.apply(self._applied, self._failed)

    def _applied(self, report: ProjectRedactionReport, left: AuditResult) -> None:
        done = len(report.trajectories) - len(report.problems)
        sentence = _("Trajectories changed: {count} of {total}", count=f"{done:,}", total=f"{report.total:,}")
        entries = [
            ActEntry(
                "state-err" if item.problem else "redact", item.name,
                item.problem or ngettext("{count} step", "{count} steps", len(item.steps)),
            )
            for item in report.trajectories
        ]  # fmt: skip
        entries[:0] = _found(left, "state-warn")
        if self.dialog is None:
            self._services.toasts.show("ok", sentence)
            return
        self.dialog.is_busy = False
        self._list(report.held)
        if report.git and report.trajectories:
            sentence = f"{sentence}. " + _(
                "Files as they were before are still in the history of git: {folder}", folder=report.git
            )
        self.dialog.show_found(sentence, entries)

    # -- the audit -------------------------------------------------------------
    @Slot()
    def _check(self) -> None:
        if self.dialog is not None:
            self.dialog.show_busy(_("Searching all files..."))
        self._redactions.check(self._checked, self._failed)

    def _checked(self, result: AuditResult) -> None:
        searched = ngettext("{count} file searched", "{count} files searched", result.files)
        if result.is_clean:
            sentence = _("Nothing that is hidden was found: {searched}", searched=searched)
        else:
            found = ngettext(
                "{count} place shows what is hidden",
                "{count} places show what is hidden",
                len(result.findings),
            )
            sentence = f"{found}: {searched}"
        entries = _found(result, "state-err")
        entries += (
            ActEntry("state-info", _("Not searched: {where}: {why}", where=where, why=why), "")
            for where, why in result.unread
        )
        if self.dialog is None:
            self._services.toasts.show("ok" if result.is_clean else "warn", sentence)
            return
        self.dialog.is_busy = False
        self._list(self._held)
        self.dialog.show_found(sentence, entries)

    # -- the file --------------------------------------------------------------
    @Slot()
    def _open_file(self) -> None:
        open_or_say(self._services, self._redactions.project.paths.redaction)

    @Slot(str)
    def _remove(self, name: str) -> None:
        self._redactions.remove_rule(name, while_alive(self, partial(self._removed, name)), self._failed)

    def _removed(self, name: str, _result: object) -> None:
        self._services.toasts.show("ok", _("{name} hides nothing more", name=name))
        if self.dialog is not None:
            self.open()

    def _failed(self, error: Exception) -> None:
        self._services.toasts.show_error(error)
        if self.dialog is not None:
            self.dialog.is_busy = False
            self._list(self._held)
            self.dialog.show_found(str(error), ())

    @Slot()
    def _closed(self) -> None:
        self.dialog = None


def _line_of(rule: RedactionRule, held: dict[str, int] | None) -> RuleLine:
    from studio.widgets.redaction.rules_dialog import RuleLine

    box = rule.rectangle
    where = [
        _("a rectangle") if box is not None else "",
        rule.selector,
        f"/{rule.pattern}/" if rule.pattern else "",
        rule.detector,
        _("under conditions") if rule.when.conditions else "",
        ", ".join(rule.apps),
        ", ".join(rule.tasks),
    ]
    about = ", ".join(text for text in where if text)
    if held is None:
        return RuleLine(rule.name, about)
    count = held.get(rule.name, 0)
    return RuleLine(rule.name, about, ngettext("{count} screen", "{count} screens", count))


def _found(result: AuditResult, icon: str) -> list[ActEntry]:
    """What an audit found, with what takes it away, and where."""
    return [
        ActEntry(
            icon,
            join_sentences(finding.what, finding.to_do),
            ":".join(filter(None, (finding.where, finding.place))),
        )
        for finding in result.findings
    ]
