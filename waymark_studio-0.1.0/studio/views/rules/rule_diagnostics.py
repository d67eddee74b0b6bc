"""Diagnostics of the open rule files and of the anomaly library, computed off the GUI thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from PySide6.QtCore import QObject, QTimer, Signal

from collector.anomalies.check import check_library, in_order
from collector.anomalies.reader import read_library
from collector.located_yaml.codes import CODES
from collector.located_yaml.diagnostics import Diagnostic, QuickFix, Severity, TextEdit
from collector.located_yaml.line_index import LineIndex
from collector.model.i18n import _, ngettext
from collector.model.task import Task
from collector.rules.grammar.rule_text import rule_text
from collector.rules.lint.indexes import AnomalyIndex, TaskIndex
from collector.rules.lint.recorded_checks import RecordedChecks
from collector.rules.lint.rule_linter import RuleLinter
from collector.rules.lint.suppressions import unsuppressed
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.entries.entry import whole_source
from rule_editor.document.rules.rule_document import RuleDocument
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.rules.rule_backtests import RuleBackTests

_RECORDED_AFTER_MS = 200
"""The pause in typing after which the recordings are used for the check too."""
_MOST_SENTENCES = 8
_SUPPRESSES = "waymark:"
"""Part of each comment that suppresses a diagnostic."""

_ORPHAN_RULE = CODES["orphan-rule"].code
CHOOSE_TASKS = "rules.choose-tasks"

CheckedDocument = RuleDocument | AnomalyDocument


@dataclass(frozen=True, slots=True)
class CommandFix(QuickFix):
    """A fix that a command makes, for the rule ``rule_id``; it has no edits."""

    command: str = ""
    rule_id: str = ""


def with_command_fixes(diagnostic: Diagnostic) -> Diagnostic:
    """The diagnostic with the fixes that a command of the window makes."""
    if diagnostic.code != _ORPHAN_RULE:
        return diagnostic
    fix = CommandFix(_("Choose the tasks that use it..."), (), CHOOSE_TASKS, diagnostic.rule_id)
    return replace(diagnostic, fixes=(*diagnostic.fixes, fix))


@dataclass(frozen=True, slots=True)
class LintRequest:
    """The texts to check, and what they are checked against."""

    number: int
    files: tuple[tuple[str, str, int, str], ...]
    """Path, kind, revision and text."""
    tasks: tuple[Task, ...]
    library: tuple[str, int, str]
    """Path, revision and text."""
    semantics: str

    def lint(self, recorded: RecordedChecks | None) -> LintResult:
        """Check all texts; runs on a worker thread."""
        files = [rule_text(text, path, kind) for path, kind, _revision, text in self.files]
        of_reader = {
            (file.path, found.code, found.place) for file in files for found in file.file.diagnostics
        }
        tasks = TaskIndex.of_tasks(self.tasks) if self.tasks else None
        library_path, library_revision, library_text = self.library
        library = AnomalyIndex.read(library_text, library_path) if library_text else None
        by_path = {path: CheckedText(revision, []) for path, _kind, revision, _text in self.files}
        of_library = check_library(read_library(library_text, library_path))
        by_path[library_path] = CheckedText(library_revision, of_library)
        known = {(diagnostic.code, diagnostic.place) for diagnostic in of_library}
        for diagnostic in RuleLinter(files, tasks, library, recorded, self.semantics).diagnostics():
            path = diagnostic.path
            is_new = path != library_path or (diagnostic.code, diagnostic.place) not in known
            if path in by_path and is_new:
                diagnostic = with_command_fixes(diagnostic)
                by_path[path].diagnostics.append(diagnostic)
                if (path, diagnostic.code, diagnostic.place) not in of_reader:
                    by_path[path].of_linter.append(diagnostic)
        return LintResult(self.number, by_path)


@dataclass(frozen=True, slots=True)
class LintResult:
    """The answer to a :class:`LintRequest`: by path the revision, and its diagnostics in order."""

    number: int
    by_path: dict[str, CheckedText]


@dataclass(slots=True)
class CheckedText:
    """What is known of a text; ``of_linter`` is what its document does not find by itself."""

    revision: int
    diagnostics: list[Diagnostic]
    of_linter: list[Diagnostic] = field(default_factory=list)


class RuleDiagnostics(QObject):
    """Keeps the newest diagnostics of each document, with the revision they belong to."""

    changed = Signal()

    def __init__(self, runner: JobRunner, backtests: RuleBackTests, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(runner.unhandled)
        self._backtests = backtests
        self._request: LintRequest | None = None
        self._number = 0
        self._by_path: dict[str, CheckedText] = {}
        self._pause = QTimer(self, singleShot=True, interval=_RECORDED_AFTER_MS)
        self._pause.timeout.connect(self._lint_with_recordings)
        backtests.linted.connect(self._linted)

    # -- what is known -------------------------------------------------------
    def of(self, document: CheckedDocument) -> Sequence[Diagnostic]:
        """Return the diagnostics of the text as it is now.

        Until it is checked again they are what the document finds by itself, and what the linter found on
        the parts that were not edited since.
        """
        checked = self._by_path.get(document.path)
        if checked is None:
            checked = self._by_path[document.path] = CheckedText(-1, [])
        if checked.revision != document.revision:
            own: Sequence[Diagnostic] = document.diagnostics
            if _SUPPRESSES in document.text:
                own = unsuppressed(own, whole_source(document.text))
            checked.diagnostics = in_order([*own, *checked.of_linter])
            checked.revision = document.revision
        return checked.diagnostics

    def follow(self, document: CheckedDocument, edits: Sequence[TextEdit]) -> None:
        """Move what is known of a document over an edit that was made in it."""
        checked = self._by_path.get(document.path)
        if checked is not None and edits:
            checked.of_linter = list(moved_diagnostics(checked.of_linter, edits, document.text))

    def by_anomaly(self, document: AnomalyDocument | None) -> dict[str, list[Diagnostic]]:
        """Return the diagnostics of a library by the id of the anomaly they are about."""
        by_id: dict[str, list[Diagnostic]] = {}
        if document is not None:
            for diagnostic in self.of(document):
                anomaly_id = diagnostic.rule_id or document.anomaly_at(diagnostic.place.start)
                by_id.setdefault(anomaly_id, []).append(diagnostic)
        return by_id

    # -- checking ------------------------------------------------------------
    def check(
        self,
        documents: Sequence[RuleDocument],
        semantics: str,
        tasks: Sequence[Task],
        library: AnomalyDocument | None,
    ) -> None:
        """Check the texts as they are now; only the newest request is answered.

        With recordings the check waits for a pause in typing: an answer without them would hide for a
        moment what only they can show.
        """
        self._number += 1
        files = tuple(
            (document.path, document.kind, document.revision, document.text) for document in documents
        )
        text = (library.path, library.revision, library.text) if library is not None else ("", 0, "")
        request = self._request = LintRequest(self._number, files, tuple(tasks), text, semantics)

        if self._backtests.corpus is not None and len(self._backtests.corpus):
            self._pause.start()
            return

        def work(_job: Job) -> LintResult:
            return request.lint(None)

        self._answers.ask("lint", work, self._linted)

    def _lint_with_recordings(self) -> None:
        if self._request is not None:
            self._backtests.lint(self._request.lint)

    def _linted(self, result: LintResult) -> None:
        if result.number == self._number:
            self._by_path = result.by_path
            self.changed.emit()


def count_errors_and_warnings(diagnostics: Sequence[Diagnostic]) -> tuple[int, int]:
    """Return the number of errors and of warnings."""
    severities = [diagnostic.severity for diagnostic in diagnostics]
    return severities.count(Severity.ERROR), severities.count(Severity.WARNING)


def count_of_rule(diagnostics: Sequence[Diagnostic], rule_id: str) -> tuple[int, int]:
    """Return the number of errors and of warnings about one rule."""
    return count_errors_and_warnings(
        [diagnostic for diagnostic in diagnostics if diagnostic.rule_id == rule_id]
    )


def worst_sentences(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the worst diagnostics, one a line, each with its file and line."""
    worst = [diagnostic for diagnostic in diagnostics if diagnostic.severity is not Severity.INFO]
    worst.sort(key=lambda diagnostic: diagnostic.severity is not Severity.ERROR)
    lines = [
        f"{PurePath(diagnostic.path).name}:{diagnostic.place.line}  {diagnostic.sentence}"
        for diagnostic in worst[:_MOST_SENTENCES]
    ]
    more = len(worst) - len(lines)
    if more > 0:
        lines.append(ngettext("{count} more", "{count} more", more))
    return "\n".join(lines)


def moved_diagnostics(
    diagnostics: Iterable[Diagnostic], edits: Sequence[TextEdit], text: str
) -> Iterator[Diagnostic]:
    """The diagnostics at their places in ``text``, after ``edits``; none that an edit touches."""
    lines = LineIndex(text)
    for diagnostic in diagnostics:
        span = _moved(diagnostic.place.start, diagnostic.place.end, edits)
        if span is not None:
            fixes = tuple(
                fix for fix in (_moved_fix(fix, edits) for fix in diagnostic.fixes) if fix is not None
            )
            yield replace(diagnostic, place=lines.place(*span), fixes=fixes)


def _moved_fix(fix: QuickFix, edits: Sequence[TextEdit]) -> QuickFix | None:
    """The fix with its edits at their new places; None when one of them changes what was edited."""
    spans = [_moved(edit.start, edit.end, edits) for edit in fix.edits]
    moved = [
        TextEdit(*span, edit.text) for edit, span in zip(fix.edits, spans, strict=True) if span is not None
    ]
    return replace(fix, edits=tuple(moved)) if len(moved) == len(spans) else None


def _moved(start: int, end: int, edits: Sequence[TextEdit]) -> tuple[int, int] | None:
    """Where the characters ``start`` to ``end`` are after ``edits``; None when an edit touches them."""
    by = 0
    for edit in edits:
        if edit.end < start or (edit.end == start and edit.text.endswith("\n")):
            by += len(edit.text) - (edit.end - edit.start)
        elif edit.start <= end:
            return None
    return start + by, end + by
