"""Turn edits of the rule form and its YAML into edits of the rule's document."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from collector.located_yaml.diagnostics import QuickFix
from collector.model.i18n import _
from collector.rules.backtest.threshold_advice import ThresholdAlternative
from collector.rules.grammar.model import Injection
from rule_editor.document.rules.condition_slots import ConditionPath
from rule_editor.widgets.rule_form.condition_paths import walk
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.review.stored_labels import StoredLabels
from studio.bridge.rules.rule_documents import MergeConflicts
from studio.views.rules.anomalies.anomaly_choices import default_anomaly
from studio.views.rules.rule_diagnostics import CommandFix
from studio.views.rules.rule_pane import RulePane
from studio.views.rules.session import RulesSession
from studio.views.rules.task_references import follow_renamed
from studio.widgets.window_frame.toasts import Toasts

_TYPING = "typing"


class RuleEditController(QObject):
    """Changes the selected rule; the session reports what fails."""

    def __init__(
        self,
        session: RulesSession,
        pane: RulePane,
        project_library: ProjectLibrary,
        labels: StoredLabels,
        toasts: Toasts,
        run_command: Callable[..., object],
        parent: QObject,
    ) -> None:
        """``run_command`` runs a command of the window by its id, with its arguments by name."""
        super().__init__(parent)
        self._session, self._project_library, self._labels = session, project_library, labels
        self._toasts, self._run_command = toasts, run_command
        form = pane.form
        form.field_edited.connect(self.set_field)
        form.condition_edited.connect(self.set_condition_field)
        form.condition_removed.connect(self.delete_condition)
        form.condition_moved.connect(self.move_condition)
        form.group_edited.connect(self.set_group_kind)
        form.action_edited.connect(self.set_action_field)
        form.action_removed.connect(self.delete_action)
        form.action_wanted.connect(self.add_action)
        pane.yaml.typed.connect(self.type_text)
        pane.yaml.fix_chosen.connect(self.apply_fix)
        session.documents.conflicted.connect(self._report_conflicts)

    @Slot(str, object)
    def set_field(self, key: str, value: object) -> None:
        """Change a field of the rule; another id renames it."""
        if key == "id":
            self.rename_to(str(value))
        else:
            self._session.edit(lambda document, rule_id: document.set_field(rule_id, key, value))

    @Slot(str)
    def rename_to(self, new_id: str) -> None:
        """Rename the selected rule, in every document and task that names it."""
        session = self._session
        old_id, kind = session.rule_id, session.kind
        if not new_id or new_id == old_id:
            return
        if session.edit(lambda document, rule_id: session.documents.rename(document, rule_id, new_id)):
            session.history.join(follow_renamed(self._project_library, self._labels, kind, old_id, new_id))
            session.select(kind, new_id, session.file)

    @Slot(object, str, object)
    def set_condition_field(self, path: ConditionPath, key: str, value: object) -> None:
        self._session.edit(
            lambda document, rule_id: document.set_condition_field(
                rule_id, path, key, value, merge_key=(rule_id, path, key)
            )
        )

    @Slot(object)
    def delete_condition(self, path: ConditionPath) -> None:
        self._session.edit(lambda document, rule_id: document.delete_condition(rule_id, path))

    @Slot(object, object, int)
    def move_condition(self, path: ConditionPath, parent: ConditionPath, index: int) -> None:
        self._session.edit(lambda document, rule_id: document.move_condition(rule_id, path, parent, index))

    @Slot(object, str)
    def set_group_kind(self, path: ConditionPath, kind: str) -> None:
        self._session.edit(lambda document, rule_id: document.set_group(rule_id, path, kind))

    @Slot(object)
    def apply_advice(self, advice: ThresholdAlternative) -> None:
        """Write the threshold that the explanation of a cell advises."""
        rule = self._session.rule
        for path, condition in walk(rule.conditions) if rule is not None else ():
            if condition == advice.condition:
                self.set_condition_field(path, "match_threshold", advice.threshold)
                return

    @Slot(int, str, object)
    def set_action_field(self, index: int, key: str, value: object) -> None:
        self._session.edit(lambda document, rule_id: document.set_action_field(rule_id, index, key, value))

    @Slot(int)
    def delete_action(self, index: int) -> None:
        self._session.edit(lambda document, rule_id: document.delete_action(rule_id, index))

    @Slot()
    def add_action(self) -> None:
        """Let the rule inject one more anomaly."""
        injection = Injection(interference_id=default_anomaly(self._session.documents.offered))
        self._session.edit(lambda document, rule_id: document.add_action(rule_id, injection))

    @Slot(int, int, str)
    def type_text(self, start: int, end: int, text: str) -> None:
        """Write what was typed into the YAML."""
        self._session.edit(lambda document, _rule_id: document.replace(start, end, text, merge_key=_TYPING))

    @Slot(object)
    def apply_fix(self, fix: QuickFix) -> None:
        """Make a fix: edit the document, or ask the person by a command."""
        if isinstance(fix, CommandFix):
            self._run_command(fix.command, rule=fix.rule_id)
            return
        self._session.edit(lambda document, _rule_id: document.apply_fix(fix))

    @Slot(object)
    def _report_conflicts(self, merge: MergeConflicts) -> None:
        """Say that another program changed the same rules, and offer to take its version."""

        def take_theirs() -> None:
            for conflict in merge.conflicts:
                merge.document.take_theirs(conflict)

        names = ", ".join(conflict.rule_id for conflict in merge.conflicts)
        self._toasts.show(
            "warn", _("{rules} changed on the disk, too", rules=names), _("Your version is kept"),
            action=_("Use theirs"), act=take_theirs,
        )  # fmt: skip
