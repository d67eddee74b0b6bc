"""The icons that the program has."""

from __future__ import annotations

from collector.model.resources import asset

ICON_NAMES = sorted(path.stem for path in asset("icons").glob("*.svg"))
