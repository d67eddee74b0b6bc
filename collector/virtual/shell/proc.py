"""The phone's processes: rows for ``ps``, and their folders in ``/proc``."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from collector.virtual.shell.files import FileEntry

if TYPE_CHECKING:
    from collector.virtual.shell.process_table import ProcessTable
    from collector.virtual.system.phone import Phone

SYSTEM_SERVER = 612
ADBD = 480
ZYGOTE = 310
_SYSTEM_PROCESSES = {1: ("init", "root"), ZYGOTE: ("zygote64", "root"), 420: ("surfaceflinger", "system")}
_MAX_NAME = 15
"""The kernel keeps this many characters of a name; of an app's name, the last ones."""
_STATES = {"S": "S (sleeping)", "T": "T (stopped)"}


def app_processes(phone: Phone) -> dict[int, str]:
    """Packages with a running process, by process id."""
    running = ((phone.pid_of(package.package), package.package) for package in phone.packages)
    return {pid: package for pid, package in running if pid is not None}


def user_name(uid: int) -> str:
    """The system's name for an app's user."""
    return f"u0_a{uid % 10000}"


def all_processes(phone: Phone, processes: ProcessTable) -> list[tuple[int, str, str]]:
    """Process id, user and name of all processes."""
    rows = [(pid, user, name) for pid, (name, user) in _SYSTEM_PROCESSES.items()]
    rows += [(ADBD, "shell", "adbd"), (SYSTEM_SERVER, "system", "system_server")]
    uids = {package.package: package.uid for package in phone.packages}
    rows += [(pid, user_name(uids[name]), name) for pid, name in app_processes(phone).items()]
    rows += [(process.pid, process.user, process.name) for process in processes]
    return sorted(rows)


def state_of(phone: Phone, name: str) -> str:
    """``T`` for a process stopped by a signal, else ``S``."""
    return "T" if phone.services.processes.stopped(name) else "S"


def process_folder(phone: Phone, processes: ProcessTable, pid: int) -> FileEntry | None:
    """Create ``/proc/PID`` on access; None when there is no such process."""
    row = next((process for process in all_processes(phone, processes) if process[0] == pid), None)
    if row is None:
        return None
    _pid, _user, name = row
    state = state_of(phone, name)
    short = name[-_MAX_NAME:]
    parent = 0 if pid == 1 else 1 if pid < SYSTEM_SERVER else ZYGOTE
    # Nothing is measured: the fields after the state, the parent and the groups are zeros.
    zeros = " ".join(["0"] * 46)
    files = {
        "cmdline": f"{name}\0",
        "comm": f"{short}\n",
        "stat": f"{pid} ({short}) {state} {parent} {parent} 0 {zeros}\n",
        "status": f"Name:\t{short}\nState:\t{_STATES[state]}\nTgid:\t{pid}\nPid:\t{pid}\nPPid:\t{parent}\n",
    }
    folder = FileEntry(stat.S_IFDIR | 0o555)
    folder.children = {
        file: FileEntry(stat.S_IFREG | 0o444, data=bytearray(text.encode())) for file, text in files.items()
    }
    return folder
