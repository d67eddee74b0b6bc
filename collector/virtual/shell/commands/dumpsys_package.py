"""``dumpsys package``: what the package manager knows, and where an app's file lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.virtual.shell.process import Process
from collector.virtual.system.permissions import INSTALL_TIME

if TYPE_CHECKING:
    from collector.virtual.system.phone import PackageInfo

_INSTALLED = "2026-11-01 09:00:00"


def apk_path(package: PackageInfo) -> str:
    """Where its APK would lie."""
    if package.system:
        return f"/system/app/{package.name}/{package.name}.apk"
    return f"/data/app/~~{package.uid:x}==/{package.package}-{package.version_code}/base.apk"


def dump_package(process: Process, words: list[str]) -> int:
    """What the package manager knows of one package, or of all."""
    wanted = [word for word in words if not word.startswith("-")]
    packages = [one for one in process.machine.phone.packages if not wanted or one.package in wanted]
    if not packages:
        process.line(f"Unable to find package: {wanted[0]}")
        return 0
    process.line("Packages:")
    for one in packages:
        name, folder = f"{one.uid:07x}", apk_path(one).rpartition("/")[0]
        flags = "SYSTEM HAS_CODE" if one.system else "HAS_CODE ALLOW_CLEAR_USER_DATA"
        process.out(
            f"  Package [{one.package}] ({one.uid:x}):\n    userId={one.uid}\n"
            f"    pkg=Package{{{name} {one.package}}}\n    codePath={folder}\n"
            f"    versionCode={one.version_code} minSdk=24 targetSdk={process.machine.phone.profile.sdk}\n"
            f"    versionName={one.version}\n    flags=[ {flags} ]\n    pkgFlags=[ {flags} ]\n"
            f"    signatures=PackageSignatures{{{name} version:3, signatures:[{one.uid:08x}], "
            "past signatures:[]}\n"
            f"    firstInstallTime={_INSTALLED}\n    lastUpdateTime={_INSTALLED}\n"
            "    requested permissions:\n"
        )
        process.out("".join(f"      {name}\n" for name in one.permissions))
        if kept := [name for name in one.permissions if name in INSTALL_TIME]:
            process.line("    install permissions:")
            process.out("".join(f"      {name}: granted=true\n" for name in kept))
        process.out("    runtime permissions:\n")
        process.out(
            "".join(
                f"      {name}: granted={str(name in one.granted).lower()}"
                f"{_flags(process, one.package, name)}\n"
                for name in one.permissions
                if name not in INSTALL_TIME
            )
        )
    return 0


def _flags(process: Process, package: str, permission: str) -> str:
    """What the person made of a permission, as ``, flags=[ USER_SET]``; nothing when they never answered."""
    flags = sorted(process.machine.phone.services.permissions.flags(package, permission), reverse=True)
    return f", flags=[ {'|'.join(flags)}]" if flags else ""
