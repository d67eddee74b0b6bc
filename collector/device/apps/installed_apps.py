"""The apps of a phone that can be opened, with the names people know them by."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import PurePosixPath

from collector.adb.packages import parse_launcher_activities, parse_listed_apps, parse_packages
from collector.adb.quoting import join
from collector.adb.scrcpy.options import SERVER_CLASS
from collector.device.apps.app_control import LAUNCHER, MAIN
from collector.device.apps.installed_app import InstalledApp
from collector.device.errors import CallCancelled, DeviceError
from collector.device.protocols import Cancel, Device
from collector.device.video.scrcpy_server_jar import find_server_jar
from collector.model.phone.android_names import is_package
from collector.model.text.one_line import one_line

_SERVER = PurePosixPath("/data/local/tmp/waymark-scrcpy-apps.jar")
_LISTING_SECONDS = 20
"""A phone with hundreds of apps needs seconds to load all their labels."""
_LIST, _OTHER_USER = "pm list packages", "does not have permission to access user"
_MOST_APPS, _LONGEST_LABEL = 3000, 100
_PACKAGES_AGE_S = 2.0
_log = logging.getLogger(__name__)


def read_installed_apps(device: Device, cancel: Cancel | None = None) -> tuple[InstalledApp, ...]:
    """The apps with an icon, in the order of the phone. Raises DeviceError.

    Android's shell prints a label only when it is written in the app's manifest. For labels that are
    resources, which is the rule, a scrcpy server is asked when this computer has one.
    """
    words = ["cmd", "package", "query-activities", "-a", MAIN, "-c", LAUNCHER]
    activities = parse_launcher_activities(device.shell(join(words), cancel=cancel).text)
    labels: dict[str, str] = {}
    for activity in activities:
        labels[activity.package] = labels.get(activity.package) or activity.label
    if not labels or not all(labels.values()):
        listed = _ask_scrcpy(device, cancel)
        labels = {**listed, **{package: listed.get(package) or label for package, label in labels.items()}}
    if not labels:  # before Android 7 and without scrcpy
        labels = dict.fromkeys(_list_packages(device, cancel), "")
    # A phone may call its apps anything: only names of packages are put into commands later.
    known = ((package, label) for package, label in labels.items() if is_package(package))
    return tuple(
        InstalledApp(package, one_line(label, _LONGEST_LABEL)) for package, label in islice(known, _MOST_APPS)
    )


class PackageList:
    """The packages on a phone, as they were at most two seconds ago. One thread at a time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` gives seconds."""
        self._clock = clock
        self._read_at = -math.inf
        self._packages: frozenset[str] | None = None

    def read(self, device: Device, cancel: Cancel | None = None) -> frozenset[str] | None:
        """The packages; None when the phone does not list them. Raises CallCancelled.

        A phone takes 0.1 s for its list, as long as for a tree: trees that follow each other share one.
        """
        now = self._clock()
        if now - self._read_at >= _PACKAGES_AGE_S:
            self._packages, self._read_at = _read_packages(device, cancel), now
        return self._packages


def _read_packages(device: Device, cancel: Cancel | None) -> frozenset[str] | None:
    try:
        packages = _list_packages(device, cancel)
    except CallCancelled:
        raise
    except DeviceError as error:
        _log.info("the packages could not be listed: %s", error)
        return None
    return frozenset(islice(filter(is_package, packages), _MOST_APPS)) or None


def _list_packages(device: Device, cancel: Cancel | None) -> Iterable[str]:
    """The packages, of the first user alone where the shell may not ask about others. Raises DeviceError."""
    result = device.shell(_LIST, cancel=cancel)
    if _OTHER_USER in result.text + result.error_text:
        result = device.shell(f"{_LIST} --user 0", cancel=cancel)
    return parse_packages(result.text)


def _ask_scrcpy(device: Device, cancel: Cancel | None) -> dict[str, str]:
    """The labels a scrcpy server reads on the phone; empty when there is none that can."""
    try:
        jar = find_server_jar()
        if not jar.version.has_app_list:
            return {}
        device.push(jar.data, _SERVER)
        words = join(("app_process", "/", SERVER_CLASS, str(jar.version), "list_apps=true"))
        line = f"CLASSPATH={_SERVER} {words} 2>&1"
        return parse_listed_apps(device.shell(line, timeout=_LISTING_SECONDS, cancel=cancel).text)
    except CallCancelled:
        raise
    except DeviceError as error:
        _log.info("the labels of the apps could not be read: %s", error)
        return {}
