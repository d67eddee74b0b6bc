"""A target: what has to be different in the data of apps when a task is done, and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ADD, CHANGE, REMOVE, SEND, OPEN_APP = "add", "change", "remove", "send", "open_app"
PART_KINDS = (ADD, CHANGE, REMOVE, SEND, OPEN_APP)
WAYMARK, OPENAPPS = "waymark", "openapps"
SEMANTICS = (WAYMARK, OPENAPPS)
"""How data are compared: as this program does, or exactly as OpenApps does."""
WORDS, EXACT_TEXT = "words", "exact"
TEXT_MODES = (WORDS, EXACT_TEXT)
WITHIN_KM = 0.1
OPENAPPS_WITHIN_KM = 10.0


@dataclass(frozen=True, slots=True)
class TargetPart:
    """One change that a task asks for."""

    kind: str
    """One of PART_KINDS."""
    collection: str = ""
    """Name of the collection; empty for ``open_app``."""
    where: Mapping[str, Any] = field(default_factory=dict)
    """Of ``change`` and ``remove``: fields of the record that is meant."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Of ``add`` and ``send``: the new record. Of ``change``: the fields that get other values."""
    within_km: float | None = None
    """Of an added place: how far from its position it may be; None for that of the whole target."""
    app: str = ""
    """Of ``open_app``: short name of the app that has to be in front."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What makes no difference when data are compared with a target."""

    text: str = WORDS
    """One of TEXT_MODES: ``words`` disregards letters' case, punctuation and extra spaces."""
    within_km: float = WITHIN_KM
    """Distance within which two positions are the same."""
    replies: bool = True
    """Whether what the messenger answers to a sent message may be there."""
    ignored: tuple[str, ...] = ()
    """Apps, collections and fields that do not count: ``shop``, ``todo.shared``, ``todo.tasks.note``."""


@dataclass(frozen=True, slots=True)
class TaskTarget:
    """What is different when a task is done. Each part is applied to what those before it left."""

    parts: tuple[TargetPart, ...] = ()
    tolerance: Tolerance = field(default_factory=Tolerance)
    semantics: str = WAYMARK
    """One of SEMANTICS."""
    source: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The value as the file has it."""

    @property
    def version(self) -> str:
        """Another one for another value in the file: 12 hexadecimal digits."""
        text = json.dumps(self.source, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def is_about_front_alone(self) -> bool:
        """Whether only the app in front counts, and no data."""
        return bool(self.parts) and all(part.kind == OPEN_APP for part in self.parts)
