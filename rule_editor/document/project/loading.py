"""Read the documents of a project from the disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from collector.store.layout import RULE_FILES
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.document.text.errors import DocumentError


@dataclass(frozen=True, slots=True)
class LoadedDocuments:
    """The documents of a project; a library that cannot be edited is a ``problem`` and hides no rules."""

    rules: dict[str, RuleDocument]
    """By kind of rule."""
    anomalies: AnomalyDocument | None
    """The anomaly library; empty text when it has no file, None outside a project or with a problem."""
    problem: DocumentError | None = None


def load_documents(paths: Mapping[str, Path], library: Path | None) -> LoadedDocuments:
    """Read rule files by kind, and the anomaly library. A file that does not exist is an empty document.

    The kind of a file whose key is none is read from its text. Raises DocumentError for a rule file that
    cannot be read.
    """
    rules: dict[str, RuleDocument] = {}
    for key, path in paths.items():
        kind = key if key in RULE_FILES else ""
        document = RuleDocument.load(path, kind) if path.exists() else RuleDocument("", str(path), kind)
        rules[document.kind] = document
    if library is None:
        return LoadedDocuments(rules, None)
    try:
        anomalies = AnomalyDocument.load(library) if library.exists() else AnomalyDocument("", str(library))
    except DocumentError as error:
        return LoadedDocuments(rules, None, error)
    return LoadedDocuments(rules, anomalies)
