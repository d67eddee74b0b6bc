"""What the kernel has and is set to: ``sysctl``, ``lsmod``, ``acpi``, ``lsusb``, ``losetup``, ``blkid``."""

from __future__ import annotations

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_SETTINGS = "/proc/sys/"
_SUPPLIES = "/sys/class/power_supply"
_DENIED = "Permission denied"


@command("sysctl")
def sysctl(process: Process) -> int:
    """Print what the kernel is set to: ``sysctl KEY`` or ``-a``; setting it is denied."""
    options = read_options("sysctl", process.arguments, "aAeNnqw", "p")
    files = process.machine.files
    keys = options.operands
    if "a" in options or "A" in options:
        keys = [
            path.removeprefix(_SETTINGS) for path, entry in files.walk(_SETTINGS) if not entry.is_directory
        ]
    elif not keys:
        raise CommandError('sysctl: Needs 1 arg (see "sysctl --help")')
    status = 0
    for key in keys:
        name, equals, _value = key.partition("=")
        path = _SETTINGS + name.replace(".", "/")
        try:
            data = files.read(path)
        except OSError:
            if "e" not in options:
                process.err(f"sysctl: unknown key '{name}'")
                status = 1
            continue
        if equals or "w" in options:
            process.err(f"sysctl: key '{name}': {_DENIED}")
            status = 1
            continue
        for line in data.decode().splitlines():
            shown = name.replace("/", ".")
            only_name, only_value = "N" in options, "n" in options
            process.line(shown if only_name else line if only_value else f"{shown} = {line}")
    return status


@command("lsmod")
def lsmod(process: Process) -> int:
    """List the modules of the kernel, as ``/proc/modules`` has them."""
    process.line(f"{'Module':<23} {'Size':>4}  Used by")
    for line in process.machine.files.read("/proc/modules").decode().splitlines():
        name, size, users, by, *_rest = line.split()
        process.line(f"{name:<19} {size:>8}  {users} {by.rstrip(',').replace('-', '')}".rstrip())
    return 0


@command("modinfo", "modprobe")
def modinfo(process: Process) -> int:
    """Say what a module is, or load it; this kernel has none."""
    options = read_options(process.name, process.arguments, "0alrqvsDb", "bkF")
    if not options.operands:
        raise CommandError(f'{process.name}: Needs 1 argument (see "{process.name} --help")')
    folder = f"/lib/modules/{process.machine.files.read('/proc/sys/kernel/osrelease').decode().strip()}"
    process.err(f"{process.name}: {folder}: No such file or directory")
    if process.name == "modinfo":
        for name in options.operands:
            process.err(f"modinfo: {name}: not found")
    return 1


@command("acpi")
def acpi(process: Process) -> int:
    """Print the charge of the battery; with ``-a`` the charger, with ``-t`` the temperature, ``-V`` all."""
    options = read_options("acpi", process.arguments, "abctV")
    everything, files = "V" in options, process.machine.files

    def value(name: str) -> int:
        return int(files.read(f"{_SUPPLIES}/{name}").decode())

    if everything or "b" in options or not options.given:
        process.line(f"Battery 0: {value('battery/capacity')}%")
    if everything or "a" in options:
        process.line(f"Adapter 0: {'on' if value('ac/online') else 'off'}-line")
    return 0


@command("lsusb")
def lsusb(process: Process) -> int:
    """List USB devices, which is denied."""
    raise CommandError(f"{process.name}: /sys/bus/usb/devices/: {_DENIED}")


@command("losetup")
def losetup(process: Process) -> int:
    """Files that are devices; every one is denied."""
    options = read_options("losetup", process.arguments, "acdfrsDP", "joS")
    if "a" in options or "f" in options or "j" in options:
        name = "-f" if "f" in options else "/dev/block/loop0"
        raise CommandError(f"losetup: {name}: {_DENIED}")
    if not options.operands:
        raise CommandError('losetup: needs 1 arg (see "losetup --help")')
    raise CommandError(f"losetup: {options.operands[0]}: {_DENIED}")


@command("blkid", "blockdev")
def block_devices(process: Process) -> int:
    """What is on a block device, and its sizes; the devices are denied, and files are none."""
    options = read_options(process.name, process.arguments, "ULo", "s")
    names, is_listing = options.operands, process.name == "blkid"
    if not names and not is_listing:
        raise CommandError('blockdev: Needs 1 argument (see "blockdev --help")')
    status = 0
    for name in names or ["/dev/block/dm-0"]:
        refused = _DENIED if name.startswith("/dev/") else ""
        try:
            process.machine.files.entry(process.path(name))
        except OSError as error:
            refused = refused or reason(error)
        if not refused and not is_listing:
            refused = "Inappropriate ioctl for device"
        if refused:
            process.err(f"{process.name}: {name}: {refused}")
            status = 1
    return status
