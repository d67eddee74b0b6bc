"""``ime``: list, enable and choose keyboards."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import FAILED, required, without_user
from collector.virtual.system.input.input_method_manager import InputMethodManager
from collector.virtual.system.windows.input_methods import Method


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


def _manager(process: Process) -> InputMethodManager:
    return process.machine.phone.services.input_methods


def _list(process: Process, words: list[str]) -> int:
    letters = "".join(word[1:] for word in words if word.startswith("-"))
    manager = _manager(process)
    enabled = manager.enabled
    for method in manager.installed:
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
    if not _manager(process).select(name):
        raise CommandError(f"Unknown input method {name} cannot be selected for user #0", FAILED)
    process.line(f"Input method {name} selected for user #0")
    return 0


def _enable(process: Process, words: list[str]) -> int:
    name = _id(process, "enable", words)
    try:
        now = _manager(process).enable(name)
    except KeyError:
        raise CommandError(f"Unknown input method {name} cannot be enabled for user #0", FAILED) from None
    process.line(f"Input method {name}: {'now' if now else 'already'} enabled for user #0")
    return 0


def _disable(process: Process, words: list[str]) -> int:
    """Disable a keyboard; a visible one is replaced."""
    name = _id(process, "disable", words)
    now = _manager(process).disable(name)
    process.line(f"Input method {name}: {'now' if now else 'already'} disabled for user #0")
    return 0


def _reset(process: Process, words: list[str]) -> int:
    del words
    manager = _manager(process)
    manager.reset()
    process.line(f"Reset current and enabled IMEs for user #0\n  Selected: {manager.current}")
    for name in manager.enabled:
        process.line(f"   Enabled: {name}")
    return 0


_COMMANDS: dict[str, Callable[[Process, list[str]], int]] = {
    "disable": _disable,
    "enable": _enable,
    "list": _list,
    "reset": _reset,
    "set": _set,
}
