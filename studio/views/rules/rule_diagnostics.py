"""What is wrong with the rules, found behind the window; and how each rule stands in the list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from PySide6.QtCore import QObject, QTimer, Signal

from collector.anomalies.check import check_library
from collector.anomalies.reader import read_library
from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.model.i18n import ngettext
from collector.model.task import Task
from collector.rules.backtest.backtest import BackTestResult
from collector.rules.grammar.model import INJECTION, Rule
from collector.rules.lint.indexes import AnomalyIndex, TaskIndex
from collector.rules.lint.recorded_checks import RecordedChecks
from collector.rules.lint.rule_linter import RuleLinter
from collector.rules.lint.rule_text import rule_text
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.widgets.rule_list import RuleListEntry, RuleState
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.rule_backtests import RuleBackTests

_RECORDED_AFTER_MS = 200
"""A pause in typing after which the recordings are asked too."""
_MOST_TOLD = 8


Document = RuleDocument | AnomalyDocument


@dataclass(frozen=True, slots=True)
class LintRequest:
    """The texts to lint as they were, and all they are judged by."""

    number: int
    files: tuple[tuple[str, str, int, str], ...]
    """Path, kind, revision and text."""
    tasks: tuple[Task, ...]
    library: tuple[str, int, str]
    """Path, revision and text."""
    semantics: str

    def lint(self, recorded: RecordedChecks | None) -> LintResult:
        """By path: the revision, and its findings in order. For a worker's thread."""
        files = [rule_text(text, path, kind) for path, kind, _revision, text in self.files]
        tasks = TaskIndex.of_tasks(self.tasks) if self.tasks else None
        library_path, library_revision, library_text = self.library
        library = AnomalyIndex.read(library_text, library_path) if library_text else None
        every = RuleLinter(files, tasks, library, recorded, self.semantics).findings()
        by_path: dict[str, tuple[int, list[Diagnostic]]] = {
            path: (revision, []) for path, _kind, revision, _text in self.files
        }
        own = check_library(read_library(library_text, library_path))
        by_path[library_path] = library_revision, own
        known = {(one.code, one.place) for one in own}
        for one in every:
            if one.path in by_path and (one.path != library_path or (one.code, one.place) not in known):
                by_path[one.path][1].append(one)
        return LintResult(self.number, by_path)


@dataclass(frozen=True, slots=True)
class LintResult:
    """An answer to :class:`LintRequest`."""

    number: int
    by_path: dict[str, tuple[int, list[Diagnostic]]]


class RuleDiagnostics(QObject):
    """``changed`` when there are new diagnostics; they belong to the revision they were made for."""

    changed = Signal()

    def __init__(self, runner: JobRunner, tests: RuleBackTests, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._tests = runner, tests
        self._asked: LintRequest | None = None
        self._number = 0
        self._found: dict[str, tuple[int, list[Diagnostic]]] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_RECORDED_AFTER_MS)
        self._later.timeout.connect(self._ask_recordings)
        tests.linted.connect(self._took)

    def knows(self, document: Document) -> bool:
        """Whether the linter has seen the text as it is."""
        return self._found.get(document.path, (-1, []))[0] == document.revision

    def of(self, document: Document) -> Sequence[Diagnostic]:
        """Everything known of the text as it is; what only the linter finds follows a moment later."""
        revision, found = self._found.get(document.path, (-1, []))
        return found if revision == document.revision else document.diagnostics

    def look(
        self,
        documents: Sequence[RuleDocument],
        semantics: str,
        tasks: Sequence[Task],
        library: AnomalyDocument | None,
    ) -> None:
        """Lint the texts as they are now; the newest request counts.

        Where there are recordings they are asked too, after a pause in typing: an answer without them
        would take away for a moment what only they can tell.
        """
        self._number += 1
        files = tuple(
            (document.path, document.kind, document.revision, document.text) for document in documents
        )
        text = (library.path, library.revision, library.text) if library is not None else ("", 0, "")
        asked = self._asked = LintRequest(self._number, files, tuple(tasks), text, semantics)

        if self._tests.corpus is not None and len(self._tests.corpus):
            self._later.start()
            return

        def work(_job: Job) -> LintResult:
            return asked.lint(None)

        self._runner.run(work, success=self._took)

    def _ask_recordings(self) -> None:
        if self._asked is not None:
            self._tests.lint(self._asked.lint)

    def _took(self, found: LintResult) -> None:
        if found.number == self._number:
            self._found = found.by_path
            self.changed.emit()


def entry_of(
    rule: Rule, diagnostics: Sequence[Diagnostic], results: Mapping[tuple[str, str], BackTestResult]
) -> RuleListEntry:
    """How a rule stands in the list: the worst that can be said of it, and how often it fires."""
    own = [diagnostic for diagnostic in diagnostics if diagnostic.rule_id == rule.id]
    result = results.get((rule.kind, rule.id))
    fact = str(result.fires) if result is not None else "-"
    worst = next((one.sentence for one in own if one.severity is not Severity.INFO), "")
    return RuleListEntry(rule.id, rule.kind, _state(rule, own, result), fact, worst or rule.description)


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
    return tally([diagnostic for diagnostic in diagnostics if diagnostic.rule_id == rule_id])


def tally(diagnostics: Sequence[Diagnostic]) -> tuple[int, int]:
    """How many of them are errors, and how many warnings."""
    found = [diagnostic.severity for diagnostic in diagnostics]
    return found.count(Severity.ERROR), found.count(Severity.WARNING)


def told(diagnostics: Sequence[Diagnostic]) -> str:
    """The worst of them in sentences, each with its file and line."""
    wrong = [diagnostic for diagnostic in diagnostics if diagnostic.severity is not Severity.INFO]
    wrong.sort(key=lambda one: one.severity is not Severity.ERROR)
    lines = [f"{PurePath(one.path).name}:{one.place.line}  {one.sentence}" for one in wrong[:_MOST_TOLD]]
    more = len(wrong) - len(lines)
    if more > 0:
        lines.append(ngettext("{count} more", "{count} more", more))
    return "\n".join(lines)
