"""Read the documents of a project from the disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.rules.grammar.model import KINDS
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.rules.rule_document import RuleDocument


@dataclass(frozen=True, slots=True)
class LoadedDocuments:
    """The documents of a project; a file that cannot be edited is a problem and hides no other file."""

    rules: tuple[RuleDocument, ...]
    """By kind: injection rules, success rules, essential states; of one kind in the order given."""
    anomalies: AnomalyDocument | None
    """The anomaly library; empty text when it has no file, None outside a project or with a problem."""
    problems: Mapping[str, DocumentError] = field(default_factory=dict)
    """By path, the files that cannot be edited."""


def load_documents(files: Iterable[tuple[Path, str]], library: Path | None) -> LoadedDocuments:
    """Read rule files, each with its kind, and the anomaly library.

    A file that does not exist is an empty document. The kind of a file without one is read from its text.
    """
    rules: list[RuleDocument] = []
    problems: dict[str, DocumentError] = {}
    for path, kind in files:
        try:
            rules.append(
                RuleDocument.load(path, kind) if path.exists() else RuleDocument("", str(path), kind)
            )
        except DocumentError as error:
            problems[str(path)] = error
    anomalies = None
    if library is not None:
        try:
            anomalies = (
                AnomalyDocument.load(library) if library.exists() else AnomalyDocument("", str(library))
            )
        except DocumentError as error:
            problems[str(library)] = error
    return LoadedDocuments(in_order_of_kind(rules), anomalies, problems)


def in_order_of_kind(documents: Iterable[RuleDocument]) -> tuple[RuleDocument, ...]:
    """Sort documents by kind; those of one kind stay in their order."""
    return tuple(sorted(documents, key=lambda document: KINDS.index(document.kind)))
