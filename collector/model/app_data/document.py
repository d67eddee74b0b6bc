"""App data as JSON, and the differences of one moment from the first."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from collector.model.app_data.collections import APP_NAMES, AppData

PACKAGES = {app: f"com.waymark.{app}" for app in APP_NAMES}
"""Package of each app that keeps records."""
_MOST_BYTES = 4 << 20


def app_in_front(package: str) -> str:
    """Short name of the app that a package is; empty for another app."""
    return next((app for app, name in PACKAGES.items() if name == package), "")


def parse_app_data(text: bytes | str) -> AppData:
    """Read app data. Raises ValueError for another text."""
    if len(text) > _MOST_BYTES:
        raise ValueError("app data of over 4 MB")
    return app_data_of(json.loads(text))


def app_data_of(value: object) -> dict[str, Sequence[Mapping[str, Any]]]:
    """A loaded value as app data. Raises ValueError when it is none."""
    if not isinstance(value, Mapping):
        raise ValueError("app data are no mapping by collection")
    for name, records in value.items():
        if not isinstance(records, list) or not all(isinstance(record, Mapping) for record in records):
            raise ValueError(f"{name} is no list of records")
    return {str(name): records for name, records in value.items()}


def dump_app_data(data: AppData) -> str:
    """The JSON of app data; equal data give equal texts."""
    plain = {name: list(records) for name, records in data.items()}
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def changed_collections(first: AppData, now: AppData) -> dict[str, Sequence[Mapping[str, Any]]]:
    """The collections of ``now`` that are other than at ``first``; one that is gone is empty."""
    changed = {name: records for name, records in now.items() if list(records) != list(first.get(name, []))}
    return {**{name: [] for name in first if name not in now and first[name]}, **changed}


def with_changes(first: AppData, changed: AppData) -> AppData:
    """The data of a moment: those of the first with the collections that differ."""
    return {**first, **changed}
