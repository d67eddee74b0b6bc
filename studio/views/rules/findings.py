"""What is wrong with the rules, found behind the window; and how each rule stands in the list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from collector.rules.backtest import BackTestResult
from collector.rules.diagnostics import Diagnostic, Severity
from collector.rules.lint.static import static
from collector.rules.lint.text import rule_text
from collector.rules.model import INJECTION, Rule
from rule_editor.document.rule_document import RuleDocument
from rule_editor.widgets.rule_list import Entry, RuleState
from studio.bridge.tasks import Job, TaskRunner


class Findings(QObject):
    """``changed`` when there are new diagnostics; they belong to the revision they were made for."""

    changed = Signal()

    def __init__(self, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._number = 0
        self._found: dict[str, tuple[int, tuple[Diagnostic, ...]]] = {}

    def of(self, document: RuleDocument) -> tuple[Diagnostic, ...]:
        """Everything known of the text as it is; what only the linter finds follows a moment later."""
        revision, found = self._found.get(document.path, (-1, ()))
        return found if revision == document.revision else document.diagnostics

    def look(self, documents: Sequence[RuleDocument], semantics: str) -> None:
        """Lint the texts as they are now; the newest request is answered."""
        self._number += 1
        number = self._number
        asked = [(one.path, one.kind, one.revision, one.text) for one in documents]

        def work(job: Job) -> tuple[int, dict[str, tuple[int, tuple[Diagnostic, ...]]]]:
            found = {}
            for path, kind, revision, text in asked:
                if not job.cancelled:
                    read = rule_text(text, path, kind)
                    every = (*read.file.diagnostics, *static(read, semantics))
                    found[path] = (revision, tuple(sorted(every, key=lambda one: one.place)))
            return number, found

        self._runner.run(work, success=self._took)

    def _took(self, answer: tuple[int, dict[str, tuple[int, tuple[Diagnostic, ...]]]]) -> None:
        number, found = answer
        if number == self._number:
            self._found = found
            self.changed.emit()


def entry_of(
    rule: Rule, diagnostics: Sequence[Diagnostic], results: Mapping[tuple[str, str], BackTestResult]
) -> Entry:
    """How a rule stands in the list: the worst that can be said of it, and how often it fires."""
    own = [one for one in diagnostics if one.rule_id == rule.id]
    result = results.get((rule.kind, rule.id))
    fact = str(result.fires) if result is not None else "-"
    worst = next((one.sentence for one in own if one.severity is not Severity.INFO), "")
    return Entry(rule.id, rule.kind, _state(rule, own, result), fact, worst or rule.description)


def _state(rule: Rule, own: Sequence[Diagnostic], result: BackTestResult | None) -> RuleState:
    if any(one.severity is Severity.ERROR for one in own):
        return RuleState.ERROR
    if not rule.conditions.conditions or (rule.kind == INJECTION and not rule.actions):
        return RuleState.DRAFT
    if result is not None and result.states and not result.fires:
        return RuleState.NEVER
    if any(one.severity is Severity.WARNING for one in own) or (result is not None and result.wrong):
        return RuleState.WARNING
    return RuleState.CLEAN


def count_of(diagnostics: Sequence[Diagnostic], rule_id: str) -> tuple[int, int]:
    """Errors and warnings of one rule."""
    own = [one.severity for one in diagnostics if one.rule_id == rule_id]
    return own.count(Severity.ERROR), own.count(Severity.WARNING)
