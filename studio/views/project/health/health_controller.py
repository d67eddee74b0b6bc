"""Carries out what the list of health offers: goes to places, and applies fixes that can be undone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _, ngettext
from collector.project_health.health_finding import FixKind, HealthFinding, HealthFix
from collector.rules.grammar.model import STATE
from collector.store.files.layout import LIBRARY_FILE, RULES_FOLDER, TRAJECTORIES
from rule_editor.document.rules.rule_document import RuleDocument
from studio.views.project.health.health_panel import HealthPanel
from studio.views.services import WindowServices


class HealthController(QObject):
    """Handles ``project.health``, the links of the panel, and the end of its jobs."""

    def __init__(
        self, services: WindowServices, panel: HealthPanel, show_panel: Callable[[], None],
        show_task: Callable[[str], None], edit_task: Callable[[str], None], list_runs: Callable[[str], None],
        parent: QObject,
    ) -> None:  # fmt: skip
        """``show_panel`` brings the tab to the front; ``list_runs`` lists what a query finds."""
        super().__init__(parent)
        self._services, self._show_panel, self._show_task = services, show_panel, show_task
        self._waiting = ""
        """The state that is made optional as soon as the rules are open."""
        run = services.run_command
        self._fixes: dict[FixKind, Callable[[str], object]] = {
            FixKind.EDIT_TASK: edit_task,
            FixKind.SHOW_RULE: self._show_line,
            FixKind.MAKE_OPTIONAL: self._make_optional,
            FixKind.LIST_RUNS: list_runs,
            FixKind.RECORD_AGAIN: lambda task: run("record.open-task", task=task),
            FixKind.JUDGE_AGAIN: services.health.judge_again,
            FixKind.COMPARE_JUDGES: self._compare_judges,
            FixKind.RECORD_RUNS: lambda _target: services.health.prepare_runs(),
            FixKind.REPLAY: lambda _target: run("project.solvability"),
        }
        services.commander.handle("project.health", self.look)
        panel.asked.connect(self.look)
        panel.list.fix_asked.connect(self._fix)
        panel.list.place_asked.connect(self._open)
        services.health.judged.connect(self._judged)
        services.health.prepared.connect(self._prepared)
        services.rule_documents.opened.connect(self._rules_opened)

    @Slot()
    def look(self) -> None:
        """Tell the health of the project, and show it."""
        self._show_panel()
        self._services.health.look()

    @Slot(object)
    def _fix(self, fix: HealthFix) -> None:
        self._fixes[fix.kind](fix.target)

    @Slot(object)
    def _open(self, found: HealthFinding) -> None:
        where, steps = found.finding.where, found.finding.steps
        if where.startswith(f"{TRAJECTORIES}/"):
            step = str(steps[0]) if steps else ""
            self._services.run_command("review.open", folder=where, step=step)
        elif where.startswith((f"{RULES_FOLDER}/", LIBRARY_FILE)):
            self._show_line(where)
        elif found.task:
            self._show_task(found.task)

    def _show_line(self, place: str) -> None:
        self._services.run_command("view.rules")
        self._services.run_command("rules.show-line", place=place)

    def _compare_judges(self, _judge: str) -> None:
        self._services.run_command("view.states")
        self._services.run_command("states.show-agreement")

    # -- fixes that are applied ----------------------------------------------
    def _make_optional(self, state: str) -> None:
        self._waiting = state
        documents = self._services.rule_documents
        if self._document_of(state) is not None:
            self._rules_opened()
        else:
            project = self._services.project_library.project
            documents.follow_project(project.folder if project is not None else None)

    def _document_of(self, state: str) -> RuleDocument | None:
        for document in self._services.rule_documents.rule_files:
            if document.kind == STATE and any(rule.id == state for rule in document.rules):
                return document
        return None

    @Slot()
    def _rules_opened(self) -> None:
        """Make the state optional that waits for its file; the toast takes it back."""
        state, self._waiting = self._waiting, ""
        document = self._document_of(state) if state else None
        if document is None:
            return
        document.set_field(state, "optional", True)
        history = self._services.rule_documents.history
        self._services.toasts.show(
            "ok", _("The essential state {state} is optional", state=state),
            _("Runs are no longer asked for it"), action=_("Undo"), act=history.undo, for_now=True,
        )  # fmt: skip

    @Slot(int)
    def _judged(self, count: int) -> None:
        what = ngettext("{count} trajectory was judged", "{count} trajectories were judged", count)
        self._services.toasts.show("ok", what, _("By the rules as they are now"))

    @Slot(object)
    def _prepared(self, name: str) -> None:
        toasts = self._services.toasts
        if not name:
            toasts.show("info", _("There is nothing to run"), _("No rule can judge a task of the project"))
            return
        toasts.show(
            "ok", _("The experiment {name} is ready", name=name), _("Choose it in Run, and start it there"),
            action=_("Run"), act=lambda: self._services.run_command("view.run"), for_now=True,
        )  # fmt: skip
