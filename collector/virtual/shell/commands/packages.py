"""``pm`` and ``cmd package``: list, install and permissions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

from collector.virtual.shell.commands.dumpsys_package import apk_path, dump_package
from collector.virtual.shell.commands.intents import read_intent
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import ANDROID_6, required, thrown, unknown, without_user
from collector.virtual.system.permissions import FLAGS, INSTALL_TIME
from collector.virtual.ui.effects import ACTION_MAIN, CATEGORY_LAUNCHER

if TYPE_CHECKING:
    from collector.virtual.system.phone import PackageInfo

_MATCH = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true"
_sessions = itertools.count(1_000_001)
_FRAMEWORK, _FRAMEWORK_PATH = "android", "/system/framework/framework-res.apk"
_REFUSED = "Failure [INSTALL_FAILED_USER_RESTRICTED: the virtual phone runs its own apps only]"


@command("pm")
def pm(process: Process) -> int:
    """The shell of the package manager."""
    return run(process, process.arguments)


def run(process: Process, words: list[str]) -> int:
    """Run one ``pm`` or ``cmd package`` command."""
    rest = without_user(words)
    action = _ACTIONS.get(rest[0]) if rest else None
    if action is None:
        return unknown(process, rest[0] if rest else "")
    return action(process, rest[1:])


def _find(process: Process, name: str) -> PackageInfo | None:
    return next((package for package in process.machine.phone.packages if package.package == name), None)


def _list(process: Process, words: list[str]) -> int:
    kind = words[0] if words else ""
    if kind == "packages":
        return _list_packages(process, words[1:])
    lines = {
        "users": ["Users:", "\tUserInfo{0:Owner:c13} running"],
        "features": ["feature:reqGlEsVersion=0x30002", "feature:android.hardware.touchscreen"],
        "permissions": ["All Permissions:", ""],
        "instrumentation": [],
        "libraries": ["library:android.test.base"],
    }
    if kind not in lines:
        raise CommandError(f"Error: unknown list type '{kind}'", 255)
    for line in lines[kind]:
        process.line(line)
    return 0


def _list_packages(process: Process, words: list[str]) -> int:
    name = next((word for word in words if not word.startswith("-")), "")
    for package in process.machine.phone.packages:
        if name not in package.package or ("-3" in words and package.system) or "-d" in words:
            continue
        if "-s" in words and not package.system:
            continue
        path = f"{apk_path(package)}=" if "-f" in words else ""
        version = f" versionCode:{package.version_code}" if "--show-versioncode" in words else ""
        installer = "  installer=null" if "-i" in words else ""
        uid = f" uid:{package.uid}" if "-U" in words else ""
        process.line(f"package:{path}{package.package}{version}{installer}{uid}")
    return 0


def _path(process: Process, words: list[str]) -> int:
    if words[-1:] == [_FRAMEWORK]:
        process.line(f"package:{_FRAMEWORK_PATH}")
        return 0
    package = _find(process, words[-1] if words else "")
    if package is None:
        return 1
    process.line(f"package:{apk_path(package)}")
    return 0


def _clear(process: Process, words: list[str]) -> int:
    done = bool(words) and process.machine.phone.clear(words[-1])
    process.line("Success" if done else "Failed")
    return 0 if done else 1


def _permission(process: Process, words: list[str]) -> int:
    """Grant or revoke a permission that the app requests; refuse others."""
    verb = "grant" if "grant" in process.arguments[:2] else "revoke"
    everything = "--all-permissions" in words
    operands = [word for word in words if not word.startswith("--")]
    if not operands:
        raise CommandError("Error: no package specified", 1)
    if everything == (len(operands) > 1):
        mistake = "permission specified but not expected" if everything else "no permission specified"
        raise CommandError(f"Error: {mistake}", 1)
    package = _find(process, operands[0])
    if package is None:
        reason = f"java.lang.IllegalArgumentException: Unknown package: {operands[0]}"
        raise thrown(process, verb, reason)
    requested = [permission for permission in package.permissions if permission not in INSTALL_TIME]
    selected = requested if everything else [operands[1]]
    for name in selected:
        _require_changeable(process, verb, package, name)
        process.machine.phone.services.permissions.grant(package.package, name, verb == "grant")
    return 0


def _require_changeable(process: Process, verb: str, package: PackageInfo, permission: str) -> None:
    name = package.package
    requested = any(permission in package.permissions for package in process.machine.phone.packages)
    if permission in package.permissions:
        reason = f"Permission {permission} requested by {name} is not a changeable permission type"
    elif requested or permission.startswith("android.permission."):
        reason = f"Package {name} has not requested permission {permission}"
    else:
        raise thrown(process, verb, f"java.lang.IllegalArgumentException: Unknown permission: {permission}")
    old = process.machine.phone.profile.sdk < ANDROID_6
    if permission in package.permissions and permission not in INSTALL_TIME and not old:
        return
    if old:
        reason = f"Permission {permission} is not a changeable permission type"
        raise CommandError(f"Operation not allowed: java.lang.SecurityException: {reason}", 1)
    raise thrown(process, verb, f"java.lang.SecurityException: {reason}")


def _reset_permissions(process: Process, words: list[str]) -> int:
    """Reset permissions to their state after installation, of one package with ``-p``, else of all."""
    packages = process.machine.phone.packages
    if words[:1] == ["-p"]:
        packages = [package for package in packages if package.package in words[1:2]]
    for package in packages:
        process.machine.phone.services.permissions.forget(package.package)
    return 0


def _permission_flags(process: Process, words: list[str]) -> int:
    """``set-permission-flags`` and ``clear-permission-flags PACKAGE PERMISSION FLAG...``."""
    verb = next(word for word in process.arguments if word.endswith("-permission-flags"))
    rest = list(words)
    package, permission = required(process, verb, rest), required(process, verb, rest)
    required(process, verb, rest[:1])
    for name in rest:
        if name not in FLAGS:
            raise thrown(process, verb, f"java.lang.IllegalArgumentException: Unknown flag: {name}")
    permissions = process.machine.phone.services.permissions
    permissions.set_flags(
        package, permission, frozenset(FLAGS[flag] for flag in rest), verb.startswith("set")
    )
    return 0


def _resolve(process: Process, words: list[str]) -> int:
    brief = "--brief" in words
    intent = read_intent([word for word in words if word not in ("--brief", "--components")]).intent
    target = intent.component.package if intent.component else intent.package
    package = _find(process, target)
    if package is None or package.launcher is None:
        process.line("No activity found")
        return 1
    if brief:
        process.line(_MATCH)
        process.line(package.launcher.short)
    else:
        process.line(f"{_MATCH}\n  ActivityInfo:")
        process.line(f"    name={package.launcher.activity}\n    packageName={package.package}")
    return 0


def _query(process: Process, words: list[str]) -> int:
    """``query-activities``: the icons of the launcher, the only activities this phone can be asked for."""
    brief, components = "--brief" in words, "--components" in words
    intent = read_intent([word for word in words if word not in ("--brief", "--components")]).intent
    asked = intent.action in ("", ACTION_MAIN) and {*intent.categories} <= {CATEGORY_LAUNCHER}
    wanted = intent.component.package if intent.component else intent.package
    apps = [
        (package, package.launcher)
        for package in process.machine.phone.packages
        if package.launcher and not package.is_home and wanted in ("", package.package)
    ]
    if not asked or not apps:
        process.line("No activities found")
        return 0
    if not components:
        process.line(f"{len(apps)} activities found:")
    for number, (package, launcher) in enumerate(apps):
        if components:
            process.line(launcher.short)
            continue
        process.line(f"  Activity #{number}:\n    {_MATCH}")
        if brief:
            process.line(f"    {launcher.short}")
            continue
        label = f"labelRes=0x0 nonLocalizedLabel={package.label} icon=0x7f010000 banner=0x0"
        process.out(
            f"    ActivityInfo:\n      name={launcher.activity}\n      packageName={package.package}\n"
            f"      {label}\n      enabled=true exported=true directBootAware=false\n"
            f"      ApplicationInfo:\n        packageName={package.package}\n        {label}\n"
            f"        processName={package.package}\n"
        )
    return 0


def _install(process: Process, words: list[str]) -> int:
    """Read the whole APK, then refuse with the message adb expects; adb writes the APK first."""
    _read_apk(process, words)
    process.line(_REFUSED)
    return 1


def _install_create(process: Process, words: list[str]) -> int:
    """Begin an installation of several APKs; ``-S`` is the size of all, which follow one by one."""
    del words
    process.line(f"Success: created install session [{next(_sessions)}]")
    return 0


def _install_write(process: Process, words: list[str]) -> int:
    process.line(f"Success: streamed {_read_apk(process, words)} bytes")
    return 0


def _install_commit(process: Process, words: list[str]) -> int:
    del words
    process.line(_REFUSED)
    return 1


def _install_abandon(process: Process, words: list[str]) -> int:
    del words
    process.line("Success")
    return 0


def _read_apk(process: Process, words: list[str]) -> int:
    """Read as many bytes as ``-S`` says; return how many came."""
    size = words[words.index("-S") + 1] if "-S" in words[:-1] else ""
    left = total = int(size) if size.isdecimal() else 0
    while left > 0 and (part := process.stdin.read(min(left, 65536))):
        left -= len(part)
    return total - left


def _uninstall(process: Process, words: list[str]) -> int:
    package = words and _find(process, words[-1])
    cause = "DELETE_FAILED_DEVICE_POLICY_MANAGER" if package else "DELETE_FAILED_INTERNAL_ERROR"
    process.line(f"Failure [{cause}]")
    return 1


def _nothing(process: Process, words: list[str]) -> int:
    del process, words
    return 0


def _dump(process: Process, words: list[str]) -> int:
    return dump_package(process, words)


_ACTIONS: dict[str, Callable[[Process, list[str]], int]] = {
    "list": _list,
    "path": _path,
    "clear": _clear,
    "grant": _permission,
    "reset-permissions": _reset_permissions,
    "revoke": _permission,
    "clear-permission-flags": _permission_flags,
    "set-permission-flags": _permission_flags,
    "dump": _dump,
    "resolve-activity": _resolve,
    "query-activities": _query,
    "install": _install,
    "install-create": _install_create,
    "install-write": _install_write,
    "install-commit": _install_commit,
    "install-abandon": _install_abandon,
    "uninstall": _uninstall,
    "enable": _nothing,
    "disable-user": _nothing,
    "trim-caches": _nothing,
}
