"""``device_config``: the flags that a server could set, by namespace."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import FAILED

_USAGE = """Device Config (device_config) commands:
  help
      Print this help text.
  get NAMESPACE KEY
      Retrieve the current value of KEY from the given NAMESPACE.
  put NAMESPACE KEY VALUE [default]
      Change the contents of KEY to VALUE for the given NAMESPACE.
      {default} to set as the default value.
  delete NAMESPACE KEY
      Delete the entry for KEY for the given NAMESPACE.
  list [NAMESPACE]
      Print all keys and values defined, optionally for the given NAMESPACE.
"""
_SYNC_MODES = ("none", "persistent", "until_reboot")
_MODES = ("untrusted_defaults", "untrusted_clear", "trusted_defaults")
_MODE = "device_config_sync_disabled"
"""The property that keeps the mode."""


@command("device_config")
def device_config(process: Process) -> int:
    """Run one command on the flags."""
    verb, *words = process.arguments or ["help"]
    verb = verb.lower()
    if verb in ("help", "-h"):
        process.out(_USAGE)
        return FAILED
    if verb not in _VERBS:
        process.err(f"Invalid command: {process.arguments[0]}")
        return FAILED
    counts, run = _VERBS[verb]
    if len(words) > counts[-1]:
        process.err("Too many arguments" if counts[-1] else "Bad arguments")
        return FAILED
    if len(words) not in counts:
        process.err("Bad arguments")
        return FAILED
    return run(process, words)


def _get(process: Process, words: list[str]) -> int:
    process.line(process.machine.device_flags.get("/".join(words), "null"))
    return 0


def _put(process: Process, words: list[str]) -> int:
    process.machine.device_flags[f"{words[0]}/{words[1]}"] = words[2]
    return 0


def _delete(process: Process, words: list[str]) -> int:
    key = "/".join(words)
    if process.machine.device_flags.pop(key, None) is None:
        process.line(f"Failed to delete {words[1]} from {words[0]}")
        return 0
    process.line(f"Successfully deleted {words[1]} from {words[0]}")
    return 0


def _list(process: Process, words: list[str]) -> int:
    for key, value in sorted(process.machine.device_flags.items()):
        namespace, _, name = key.partition("/")
        if not words:
            process.line(f"{key}={value}")
        elif namespace == words[0]:
            process.line(f"{name}={value}")
    return 0


def _namespaces(process: Process, words: list[str]) -> int:
    del words
    for namespace in sorted({key.partition("/")[0] for key in process.machine.device_flags}):
        process.line(namespace)
    return 0


def _overrides(process: Process, words: list[str]) -> int:
    del process, words
    return 0


def _reset(process: Process, words: list[str]) -> int:
    if words[0].lower() not in _MODES:
        process.err(f"Invalid reset mode: {words[0]}")
        return FAILED
    for key in list(process.machine.device_flags):
        if len(words) == 1 or key.startswith(f"{words[1]}/"):
            del process.machine.device_flags[key]
    return 0


def _set_mode(process: Process, words: list[str]) -> int:
    if words[0] not in _SYNC_MODES:
        process.err(f"Invalid sync disabled mode: {words[0]}")
        return FAILED
    process.machine.properties[_MODE] = words[0]
    return 0


def _get_mode(process: Process, words: list[str]) -> int:
    del words
    process.line(process.machine.properties.get(_MODE, _SYNC_MODES[0]))
    return 0


_VERBS: dict[str, tuple[tuple[int, ...], Callable[[Process, list[str]], int]]] = {
    "get": ((2,), _get),
    "put": ((3, 4), _put),
    "override": ((3,), _put),
    "clear_override": ((2,), _delete),
    "delete": ((2,), _delete),
    "list": ((0, 1), _list),
    "list_namespaces": ((0, 1), _namespaces),
    "list_local_overrides": ((0,), _overrides),
    "reset": ((1, 2), _reset),
    "set_sync_disabled_for_tests": ((1,), _set_mode),
    "get_sync_disabled_for_tests": ((0,), _get_mode),
}
"""Verbs with the numbers of their arguments."""
