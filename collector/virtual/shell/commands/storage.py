"""``sm``: the volumes of the storage."""

from __future__ import annotations

from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_USAGE = """usage: sm list-disks [adoptable]
       sm list-volumes [public|private|emulated|stub|all]
       sm has-adoptable
       sm get-primary-storage-uuid
       sm set-force-adoptable [on|off|default]
       sm set-virtual-disk [true|false]

       sm partition DISK [public|private|mixed] [ratio]
       sm mount VOLUME
       sm unmount VOLUME
       sm format VOLUME
       sm benchmark VOLUME
       sm idle-maint [run|abort]
       sm fstrim

       sm forget [UUID|all]

       sm set-emulate-fbe [true|false]

       sm start-checkpoint <num-retries>

       sm supports-checkpoint

       sm unmount-app-data-dirs PACKAGE_NAME PID USER_ID
"""
_VOLUMES = (("private", "private mounted null"), ("emulated", "emulated;0 mounted null"))
_ANSWERS = {"has-adoptable": "false", "get-primary-storage-uuid": "null", "get-fbe-mode": "native",
            "supports-checkpoint": "true", "list-disks": ""}  # fmt: skip
_WITHOUT_EFFECT = ("set-force-adoptable", "set-sdcardfs", "set-virtual-disk", "set-emulate-fbe", "idle-maint",
                   "forget", "start-checkpoint")  # fmt: skip
"""They change what only a card or a disk would show, and the phone has none."""
_OF_A_VOLUME = ("mount", "unmount", "format", "benchmark", "partition")


@command("sm")
def storage_manager(process: Process) -> int:
    """Run one command of the storage manager."""
    verb, *words = process.arguments or [""]
    if verb == "list-volumes":
        wanted = words[0] if words else "all"
        for kind, row in _VOLUMES:
            if wanted in ("all", kind) or wanted not in ("public", "private", "emulated", "stub"):
                process.line(row)
    elif verb in _ANSWERS:
        if _ANSWERS[verb]:
            process.line(_ANSWERS[verb])
    elif verb == "fstrim":
        process.line("PersistableBundle[{}]")
    elif verb in _OF_A_VOLUME:
        volume = words[0] if words else "null"
        raise CommandError(f"Error: java.lang.IllegalArgumentException: No volume found for ID {volume}")
    elif verb not in _WITHOUT_EFFECT:
        process.stderr.write(_USAGE.encode())
        return 1
    return 0
