"""The library of anomalies that comes with the studio."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from collector.anomalies.model import NATIVE, Anomaly, AnomalyLibrary
from collector.anomalies.reader import read_library
from collector.model.i18n import _
from collector.model.resources import asset

BUILTIN_LIBRARY = ("anomalies", "library.yaml")


def builtin_library_text() -> str:
    """The text of its file."""
    return asset(*BUILTIN_LIBRARY).read_text("utf-8")


def builtin_library() -> AnomalyLibrary:
    """Its anomalies; those without a language are described in the person's language."""
    path = asset(*BUILTIN_LIBRARY)
    library = _read(builtin_library_text(), str(path))
    return replace(library, anomalies=tuple(map(_translated, library.anomalies)))


def as_written(anomaly: Anomaly) -> Anomaly:
    """An anomaly of the studio in the words of its file, whatever the language; others as they are."""
    if anomaly.kind != NATIVE:
        return anomaly
    library = _read(builtin_library_text(), str(asset(*BUILTIN_LIBRARY)))
    same = (own for own in library.anomalies if own.id == anomaly.id and _translated(own) == anomaly)
    return next(same, anomaly)


@lru_cache(maxsize=1)
def _read(text: str, path: str) -> AnomalyLibrary:
    # Reading takes 60 ms; the language may change from one call to the next, the file hardly ever does.
    return read_library(text, path)


def _translated(anomaly: Anomaly) -> Anomaly:
    # Dialogs are written in each language by themselves.
    if anomaly.kind != NATIVE:
        return anomaly
    parameters = (
        replace(parameter, description=parameter.description and _(parameter.description))
        for parameter in anomaly.parameters
    )
    return replace(anomaly, description=_(anomaly.description), parameters=tuple(parameters))
