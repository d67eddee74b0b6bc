"""The files of ``/system`` that follow from what the phone has: programs, and ``build.prop``."""

from __future__ import annotations

import datetime as dt
import stat

from collector.virtual.shell import registry
from collector.virtual.shell.build_properties import properties
from collector.virtual.shell.files import FileEntry
from collector.virtual.shell.machine import Machine

_SHELL_GID = 2000
_OF_BUILD = ("ro.build.", "ro.product.")
# A shared object of 64 bits for arm64, as position-independent programs are.
_ELF = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\0\xb7\0\x01\0\0\0" + bytes(40)
"""A program's file: the programs themselves are part of this computer's."""
_FIRST_PROGRAM = 1 << 20


def install_system_files(machine: Machine) -> None:
    """Create the files of a machine; those of programs when somebody first looks."""
    machine.files.entry("/system/bin").fill = lambda: _programs(machine)
    machine.files.install("/system/build.prop", lambda: _build_properties(machine))


def _programs(machine: Machine) -> dict[str, FileEntry]:
    """The files of ``/system/bin``, one for each command that is no builtin of the shell alone."""
    names = {*registry.programs(), *(name for name in machine.programs if "." not in name)}
    names -= machine.missing_programs
    started = machine.phone.clock.now.replace(tzinfo=dt.UTC).timestamp()
    return {
        name: FileEntry(stat.S_IFREG | 0o755, 0, _SHELL_GID, started, bytearray(_ELF), inode=number)
        for number, name in enumerate(sorted(names), _FIRST_PROGRAM)
    }


def _build_properties(machine: Machine) -> bytes:
    """``/system/build.prop``: what ``getprop`` prints of the build."""
    lines = [f"{name}={value}" for name, value in properties(machine).items() if name.startswith(_OF_BUILD)]
    return "\n".join(["# begin common build properties", *lines, ""]).encode()
