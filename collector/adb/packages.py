"""Parse what phones print of their apps: launcher activities, packages, and scrcpy's list of apps.

Parsers accept any text, return what they recognize and never raise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ACTIVITY = re.compile(r"^ *Activity #\d+:$", re.MULTILINE)
_PACKAGE_NAME = re.compile(r"\bpackageName=(\S+)")
_NAME = re.compile(r"^ *name=(\S+)$", re.MULTILINE)
_LABEL = re.compile(r"\bnonLocalizedLabel=(.*?) icon=0x")
_PACKAGE = re.compile(r"^package:(?:\S*=)?([\w.]+)", re.MULTILINE)
_LISTED = re.compile(r"^ [*-] (?P<label>.*?)(?:\n)? +(?P<package>[A-Za-z]\w*(?:\.\w+)+)$", re.MULTILINE)
"""A label of 30 characters and more has the package in a line of its own."""


@dataclass(frozen=True, slots=True)
class LauncherActivity:
    """An icon of the launcher; ``label`` is empty when it is a resource of the app, as it often is."""

    package: str
    activity: str
    label: str


def parse_launcher_activities(text: str) -> list[LauncherActivity]:
    """Read the answer of ``cmd package query-activities``."""
    activities = []
    for block in _ACTIVITY.split(text)[1:]:
        package, name = _PACKAGE_NAME.search(block), _NAME.search(block)
        if package and name:
            labels = [label for label in _LABEL.findall(block) if label != "null"]
            activities.append(LauncherActivity(package[1], name[1], labels[0].strip() if labels else ""))
    return activities


def parse_packages(text: str) -> list[str]:
    """Read the answer of ``pm list packages``."""
    return _PACKAGE.findall(text)


def parse_listed_apps(text: str) -> dict[str, str]:
    """Read the answer of a scrcpy server to ``list_apps``: labels by package."""
    return {match["package"]: match["label"].strip() for match in _LISTED.finditer(text)}
