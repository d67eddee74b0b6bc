"""``pm`` and ``cmd package``: list, install and permissions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from collector.virtual.android_versions import ANDROID_6
from collector.virtual.shell.commands.dumpsys.package import (
    FEATURES,
    dump_package,
    package_named,
)
from collector.virtual.shell.commands.packages import compilation, installs, user_commands
from collector.virtual.shell.commands.packages.app_links import LINK_ACTIONS
from collector.virtual.shell.commands.packages.package_lists import list_things
from collector.virtual.shell.commands.packages.package_queries import (
    query_activities,
    query_receivers,
    query_services,
    resolve_activity,
)
from collector.virtual.shell.commands.packages.package_states import ENABLED_ACTIONS
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import required, thrown, unknown, without_user
from collector.virtual.system.permissions import FLAGS
from collector.virtual.system.phone_state.permission_levels import is_runtime

if TYPE_CHECKING:
    from collector.virtual.system.phone import PackageInfo

_USAGE = """Package manager (package) commands:
  help
    Print this help text.

  path [--user USER_ID] PACKAGE
    Print the path to the .apk of the given PACKAGE.

  dump PACKAGE
    Print various system state associated with the given PACKAGE.

  has-feature FEATURE_NAME [version]
    Prints true and returns exit status 0 when system has a FEATURE_NAME.

  list features | instrumentation | libraries | packages | permission-groups | permissions | users
    Prints all of a kind. For packages: -f, -d, -e, -s, -3, -i, -u, -U, --uid UID, --show-versioncode,
    [FILTER]

  resolve-activity [--brief] [--components] [--user USER_ID] INTENT
  query-activities [--brief] [--components] [--user USER_ID] INTENT
    Prints the activities that resolve to the given INTENT.

  install | install-create | install-write | install-commit | install-abandon | uninstall
  install-existing [--user USER_ID] PACKAGE
    Install or remove applications.

  compile [-m MODE | -r REASON] [-f] [--reset] (-a | PACKAGE)
    Compile the code of packages.

  create-user [--guest] [--ephemeral] NAME | remove-user USER_ID | get-max-users
    Add or remove users.

  clear [--user USER_ID] PACKAGE
    Deletes all data associated with a package.

  enable | disable | disable-user | disable-until-used | default-state [--user USER_ID] PACKAGE
    These commands change the enabled state of a given package.

  hide | unhide | suspend | unsuspend [--user USER_ID] PACKAGE
    Hide or suspend the given package.

  grant | revoke [--user USER_ID] PACKAGE PERMISSION
  reset-permissions
    These commands either grant or revoke permissions to apps.
"""


@command("pm")
def pm(process: Process) -> int:
    """The shell of the package manager."""
    return run(process, process.arguments)


def run(process: Process, words: list[str]) -> int:
    """Run one ``pm`` or ``cmd package`` command."""
    rest = without_user(words)
    if not rest or rest[0] in ("help", "-h"):
        process.out(_USAGE)
        return 255 if not rest else 0
    action = _ACTIONS.get(rest[0])
    if action is None:
        return unknown(process, rest[0])
    return action(process, rest[1:])


def _path(process: Process, words: list[str]) -> int:
    package = package_named(process, words[-1] if words else "")
    if (
        package is None
        or not process.machine.phone.services.packages.state(package.package).installed_for_user
    ):
        return 1
    process.line(f"package:{package.apk}")
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
    package = package_named(process, operands[0])
    if package is None:
        reason = f"java.lang.IllegalArgumentException: Unknown package: {operands[0]}"
        raise thrown(process, verb, reason)
    requested = [permission for permission in package.permissions if is_runtime(permission)]
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
    if permission in package.permissions and is_runtime(permission) and not old:
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


def _has_feature(process: Process, words: list[str]) -> int:
    """Print whether the phone has a feature; the exit status says it too."""
    found = words[:1] != [] and words[0] in FEATURES
    process.line(str(found).lower())
    return int(not found)


def _nothing(process: Process, words: list[str]) -> int:
    del process, words
    return 0


def _dump(process: Process, words: list[str]) -> int:
    return dump_package(process, words)


_ACTIONS: dict[str, Callable[[Process, list[str]], int]] = {
    "list": list_things,
    "path": _path,
    "clear": _clear,
    "grant": _permission,
    "reset-permissions": _reset_permissions,
    "revoke": _permission,
    "clear-permission-flags": _permission_flags,
    "set-permission-flags": _permission_flags,
    "dump": _dump,
    "resolve-activity": resolve_activity,
    "query-activities": query_activities,
    "query-services": query_services,
    "query-receivers": query_receivers,
    "install": installs.install,
    "install-add-session": installs.install_add_session,
    "install-create": installs.install_create,
    "install-write": installs.install_write,
    "install-commit": installs.install_commit,
    "install-abandon": installs.install_abandon,
    "uninstall": installs.uninstall,
    **ENABLED_ACTIONS,
    "trim-caches": _nothing,
    "has-feature": _has_feature,
    **LINK_ACTIONS,
    "get-max-running-users": user_commands.max_running,
    "supports-multiple-users": user_commands.several_users,
    "is-user-visible": user_commands.is_visible,
    "get-max-users": user_commands.max_users,
    "create-user": user_commands.create_user,
    "remove-user": user_commands.remove_user,
    "compile": compilation.compile_packages,
    "bg-dexopt-job": compilation.background_job,
    "install-existing": installs.install_existing,
}
