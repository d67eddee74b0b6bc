"""Anomaly libraries of installed packages, found by their entry points."""

from __future__ import annotations

import importlib.metadata
import logging
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from collector.anomalies.model import AnomalyLibrary
from collector.anomalies.reader import read_library
from collector.located_yaml.diagnostics import Severity
from collector.model.i18n import _
from collector.rules.lint.rule_files import read_text

ENTRY_POINT_GROUP = "waymark.anomalies"
"""An entry point of this group is the library or a function that returns it.

The library is its YAML text, or the path of its file: a ``Path``, or what ``importlib.resources.files``
gives. Its shell commands run only after a person trusted them, as those of a project.
"""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class InstalledLibrary:
    """The library of one entry point; ``problem`` is one sentence that says why it has no anomalies."""

    name: str
    library: AnomalyLibrary = field(default_factory=AnomalyLibrary)
    problem: str = ""


@cache
def installed_libraries() -> tuple[InstalledLibrary, ...]:
    """Load the library of every entry point, in order of name. A broken one never raises."""
    entries = importlib.metadata.entry_points(group=ENTRY_POINT_GROUP)
    return tuple(_load(entry) for entry in sorted(entries, key=lambda entry: entry.name))


def _load(entry: importlib.metadata.EntryPoint) -> InstalledLibrary:
    try:
        text, path = _text_of(entry.load())
        library = read_library(text, path or f"{ENTRY_POINT_GROUP}:{entry.name}")
    except Exception as error:  # noqa: BLE001 - code of another package: whatever it raises
        _log.info("the anomaly library %s is broken", entry.name, exc_info=True)
        return InstalledLibrary(entry.name, problem=_broken(entry.name, str(error) or type(error).__name__))
    errors = [diagnostic for diagnostic in library.diagnostics if diagnostic.severity is Severity.ERROR]
    if errors and not library.anomalies:
        return InstalledLibrary(entry.name, problem=_broken(entry.name, errors[0].sentence))
    return InstalledLibrary(entry.name, library)


def _broken(name: str, why: str) -> str:
    return _("The installed anomaly library {name} cannot be loaded: {why}", name=name, why=why)


def _text_of(value: Any) -> tuple[str, str]:
    """The YAML text of an entry point's value, and the path of its file where it has one."""
    if callable(value):
        value = value()
    if isinstance(value, Path):
        return read_text(value), str(value)
    if isinstance(value, str):
        return value, ""
    if hasattr(value, "read_text"):
        return value.read_text("utf-8"), str(value)
    raise TypeError(_("a YAML text or a path was expected, not {type}", type=type(value).__name__))
