"""The ids of a project's rules and anomalies, read behind the window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from collector.store.files.layout import ProjectPaths
from rule_editor.document.project.loading import load_documents

ANOMALY_KIND = "anomaly"
"""The kind of anomalies, beside the kinds of rules."""


def rule_group(kind: str, file: str) -> str:
    """Return the id of the group of the rules in a file."""
    return f"{kind}:{file}"


def kind_of_group(group: str) -> str:
    """Return what a group holds: a kind of rule, or ``ANOMALY_KIND``."""
    return group.partition(":")[0]


def file_of_group(group: str) -> str:
    """Return the path of the rule file that a group holds; empty for a group of anomalies."""
    kind, _colon, file = group.partition(":")
    return file if kind != ANOMALY_KIND else ""


@dataclass(frozen=True)
class RuleName:
    """A rule by its kind and id; or an anomaly of the project's library, with ``ANOMALY_KIND``."""

    kind: str
    id: str
    description: str = ""
    file: str = ""
    """Path of the rule file; empty for an anomaly."""

    @property
    def group(self) -> str:
        """The group of the rules in its file."""
        return rule_group(self.kind, self.file)


def read_rule_names(folder: Path) -> tuple[RuleName, ...]:
    """Read the rules and anomalies of a project; what cannot be read is left out. Any thread."""
    paths = ProjectPaths(folder)
    loaded = load_documents(paths.editable_rule_files(), paths.library)
    names = [
        RuleName(document.kind, rule.id, rule.description, document.path)
        for document in loaded.rules
        for rule in document.rules
    ]
    if loaded.anomalies is not None:
        names += [
            RuleName(ANOMALY_KIND, anomaly.id, anomaly.description)
            for anomaly in loaded.anomalies.library.anomalies
        ]
    return tuple(names)
