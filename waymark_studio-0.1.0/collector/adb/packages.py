"""Parse what phones print of their apps: launcher activities, packages, and scrcpy's list of apps.

Parsers accept any text, return what they recognize and never raise. Repetitions have limits, because the text
may be hostile.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ACTIVITY = re.compile(r"^ *Activity #\d+:$", re.MULTILINE)
_PACKAGE_NAME = re.compile(r"\bpackageName=(\S{1,300})")
_NAME = re.compile(r"^ *name=(\S{1,300})$", re.MULTILINE)
_LABEL = re.compile(r"\bnonLocalizedLabel=(.{0,300}?) icon=0x")
_PACKAGE = re.compile(r"^package:(?:\S{0,400}=)?([\w.]{1,300})", re.MULTILINE)
_LISTED = re.compile(
    r"^ [*-](?P<label>(?: .{0,300}?)?)\n?(?<! ) ++(?P<package>[A-Za-z]\w{0,99}(?:\.\w{1,99}){1,20})$",
    re.MULTILINE,
)
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
