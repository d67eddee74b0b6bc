"""What a phone of each Android version has: packages of the system with their files, and services."""

from __future__ import annotations

import base64
import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from collector.model.resources import asset
from collector.virtual.android_versions import ANDROID_8, ANDROID_10, ANDROID_11

_NEWEST = 1 << 16
_PARTITIONS = {"/apex/": ANDROID_10, "/product/": ANDROID_10, "/system_ext/": ANDROID_11}
"""Since which SDK a partition of its own holds what stood in ``/system`` before."""
_FIRST_UID = 10_020
"""Of the packages without a fixed user; apps of the phone begin at 10120."""


@dataclass(frozen=True, slots=True)
class SystemPackage:
    """A package that is part of the system. ``apk`` is the path of its file."""

    package: str
    apk: str
    uid: int
    permissions: tuple[str, ...]

    @property
    def name(self) -> str:
        """``SystemUI`` of ``SystemUI.apk``."""
        return self.apk.rpartition("/")[2].removesuffix(".apk")


@cache
def system_packages(sdk: int) -> dict[str, SystemPackage]:
    """The system packages of an Android version by name, sorted."""
    users: dict[str, int] = {}
    found = {}
    for row in _rows():
        user = row["user"]
        if not user.isdecimal():
            # Users are given out over all rows, so that a package has the same one in every version.
            uid = users.setdefault(user or row["package"], _FIRST_UID + len(users))
        else:
            uid = int(user)
        if int(row["since"] or 0) <= sdk <= int(row["until"] or _NEWEST):
            permissions = tuple(f"android.permission.{name}" for name in row["permissions"].split())
            found[row["package"]] = SystemPackage(row["package"], _apk(row["apk"], sdk), uid, permissions)
    return found


@cache
def _rows() -> list[dict[str, str]]:
    text = asset("virtual", "inventory", "packages.csv").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return sorted(csv.DictReader(lines), key=lambda row: row["package"])


def inventory_lines(name: str) -> Iterator[tuple[str, str]]:
    """The lines of a list of the inventory, each with the head in brackets that it stands below."""
    head = ""
    for line in asset("virtual", "inventory", name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            head = line.strip("[]")
        elif line and not line.startswith("#"):
            yield head, line


@cache
def system_services(sdk: int) -> dict[str, str]:
    """The interface of each service of an Android version, by name, sorted; empty where it has none."""
    listed = (
        line.partition(" ")[::2] for since, line in inventory_lines("services.txt") if int(since) <= sdk
    )
    return dict(sorted(listed))


def _apk(listed: str, sdk: int) -> str:
    """The path of the APK: a folder holds a file of its name."""
    path = listed if listed.endswith(".apk") else f"{listed}/{listed.rpartition('/')[2]}.apk"
    for partition, since in _PARTITIONS.items():
        if path.startswith(partition) and sdk < since:
            below = path.removeprefix(partition)
            return "/system/" + (below.partition("/")[2] if partition == "/apex/" else below)
    return path


def system_apk(package: str, name: str, sdk: int) -> str:
    """The path of the APK of an app of the system, which may be one that no other phone has."""
    known = system_packages(sdk).get(package)
    return known.apk if known else _apk(f"/product/app/{name}", sdk)


def installed_apk(package: str, count: int, sdk: int) -> str:
    """The path of the APK of an app that was installed ``count`` times; random words as on a phone, but
    the same on every one."""
    if sdk < ANDROID_8:
        return f"/data/app/{package}-{1 + count % 2}/base.apk"
    folder = f"{package}-{_random_word(f'{package} {count}')}"
    return (
        f"/data/app/{folder}/base.apk"
        if sdk < ANDROID_11
        else (f"/data/app/~~{_random_word(f'{count} {package}')}/{folder}/base.apk")
    )


def _random_word(seed: str) -> str:
    """22 letters of base64 and ``==``, as the package manager names folders."""
    return base64.urlsafe_b64encode(hashlib.sha256(seed.encode()).digest()[:16]).decode()
