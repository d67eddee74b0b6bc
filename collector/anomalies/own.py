"""The library that comes with the studio, for projects that have none of their own."""

from __future__ import annotations

from collector.anomalies.model import Library
from collector.anomalies.reader import read_library
from collector.model.resources import asset

OWN_LIBRARY = ("anomalies", "library.yaml")


def own_text() -> str:
    """Its text as it stands in the assets."""
    return asset(*OWN_LIBRARY).read_text("utf-8")


def own_library() -> Library:
    """Its anomalies."""
    path = asset(*OWN_LIBRARY)
    return read_library(own_text(), str(path))
