"""The ids of a project's rules and anomalies, read behind the window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from collector.store.layout import RULE_FILES, ProjectPaths
from rule_editor.document.project.loading import load_documents


@dataclass(frozen=True)
class RuleName:
    """A rule by its kind and id, or an anomaly of the project's library; ``kind`` is then ``anomaly``."""

    kind: str
    id: str
    description: str = ""


def read_rule_names(folder: Path) -> tuple[RuleName, ...]:
    """Read the rules and anomalies of a project; entries that cannot be read are left out. Any thread."""
    paths = ProjectPaths(folder)
    loaded = load_documents({kind: paths.rule_file(kind) for kind in RULE_FILES}, paths.library)
    names = [
        RuleName(kind, rule.id, rule.description)
        for kind, document in loaded.rules.items()
        for rule in document.rules
    ]
    if loaded.anomalies is not None:
        names += [
            RuleName("anomaly", anomaly.id, anomaly.description)
            for anomaly in loaded.anomalies.library.anomalies
        ]
    return tuple(names)
