"""Report what is wrong with the open rule files to the list of findings, while they are edited."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from collector.model.finding import Finding
from collector.project_check.project_check import finding_of
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.rules.rule_document import RuleDocument
from studio.bridge.project_findings import ProjectFindings
from studio.views.rules.session import RulesSession


class RuleFindings(QObject):
    """Follows the diagnostics of the session. Files outside of the project are not reported."""

    def __init__(self, session: RulesSession, findings: ProjectFindings, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._findings = session, findings
        session.diagnostics.changed.connect(self._report)

    @Slot()
    def _report(self) -> None:
        session, folder = self._session, self._session.folder
        if folder is None or session.files:
            return
        findings: list[Finding | None] = []
        files: list[str] = []
        documents: list[RuleDocument | AnomalyDocument] = [*session.documents.rule_files]
        if session.documents.anomalies is not None:
            documents.append(session.documents.anomalies)
        for document in documents:
            path = Path(document.path)
            if not path.is_relative_to(folder):
                return  # another project is being opened
            name = path.relative_to(folder).as_posix()
            files.append(name)
            findings += [
                finding_of(replace(diagnostic, path=name)) for diagnostic in session.diagnostics.of(document)
            ]
        self._findings.set_of_files(files, [known for known in findings if known is not None])
