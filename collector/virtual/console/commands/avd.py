"""``avd``: the image's name, its execution and its snapshots.

The list of snapshots is that of ``hmp_info_snapshots`` of QEMU: a snapshot holds no
memory of a machine, so its size is 0.
"""

from __future__ import annotations

from collector.virtual.console.command_table import ConsoleCommand, ConsoleError, Silence
from collector.virtual.console.emulator import Emulator

_HEAD = f"{'ID':<10}{'TAG':<20}{'VM SIZE':>7}{'DATE':>20}{'VM CLOCK':>15}"


def _name(emulator: Emulator, words: str) -> str:
    del words
    return f"{emulator.name}\n"


def _status(emulator: Emulator, words: str) -> str:
    del words
    return f"virtual device is {'running' if emulator.is_running else 'stopped'}\n"


def _stop(emulator: Emulator, words: str) -> str:
    del words
    if not emulator.is_running:
        raise ConsoleError("virtual device already stopped")
    emulator.halt(True)
    return ""


def _start(emulator: Emulator, words: str) -> str:
    del words
    if emulator.is_running:
        raise ConsoleError("virtual device already running")
    emulator.halt(False)
    return ""


def _pause(emulator: Emulator, words: str) -> str:
    del words
    emulator.halt(True)
    return ""


def _resume(emulator: Emulator, words: str) -> str:
    del words
    emulator.halt(False)
    return ""


def _window(emulator: Emulator, words: str) -> str:
    del emulator, words
    return "windowtype=headless\n"


def _list(emulator: Emulator, words: str) -> str:
    del words
    saved = emulator.phone.snapshots.saved
    if not saved:
        return "There is no snapshot available.\n"
    rows = []
    for name, (date, uptime_ns) in sorted(saved.items()):
        seconds, ms = divmod(uptime_ns // 1_000_000, 1000)
        clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{ms:03d}"
        rows.append(f"{'--':<10}{name:<20}{0:>7}{f'{date:%Y-%m-%d %H:%M:%S}':>20}{clock:>15}")
    return "List of snapshots present on all disks:\n" + "".join(f"{row}\n" for row in (_HEAD, *rows))


def _required(words: str, verb: str) -> str:
    if not words:
        raise ConsoleError(f"Argument missing, try 'avd snapshot {verb} <name>'")
    return words


def _save(emulator: Emulator, words: str) -> str:
    emulator.phone.snapshots.save(_required(words, "save"))
    return ""


def _load(emulator: Emulator, words: str) -> str:
    name = _required(words, "load")
    if not emulator.phone.snapshots.load(name):
        raise ConsoleError(
            "Snapshot load failure: snapshot doesn't exist",
            f"KO: Device 'cache' does not have the requested snapshot '{name}'\n",
        )
    return ""


def _delete(emulator: Emulator, words: str) -> str:
    """One that does not exist is no error: QEMU deletes it from every disk that has it."""
    emulator.phone.snapshots.delete(_required(words, "list"))
    return ""


def _last(emulator: Emulator, words: str) -> str:
    del words
    return f"{emulator.phone.snapshots.loaded or '(null)'}\n"


def _remap(emulator: Emulator, words: str) -> str:
    """Nothing is saved by itself, so nothing changes. The emulator says nothing when it has done it."""
    del emulator
    if words not in ("0", "1"):
        raise ConsoleError("Argument missing, try 'avd snapshot remap <auto-save>'")
    raise Silence("")


def _heartbeat(emulator: Emulator, words: str) -> str:
    """The guest counts the seconds of its life."""
    del words
    return f"heartbeat: {emulator.phone.clock.uptime_ns // 1_000_000_000}\n"


def _quiet(emulator: Emulator, words: str) -> str:
    """There is no sound that could change."""
    del emulator, words
    return ""


def _no_path(emulator: Emulator, words: str) -> str:
    """The phone lies in no AVD."""
    del emulator, words
    return "NO_AVD_INFO\n"


def _snapshot_path(emulator: Emulator, words: str) -> str:
    if not words:
        raise ConsoleError("snapshot name required")
    return _no_path(emulator, words)


_NO_INFO = "If no AVD can be found, 'NO_AVD_INFO' is returned."
_NO_PATH = "If the path cannot be queried, an empty string will be returned."
NAME = ConsoleCommand(
    "name", "query virtual device name", "'avd name' will return the name of this virtual device\n", _name
)
SNAPSHOT = ConsoleCommand(
    "snapshot",
    "state snapshot commands",
    "allows you to save and restore the virtual device state in snapshots\n",
    subcommands=(
        ConsoleCommand(
            "list", "list available state snapshots",
            "'avd snapshot list' will show a list of all state snapshots that can be loaded\n", _list,
        ),
        ConsoleCommand(
            "save", "save state snapshot",
            "'avd snapshot save <name>' will save the current (run-time) state to "
            "a snapshot with the given name\n",
            _save,
        ),
        ConsoleCommand(
            "load", "load state snapshot",
            "'avd snapshot load <name>' will load the state snapshot of the given name\n", _load,
        ),
        ConsoleCommand(
            "del", "delete state snapshot",
            "'avd snapshot del <name>' will delete the state snapshot with the given name\n", _delete,
        ),
        ConsoleCommand(
            "delete", "delete state snapshot",
            "'avd snapshot delete <name>' will delete the state snapshot with the given name\n", _delete,
        ),
        ConsoleCommand(
            "remap", "remap current snapshot RAM",
            "'avd snapshot remap <auto-save>' will activate or shut off Quickboot auto-saving\n"
            "while the emulator is running.\n"
            "<auto-save> value of 0: deactivate auto-save\n"
            "<auto-save> value of 1: activate auto-save\n"
            "- It is required that the current loaded snapshot be the Quickboot snapshot (default_boot).\n"
            "- If auto-saving is currently active and gets deactivated, a snapshot will be saved\n"
            "  to establish the last state.\n"
            "- If the emulator is not currently auto-saving and a remap command is issued,\n"
            "  the Quickboot snapshot will be reloaded with auto-saving enabled or disabled\n"
            "  according to the value of the <auto-save> argument.\n"
            "- This allows the user to set a checkpoint in the middle of running the emulator:\n"
            "  by starting the emulator with auto-save enabled, then issuing 'avd snapshot remap 0'\n"
            "  to disable auto-save and thus set the checkpoint. Subsequent 'avd snapshot remap 0'\n"
            "  commands will then repeatedly rewind to that checkpoint.\n"
            "  Issuing 'avd snapshot remap 1' after that will rewind again but activate auto-saving.\n",
            _remap,
        ),
        ConsoleCommand(
            "get", "print the name of the snapshot loaded into the current session",
            "'avd snapshot get' will print the name of the snapshot loaded into the current session\n"
            "It will print (null) if no snapshot has been loaded.", _last,
        ),
    ),
)  # fmt: skip


def avd_group(*subcommands: ConsoleCommand) -> ConsoleCommand:
    """The group ``avd`` with these commands."""
    return ConsoleCommand(
        "avd",
        "control virtual device execution",
        "allows you to control (e.g. start/stop) the execution of the virtual device\n",
        subcommands=subcommands,
    )


BEFORE_AUTH = avd_group(NAME)
"""Older versions of Android Studio ask for the name before they authenticate."""
AVD = avd_group(
    ConsoleCommand(
        "stop", "stop the virtual device",
        "'avd stop' stops the virtual device immediately, use 'avd start' to continue execution\n", _stop,
    ),
    ConsoleCommand(
        "start", "start/restart the virtual device",
        "'avd start' will start or continue the virtual device, use 'avd stop' to stop it\n", _start,
    ),
    ConsoleCommand(
        "status", "query virtual device status",
        "'avd status' will indicate whether the virtual device is running or not\n", _status,
    ),
    ConsoleCommand(
        "heartbeat", "query the heart beat number of the guest system",
        "'avd heartbeat' will report the number of heart beats from guest system running inside this avd\n",
        _heartbeat,
    ),
    ConsoleCommand(
        "rewindaudio", "rewind the input audio to the beginning",
        "'avd rewindaudio' will rewind the input of audio to beginning"
        "(applicable only to wav audio driver)\n", _quiet,
    ),
    NAME,
    SNAPSHOT,
    ConsoleCommand(
        "pause", "pause the virtual device",
        "'avd pause' pauses the virtual device. This is useful for saving system resources\n"
        "when the virtual device is not immediately needed.", _pause,
    ),
    ConsoleCommand(
        "hostmicon", "activate the host audio input device",
        "'avd hostmicon' allows real audio to go through the guest microphone input.\n", _quiet,
    ),
    ConsoleCommand(
        "hostmicoff", "deactivate the host audio input device",
        "'avd hostmicoff' sends zeroes to the guest microphone input regardless of host microphone "
        "signals.\n",
        _quiet,
    ),
    ConsoleCommand(
        "resume", "resume the virtual device", "'avd resume' resumes a previously-paused virtual device.\n",
        _resume,
    ),
    ConsoleCommand(
        "id", "query virtual device ID",
        "'avd id' will return the ID of this virtual device (possibly separate from the name)\n", _name,
    ),
    ConsoleCommand(
        "windowtype", "query virtual device headless or qtwindow",
        "'avd windowtype' will return either windowtype=headless or windowtype=qtwindow.\n", _window,
    ),
    ConsoleCommand(
        "path", "query AVD path",
        f"'avd path' will return the path to the AVD files. {_NO_INFO} {_NO_PATH}\n", _no_path,
    ),
    ConsoleCommand(
        "discoverypath", "query AVD discovery path",
        "'avd discoverypath' will return the path to the discovery file (for use with Studio embedded). "
        f"{_NO_INFO} {_NO_PATH}\n", _no_path,
    ),
    ConsoleCommand(
        "snapshotspath", "query AVD snapshots path",
        "'avd snapshotspath' will return the path where snapshots are stored for the current AVD. "
        f"{_NO_INFO} {_NO_PATH}\n", _no_path,
    ),
    ConsoleCommand(
        "snapshotpath", "query path to a particular AVD snapshot",
        "'avd snapshotpath <snapshotname>' will return the directory where a particular snapshot is stored. "
        "Requires one argument: the name of the snapshot on disk (The user-specified name is currently not "
        f"supported). {_NO_INFO} If the snapshot does not exist at that directory, 'NO_SNAPSHOT' is "
        "returned. If the path cannot be formed for some other reason, an empty string is returned.\n",
        _snapshot_path,
    ),
)  # fmt: skip
