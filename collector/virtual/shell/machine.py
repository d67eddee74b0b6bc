"""What a shell of the virtual phone can reach: the phone, its files, sockets and processes."""

from __future__ import annotations

import datetime as dt
import itertools
import stat
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING

from collector.model.event_emitter import EventEmitter
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.variation.phone_variation import PhoneVariation
from collector.virtual.android_versions import ANDROID_10
from collector.virtual.daemon.faults import Faults
from collector.virtual.daemon.sockets import DeviceSockets
from collector.virtual.shell.background_log import BackgroundLog
from collector.virtual.shell.file_locks import FileLocks
from collector.virtual.shell.files import Files
from collector.virtual.shell.input_nodes import InputNodes, input_nodes
from collector.virtual.shell.install_sessions import InstallSessions
from collector.virtual.shell.kernel_files.proc_files import KERNEL, install_proc_files
from collector.virtual.shell.kernel_files.socket_files import install_socket_files
from collector.virtual.shell.kernel_files.sys_files import install_sys_files
from collector.virtual.shell.package_files import UploadedApks, install_package_files
from collector.virtual.shell.process_table import CancelScope, ProcessTable
from collector.virtual.shell.refused_commands import missing_programs
from collector.virtual.shell.shared_storage import FileStorage
from collector.virtual.shell.terminal.terminal import Terminals
from collector.virtual.shell.users import PhoneUsers
from collector.virtual.system.phone_state.touch_report import TouchReport
from collector.virtual.ui.shared_files import SHARED

if TYPE_CHECKING:
    from collector.virtual.system.phone import Phone

Program = Callable[..., int]
"""Called with a :class:`~collector.virtual.shell.process.Process`; returns the exit status."""

_USER = "shell"
_FAULTS_OF_QUIRKS = {
    "input-refused": "input-denied", "never-idle": "idle-error", "automation-taken": "automation-taken",
    "black-screenshots": "black-screencap",
}  # fmt: skip
"""Quirks that are what a fault simulates, from the start of the phone."""


class Machine:
    """The operating system side of one virtual phone.

    ``programs`` holds commands of other packages by name (``screenrecord``) and main classes for
    ``app_process`` (``com.genymobile.scrcpy.Server``). With ``realistic`` commands take as long as on a
    phone. With ``lively_log`` the system writes to its log by itself, as that of a phone does.
    """

    def __init__(self, phone: Phone, *, realistic: bool = False, lively_log: bool = False) -> None:
        self.phone = phone
        if lively_log:
            phone.logcat.background = BackgroundLog(phone.clock, phone.profile.seed).due
        self.realistic = realistic
        media = phone.services.media
        self.files = Files(now=lambda: phone.clock.now.replace(tzinfo=dt.UTC).timestamp(), lock=media.lock)
        self.sockets = DeviceSockets()
        self.faults = Faults()
        for quirk, fault in _FAULTS_OF_QUIRKS.items():
            if quirk in phone.profile.quirks:
                self.faults.set(fault)
        self.processes = ProcessTable(lambda: phone.clock.uptime_ns)
        self.install_sessions = InstallSessions()
        self.uploaded_apks = UploadedApks()
        self.terminals = Terminals()
        self.touch_report = TouchReport()
        self.file_locks = FileLocks()
        self.users = PhoneUsers()
        # How code was compiled with pm compile, by package: status and reason.
        self.compiled: dict[str, tuple[str, str]] = {}
        self.programs: dict[str, Program] = {}
        # Values of setprop; they override the phone's own.
        self.properties: dict[str, str] = {}
        # Flags of device_config, by "NAMESPACE/KEY".
        self.device_flags: dict[str, str] = {}
        # What a name means in a reset typed on the phone itself. Raises ValueError for an unknown one.
        self.find_variation: Callable[[str], PhoneVariation] = PhoneVariation.parse
        self._dumps = itertools.count(1)
        self.halted = CancelScope()
        # Commands that a shell started with "&": they outlive it, up to the next restart.
        self.background = CancelScope(self.halted)
        # Emits when a command restarts the phone.
        self.restarts: EventEmitter[None] = EventEmitter()
        # Emits after a reset, which may have made another phone of it.
        self.resets: EventEmitter[None] = EventEmitter()
        _create_base_files(self.files)
        media.mount(FileStorage(self.files))
        self.files.shared_changed = media.note_change
        install_proc_files(self.files, phone, self.processes)
        install_socket_files(self.files, self.sockets)
        install_package_files(self.files, phone, self.uploaded_apks)
        install_sys_files(self.files, phone)
        for device in input_nodes(phone.profile, phone.profile.size).devices:
            self.files.install(device.path, mode=stat.S_IFCHR | 0o660)

    @property
    def input_nodes(self) -> InputNodes:
        """What ``/dev/input`` has, for the screen that the phone has now."""
        return input_nodes(self.phone.profile, self.phone.natural_size)

    def count_dump(self) -> int:
        """The number of the dump of the hierarchy that begins now, from 1."""
        return next(self._dumps)

    @property
    def missing_programs(self) -> frozenset[str]:
        """Programs that phones have, but not this one."""
        return missing_programs(self.phone.profile.quirks)

    def environment(self, term: str = "") -> dict[str, str]:
        """The environment that adbd gives a shell."""
        values = {
            "HOME": "/",
            "HOSTNAME": "waymark",
            "LOGNAME": _USER,
            "USER": _USER,
            "SHELL": "/bin/sh",
            "TMPDIR": "/data/local/tmp",
            "PATH": "/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/vendor/bin",
            "ANDROID_ROOT": "/system",
            "ANDROID_DATA": "/data",
            "EXTERNAL_STORAGE": "/sdcard",
        }
        return values | ({"TERM": term} if term else {})

    @property
    def not_found(self) -> str:
        """The error message for an unknown command; it changed in Android 10."""
        return "inaccessible or not found" if self.phone.profile.sdk >= ANDROID_10 else "not found"

    def restart(self) -> None:
        """Reset what does not survive a restart, apply the pending language and cut all connections."""
        persistent = {name: value for name, value in self.properties.items() if name.startswith("persist.")}
        locale = persistent.pop("persist.sys.locale", "")
        self.properties = persistent
        if locale:
            self.phone.settings.put("system", "system_locales", locale)
        background, self.background = self.background, CancelScope(self.halted)
        background.set()
        self.halted.leave(background)
        self.phone.services.restart()
        self.restarts.emit(None)

    def reset(self, setup: PhoneSetup) -> None:
        """Make phone, properties and the person's files as new, with the values that ``setup`` changes.

        Raises KeyError or ValueError for what there is not; nothing is changed then.
        """
        self.phone.reset(setup)
        self.properties, self.device_flags = {}, {}
        for name, _entry in self.files.list(SHARED):
            self.files.remove(f"{SHARED}/{name}", recursive=True)
        _create_user_folders(self.files)
        self.resets.emit(None)

    def close(self) -> None:
        """Stop all processes."""
        self.faults.close()
        self.halted.set()
        self.sockets.close()
        self.uploaded_apks.close()


def _create_user_folders(files: Files) -> None:
    """Create the empty folders of the shared storage."""
    for name in (
        "Alarms",
        "Android/data",
        "DCIM/Camera",
        "Documents",
        "Download",
        "Movies",
        "Music",
        "Pictures",
    ):
        files.make_directory(f"{SHARED}/{name}", parents=True, mode=0o770)


def _create_base_files(files: Files) -> None:
    """Create the folders, links and devices of every phone."""
    directory, link = stat.S_IFDIR | 0o755, stat.S_IFLNK | 0o777
    for path in ("/system/bin", "/vendor/bin", "/cache", "/mnt/user/0"):
        files.install(path, mode=directory)
    for path in ("/data", "/data/data", "/data/user"):
        files.install(path, mode=stat.S_IFDIR | 0o771)
    files.install("/data/local", mode=stat.S_IFDIR | 0o751)
    for path in ("/data/local/tmp", "/storage/emulated/0"):
        entry = files.install(path, mode=stat.S_IFDIR | 0o771)
        entry.uid = entry.gid = 2000
    _create_user_folders(files)
    files.install("/storage/self/primary", b"/storage/emulated/0", mode=link)
    files.install("/sdcard", b"/storage/self/primary", mode=link)
    files.install("/mnt/sdcard", b"/storage/self/primary", mode=link)
    files.install("/bin", b"/system/bin", mode=link)
    files.install("/etc", b"/system/etc", mode=link)
    files.install("/dev/pts/0", mode=stat.S_IFCHR | 0o660)
    files.install("/system/etc/hosts", b"127.0.0.1       localhost\n::1             ip6-localhost\n")
    for name in ("null", "zero", "tty", "random", "urandom"):
        files.install(f"/dev/{name}", mode=stat.S_IFCHR | 0o666)
    files.install("/proc/modules", b"")
    for name, value in (("ostype", "Linux"), ("osrelease", KERNEL), ("version", "#1 SMP PREEMPT")):
        files.install(f"/proc/sys/kernel/{name}", f"{value}\n".encode())
    # Tells this phone from another one of the same name and seed.
    files.install("/proc/sys/kernel/random/boot_id", f"{uuid.uuid4()}\n".encode())
