"""App data as JSON, and the differences of one moment from the first."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from collector.model.app_data.collections import APP_NAMES, AppData
from collector.model.i18n import _

PACKAGES = {app: f"com.waymark.{app}" for app in APP_NAMES}
"""Package of each app that keeps records."""
_MOST_BYTES, _MOST_RECORDS, _DEEPEST = 4 << 20, 5000, 20


def app_in_front(package: str) -> str:
    """Short name of the app that a package is; empty for another app."""
    return next((app for app, name in PACKAGES.items() if name == package), "")


def parse_app_data(text: bytes | str) -> AppData:
    """Read app data, of whatever phone or file. Raises ValueError for another text."""
    if len(text) > _MOST_BYTES:
        raise ValueError(_("app data of over 4 MB"))
    try:
        return app_data_of(json.loads(text))
    except RecursionError:
        raise ValueError(_("app data that are nested too deeply")) from None


def app_data_of(value: object) -> dict[str, Sequence[Mapping[str, Any]]]:
    """A loaded value as app data. Raises ValueError when it is none, or more than a phone keeps."""
    if not isinstance(value, Mapping):
        raise ValueError(_("app data are no mapping by collection"))
    for name, records in value.items():
        if not isinstance(records, list) or not all(isinstance(record, Mapping) for record in records):
            raise ValueError(_("{name} is no list of records", name=name))
        if len(records) > _MOST_RECORDS:
            raise ValueError(_("{name} has over {count} records", name=name, count=_MOST_RECORDS))
        for record in records:
            _check(record, _DEEPEST)
    return {str(name): records for name, records in value.items()}


def _check(value: object, deepest: int) -> None:
    """Raise ValueError for a value that is nested too deeply, and for a number that is none."""
    if not deepest:
        raise ValueError(_("app data that are nested too deeply"))
    if isinstance(value, str | int | None):  # most are, and asking for a mapping takes longer
        return
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(_("{value} is no number", value=value))
    if isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            _check(item, deepest - 1)


def dump_app_data(data: AppData) -> str:
    """The JSON of app data; equal data give equal texts."""
    plain = {name: list(records) for name, records in data.items()}
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone half of a surrogate pair, as a keyboard program may send
        return json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return text


def changed_collections(first: AppData, now: AppData) -> dict[str, Sequence[Mapping[str, Any]]]:
    """The collections of ``now`` that are other than at ``first``; one that is gone is empty."""
    changed = {name: records for name, records in now.items() if list(records) != list(first.get(name, []))}
    return {**{name: [] for name in first if name not in now and first[name]}, **changed}


def with_changes(first: AppData, changed: AppData) -> AppData:
    """The data of a moment: those of the first with the collections that differ."""
    return {**first, **changed}
