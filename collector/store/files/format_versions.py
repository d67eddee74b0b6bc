"""Format versions: a number in every file, and one upgrade function for each step from an old one.

A file is upgraded in memory as it is read; it is written anew only when somebody
changes it. A sample of every version stays in ``tests/golden`` for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.i18n import _
from collector.model.trajectory import RUN
from collector.store.files.errors import Damaged, FromTheFuture

Document = dict[str, Any]
Upgrade = Callable[[Document], Document]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A file format: its name in the file, its newest version, and the upgrades from older ones."""

    name: str
    version: int = 1
    upgrades: Mapping[int, Upgrade] = field(default_factory=dict)
    """Version -> function that upgrades a document of it to the next version."""

    def stamp(self, values: Mapping[str, Any]) -> Document:
        """``values`` with the format's name and version in front."""
        return {"format": self.name, "version": self.version, **values}

    def is_known(self, text: bytes) -> bool:
        """Whether lines of a YAML file say this format and a version known; False when it must be parsed."""
        lines = re.findall(rb"^(format|version):[ \t]*([\w-]{1,40})[ \t]*\r?$", text, re.MULTILINE)
        values = dict(lines)
        version = values.get(b"version", b"")
        return (
            len(lines) == 2
            and values.get(b"format") == self.name.encode()
            and version.isdigit()
            and 1 <= int(version) <= self.version
        )

    def upgrade(self, document: object, where: str) -> Document:
        """The document, upgraded to the newest version; ``where`` names the file in errors."""
        if not isinstance(document, dict):
            raise Damaged(
                _("{name} cannot be read", name=where),
                _("it is empty") if document is None else _("it is not a mapping"),
                _("Correct it, or restore it from a copy"),
            )
        version = document.get("version", 1)
        if document.get("format", self.name) != self.name or not isinstance(version, int) or version < 1:
            raise Damaged(
                _("{name} cannot be read", name=where),
                _("it says it is {found}", found=f"{document.get('format', self.name)} {version}"),
                _("Expected {wanted}", wanted=f"{self.name} {self.version}"),
            )
        if version > self.version:
            raise FromTheFuture(
                _("{name} was written by a later Waymark Studio", name=where),
                _(
                    "its format is version {found} and this program knows up to {known}",
                    found=version,
                    known=self.version,
                ),
                _("Update Waymark Studio to open it; nothing was changed"),
            )
        while version < self.version:
            document = self.upgrades[version](document)
            version += 1
        return {**document, "format": self.name, "version": version}


def _episode_of_header(document: Document) -> Document:
    """Version 1 of a trajectory had agent, condition and seed in its header, whoever made it."""
    upgraded = {key: value for key, value in document.items() if key not in ("agent", "condition", "seed")}
    agent, condition, seed = (document.get(key) for key in ("agent", "condition", "seed"))
    if document.get("kind") == RUN or agent or condition:
        values = {"agent": agent, "condition": condition, "seed": seed}
        upgraded["episode"] = {key: value for key, value in values.items() if value not in (None, "")}
    elif seed is not None and isinstance(document.get("device") or {}, dict):
        upgraded["device"] = {**(document.get("device") or {}), "seed": seed}
    return upgraded


def _without_verdict(document: Document) -> Document:
    """Version 1 of annotations could hold a verdict; since version 2 every verdict is a judgement."""
    return {key: value for key, value in document.items() if key not in ("verdict", "reason")}


def _sentences_of_marks(document: Document) -> Document:
    """Version 1 of annotations kept the text of an essential state as ``state`` of its mark."""
    marks = document.get("achieved_states")
    if not isinstance(marks, list):
        return dict(document)
    renamed = [
        {("sentence" if key == "state" else key): value for key, value in mark.items()}
        if isinstance(mark, dict)
        else mark
        for mark in marks
    ]
    return {**document, "achieved_states": renamed}


def _annotations_2(document: Document) -> Document:
    return _without_verdict(_sentences_of_marks(document))


PROJECT = FileFormat("waymark-project", 2, {1: dict})
"""Version 2 says that trajectories of version 2 may be inside; the file itself is as it was."""
TASKS = FileFormat("waymark-tasks", 2, {1: dict})
"""From version 2 on ``essential_states`` are ids. The sentences of version 1 become states of
``rules/states.yaml``, which a document alone does not have: see :mod:`collector.store.tasks.task_upgrade`."""
TRAJECTORY = FileFormat("waymark-trajectory", 2, {1: _episode_of_header})
"""Covers ``trajectory.json`` and the lines beside it: they are written together."""
ANNOTATIONS = FileFormat("waymark-annotations", 2, {1: _annotations_2})
"""From version 2 on a mark names the id of an essential state; what version 1 said of it is a sentence. The
verdict of a file of version 1 is read by :mod:`collector.store.trajectory.reviews.annotation_verdicts`."""
IMPORT_REPORT = FileFormat("waymark-import-report")
EXPORT_REPORT = FileFormat("waymark-export-report")
JUDGEMENTS = FileFormat("waymark-judgements")
MOVES = FileFormat("waymark-moves")
"""Trajectories that are being moved; the file is there for a moment, or until a crash is made good."""
PROPOSAL = FileFormat("waymark-proposal")
DEFINITION = FileFormat("waymark-definition")
AUDIT = FileFormat("waymark-audit")
EXPERIMENT = FileFormat("waymark-experiment")
REVIEW_QUEUE = FileFormat("waymark-review-queue")
