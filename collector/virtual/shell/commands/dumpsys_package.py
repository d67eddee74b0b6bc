"""``dumpsys package``: what the package manager knows, and the path of an app's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.virtual.shell.process import Process
from collector.virtual.system.permissions import INSTALL_TIME

if TYPE_CHECKING:
    from collector.virtual.system.phone import PackageInfo

_INSTALLED = "2026-11-01 09:00:00"


def apk_path(package: PackageInfo) -> str:
    """The path where the package's APK would be."""
    if package.system:
        return f"/system/app/{package.name}/{package.name}.apk"
    return f"/data/app/~~{package.uid:x}==/{package.package}-{package.version_code}/base.apk"


def dump_package(process: Process, words: list[str]) -> int:
    """The package manager's data about one package, or all."""
    names = [word for word in words if not word.startswith("-")]
    packages = [
        package for package in process.machine.phone.packages if not names or package.package in names
    ]
    if not packages:
        process.line(f"Unable to find package: {names[0]}")
        return 0
    process.line("Packages:")
    for package in packages:
        name, folder = f"{package.uid:07x}", apk_path(package).rpartition("/")[0]
        flags = "SYSTEM HAS_CODE" if package.system else "HAS_CODE ALLOW_CLEAR_USER_DATA"
        sdk = process.machine.phone.profile.sdk
        process.out(
            f"  Package [{package.package}] ({package.uid:x}):\n    userId={package.uid}\n"
            f"    pkg=Package{{{name} {package.package}}}\n    codePath={folder}\n"
            f"    versionCode={package.version_code} minSdk=24 targetSdk={sdk}\n"
            f"    versionName={package.version}\n    flags=[ {flags} ]\n    pkgFlags=[ {flags} ]\n"
            f"    signatures=PackageSignatures{{{name} version:3, signatures:[{package.uid:08x}], "
            "past signatures:[]}\n"
            f"    firstInstallTime={_INSTALLED}\n    lastUpdateTime={_INSTALLED}\n"
            "    requested permissions:\n"
        )
        process.out("".join(f"      {name}\n" for name in package.permissions))
        if permissions := [name for name in package.permissions if name in INSTALL_TIME]:
            process.line("    install permissions:")
            process.out("".join(f"      {name}: granted=true\n" for name in permissions))
        process.out("    runtime permissions:\n")
        process.out(
            "".join(
                f"      {name}: granted={str(name in package.granted).lower()}"
                f"{_flags(process, package.package, name)}\n"
                for name in package.permissions
                if name not in INSTALL_TIME
            )
        )
    return 0


def _flags(process: Process, package: str, permission: str) -> str:
    """The flags of a permission as ``, flags=[ USER_SET]``; empty when the person never answered."""
    flags = sorted(process.machine.phone.services.permissions.flags(package, permission), reverse=True)
    return f", flags=[ {'|'.join(flags)}]" if flags else ""
