"""``ime``: list, enable and choose keyboards."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import FAILED, required, without_user
from collector.virtual.system.input_methods import LATIN, METHODS, Method
from collector.virtual.system.settings import SettingsStore

_CURRENT, _ENABLED = "default_input_method", "enabled_input_methods"


@command("ime")
def ime(process: Process) -> int:
    """``list``, ``set``, ``enable``, ``disable``, ``reset``."""
    words = without_user(process.arguments)
    run = _COMMANDS.get(words[0]) if words else None
    if run is None:
        if words and words[0] not in ("help", "-h"):
            process.line(f"Unknown command: {words[0]}")
        else:
            process.out(
                "ime <command>:\n  list [-a] [-s]\n  enable <ID>\n  disable <ID>\n  set <ID>\n  reset\n"
            )
        return FAILED
    return run(process, words[1:])


def _enabled(store: SettingsStore) -> list[str]:
    return [method_id for method_id in (store.get("secure", _ENABLED) or "").split(":") if method_id]


def _list(process: Process, words: list[str]) -> int:
    letters = "".join(word[1:] for word in words if word.startswith("-"))
    enabled = _enabled(process.machine.phone.settings)
    for method in METHODS:
        if "a" in letters or method.id in enabled:
            process.out(f"{method.id}\n" if "s" in letters else _described(method))
    return 0


def _described(method: Method) -> str:
    package, _slash, name = method.id.partition("/")
    return (
        f"{method.id}:\n  mId={method.id} mSettingsActivityName=null mIsVrOnly=false "
        "mSupportsSwitchingToNextInputMethod=true\n  mIsDefaultResId=0x0\n  Service:\n    priority=0 "
        "preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\n    ServiceInfo:\n"
        f"      name={package}{name}\n      packageName={package}\n"
    )


def _id(process: Process, verb: str, words: list[str]) -> str:
    """The id in its stored form; the class name may be given in full."""
    text = required(process, verb, list(words))
    package, slash, name = text.partition("/")
    return f"{package}/{name.removeprefix(package)}" if slash else text


def _set(process: Process, words: list[str]) -> int:
    name = _id(process, "set", words)
    store = process.machine.phone.settings
    if name not in _enabled(store):
        raise CommandError(f"Unknown input method {name} cannot be selected for user #0", FAILED)
    store.put("secure", _CURRENT, name)
    process.line(f"Input method {name} selected for user #0")
    return 0


def _enable(process: Process, words: list[str]) -> int:
    name = _id(process, "enable", words)
    store = process.machine.phone.settings
    if name not in {method.id for method in METHODS}:
        raise CommandError(f"Unknown input method {name} cannot be enabled for user #0", FAILED)
    enabled = _enabled(store)
    process.line(f"Input method {name}: {'already' if name in enabled else 'now'} enabled for user #0")
    if name not in enabled:
        store.put("secure", _ENABLED, ":".join([*enabled, name]))
    return 0


def _disable(process: Process, words: list[str]) -> int:
    """Disable a keyboard; a visible one is replaced, by the phone's default when none is left."""
    name = _id(process, "disable", words)
    store = process.machine.phone.settings
    enabled = _enabled(store)
    process.line(f"Input method {name}: {'now' if name in enabled else 'already'} disabled for user #0")
    if name in enabled:
        left = [method_id for method_id in enabled if method_id != name] or [LATIN.id]
        store.put("secure", _ENABLED, ":".join(left))
        if store.get("secure", _CURRENT) == name:
            store.put("secure", _CURRENT, left[0])
    return 0


def _reset(process: Process, words: list[str]) -> int:
    del words
    store = process.machine.phone.settings
    store.put("secure", _ENABLED, ":".join(method_id.id for method_id in METHODS))
    store.put("secure", _CURRENT, LATIN.id)
    process.line(f"Reset current and enabled IMEs for user #0\n  Selected: {LATIN.id}")
    for method in METHODS:
        process.line(f"   Enabled: {method.id}")
    return 0


_COMMANDS: dict[str, Callable[[Process, list[str]], int]] = {
    "disable": _disable,
    "enable": _enable,
    "list": _list,
    "reset": _reset,
    "set": _set,
}
