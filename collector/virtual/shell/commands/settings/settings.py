"""``settings``: get, put, list and delete by namespace and key."""

from __future__ import annotations

from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import FAILED, unknown

_NAMESPACES = ("system", "secure", "global")
_USAGE = """Settings provider (settings) commands:
  help
      Print this help text.
  get [--user <USER_ID> | current] NAMESPACE KEY
      Retrieve the current value of KEY.
  put [--user <USER_ID> | current] NAMESPACE KEY VALUE [TAG] [default]
      Change the contents of KEY to VALUE.
      TAG to associate with the setting.
      {default} to set as the default, case-insensitive only for global/secure namespace
  delete [--user <USER_ID> | current] NAMESPACE KEY
      Delete the entry for KEY.
  reset [--user <USER_ID> | current] NAMESPACE {PACKAGE_NAME | RESET_MODE}
      Reset the global/secure table for a package with mode.
      RESET_MODE is one of {untrusted_defaults, untrusted_clear, trusted_defaults}, case-insensitive
  list [--user <USER_ID> | current] NAMESPACE
      Print all defined keys.
      NAMESPACE is one of {system, secure, global}, case-insensitive
"""


@command("settings")
def settings(process: Process) -> int:
    """``get|put|delete|list NAMESPACE [KEY [VALUE]]``."""
    words = list(process.arguments)
    if "--user" in words:
        place = words.index("--user")
        del words[place : place + 2]
    needed = {"get": 3, "put": 4, "delete": 3, "list": 2, "reset": 2}
    if not words or words[0] in ("help", "-h"):
        process.out(_USAGE)
        return FAILED
    if words[0] not in needed:
        return unknown(process, words[0])
    if len(words) < needed[words[0]]:
        raise CommandError("Bad arguments", 255)
    namespace = words[1].lower()
    if namespace not in _NAMESPACES:
        raise CommandError(f"Invalid namespace '{words[1]}'", 255)
    return _apply(process, words[0], namespace, words[2:])


def _apply(process: Process, verb: str, namespace: str, words: list[str]) -> int:
    store = process.machine.phone.settings
    if verb == "get":
        value = store.get(namespace, words[0])
        process.line("null" if value is None else value)
    elif verb == "put":
        store.put(namespace, words[0], words[1])
    elif verb == "delete":
        process.line(f"Deleted {int(store.delete(namespace, words[0]))} rows")
    elif verb == "list":
        for key, value in store.list(namespace).items():
            process.line(f"{key}={value}")
    return 0
