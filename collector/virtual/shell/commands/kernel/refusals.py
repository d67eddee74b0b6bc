"""Programs whose work root alone may do, in the words of toybox: what can be said before, and the refusal."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.shell.commands.files.files import reason
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_NOT_PERMITTED, _DENIED = "Operation not permitted", "Permission denied"
_UNUSABLE = 125
_NAMESPACES = {"C": "cgroup", "i": "ipc", "m": "mnt", "n": "net", "p": "pid", "u": "uts", "U": "user"}


def _options(
    process: Process, flags: str, valued: str = "", least: int = 1, status: int = 1
) -> CommandOptions:
    """The options of a program that wants ``least`` operands, of which the first may be a command."""
    options = read_options(process.name, process.arguments, flags, valued, until_operand=True)
    if len(options.operands) < least:
        wanted = "Needs 1 argument" if least == 1 else f"Need {least} arguments"
        raise CommandError(f'{process.name}: {wanted} (see "{process.name} --help")', status)
    return options


def _require(process: Process, name: str, status: int = 1) -> None:
    """Raise CommandError for a file that is not there."""
    try:
        process.machine.files.entry(process.path(name))
    except OSError as error:
        raise CommandError(f"{process.name}: {name}: {reason(error)}", status) from None


@command("insmod")
def insmod(process: Process) -> int:
    """Load a module of the kernel."""
    name = _options(process, "").operands[0]
    _require(process, name)
    raise CommandError(f"insmod: failed to load {name}: {_NOT_PERMITTED}")


@command("rmmod")
def rmmod(process: Process) -> int:
    """Unload a module of the kernel."""
    name = _options(process, "wf").operands[0].rpartition("/")[2].removesuffix(".ko")
    raise CommandError(f"rmmod: failed to unload {name}: {_NOT_PERMITTED}")


@command("swapon", "swapoff")
def swap(process: Process) -> int:
    """Begin or end to swap to a device."""
    name = _options(process, "ad", "p").operands[0]
    failed = f"Couldn't swapon '{name}'" if process.name == "swapon" else "failed to remove swaparea"
    raise CommandError(f"{process.name}: {failed}: {_NOT_PERMITTED}")


@command("chroot")
def chroot(process: Process) -> int:
    """Run a command within another root folder."""
    name = _options(process, "", status=_UNUSABLE).operands[0]
    _require(process, name, _UNUSABLE)
    raise CommandError(f"chroot: {name}: {_NOT_PERMITTED}", _UNUSABLE)


@command("pivot_root")
def pivot_root(process: Process) -> int:
    """Swap two root folders."""
    old, new = _options(process, "", least=2).operands[:2]
    raise CommandError(f"pivot_root: '{old}' -> '{new}': {_NOT_PERMITTED}")


@command("umount")
def umount(process: Process) -> int:
    """Take file systems away."""
    options = read_options("umount", process.arguments, "acDflnrv", "t")
    if not options.operands:
        if "a" not in options:
            raise CommandError("umount: Need 1 arg or -a")
        raise CommandError(f"umount: /: {_NOT_PERMITTED}")
    for name in options.operands:
        _require(process, name)
        process.err(f"umount: {name}: {_NOT_PERMITTED}")
    return 1


@command("unshare")
def unshare(process: Process) -> int:
    """Run a command in namespaces of its own; without one to unshare it just runs."""
    options = _options(process, "afrCimnpuU")
    if {*"a", *_NAMESPACES} & set(options.given):
        raise CommandError(f"unshare: {_NOT_PERMITTED}")
    return process.shell.execute(options.operands, process.streams, process.environment)


@command("nsenter")
def nsenter(process: Process) -> int:
    """Run a command in the namespaces of a process."""
    options = _options(process, "aFCimnpuU", "t")
    kind = next((name for letter, name in _NAMESPACES.items() if letter in options or "a" in options), "")
    if not kind:
        return process.shell.execute(options.operands, process.streams, process.environment)
    if "t" not in options:
        raise CommandError("nsenter: need -t or =filename")
    raise CommandError(f"nsenter: /proc/{options.get('t')}/ns/{kind}: {_DENIED}")


@command("setenforce")
def setenforce(process: Process) -> int:
    """Let SELinux refuse, or only tell."""
    word = _options(process, "").operands[0]
    states = {"1": "1", "enforcing": "1", "0": "0", "permissive": "0"}
    if word.lower() not in states:
        raise CommandError(f"setenforce: Invalid state: {word}")
    raise CommandError(f"setenforce: Couldn't set enforcing status to '{word}': {_DENIED}")


@command("load_policy")
def load_policy(process: Process) -> int:
    """Load a policy of SELinux."""
    name = _options(process, "").operands[0]
    _require(process, name)
    raise CommandError(f"load_policy: couldn't read: {_DENIED}")


@command("runcon")
def runcon(process: Process) -> int:
    """Run a command as another kind of process of SELinux."""
    context = _options(process, "", least=2).operands[0]
    raise CommandError(f"runcon: Could not set context to {context}: Invalid argument")


def _refuse_device(place: Callable[[CommandOptions], str]) -> Callable[[Process], int]:
    """A program that opens a device, which is denied."""

    def run(process: Process) -> int:
        flags, valued, least = _DEVICES[process.name]
        path = place(_options(process, flags, valued, least))
        if path.startswith("/dev/"):
            raise CommandError(f"{process.name}: {path}: {_DENIED}")
        _require(process, path)
        raise CommandError(f"{process.name}: ioctl failed: Inappropriate ioctl for device")

    return run


_DEVICES: dict[str, tuple[str, str, int]] = {
    "hwclock": ("hlurstw", "f", 0),
    "rtcwake": ("aluv", "dmst", 0),
    "rfkill": ("", "", 1),
    "devmem": ("", "", 1),
    "freeramdisk": ("", "", 0),
    "fsfreeze": ("fu", "", 1),
    "partprobe": ("", "", 1),
    "blkdiscard": ("f", "olsz", 1),
    "i2cdetect": ("aqrly", "", 1),
    "i2cdump": ("fy", "", 2),
    "i2cget": ("fy", "", 3),
    "i2cset": ("fy", "", 4),
    "gpioget": ("l", "", 2),
    "gpioset": ("l", "", 2),
}
"""Flags, options with a value and the least number of operands of each."""
command("hwclock", "rtcwake")(
    _refuse_device(lambda options: options.get("f") or options.get("d") or "/dev/rtc0")
)
command("rfkill")(_refuse_device(lambda _options: "/dev/rfkill"))
command("devmem")(_refuse_device(lambda _options: "/dev/mem"))
command("freeramdisk")(_refuse_device(lambda options: (options.operands or ["/dev/ram"])[0]))
command("fsfreeze", "partprobe", "blkdiscard")(_refuse_device(lambda options: options.operands[0]))
command("i2cdetect", "i2cdump", "i2cget", "i2cset")(
    _refuse_device(lambda options: f"/dev/i2c-{options.operands[0]}")
)
command("gpioget", "gpioset")(
    _refuse_device(lambda options: f"/dev/gpiochip{options.operands[0].removeprefix('gpiochip')}")
)


@command("gpiodetect", "gpiofind", "gpioinfo", "lspci")
def nothing(process: Process) -> int:
    """List devices of a kind that the phone has none of."""
    del process
    return 0


@command("inotifyd")
def inotifyd(process: Process) -> int:
    """Run a program when files change; the phone's files tell nobody."""
    name = _options(process, "", least=2).operands[1].partition(":")[0]
    _require(process, name)
    raise CommandError(f"inotifyd: {name}: {_DENIED}")


@command("microcom")
def microcom(process: Process) -> int:
    """Talk to a serial port; no file of the phone is one."""
    name = _options(process, "X", "s").operands[0]
    _require(process, name)
    raise CommandError(f"microcom: {name}: Inappropriate ioctl for device")


@command("mkswap")
def mkswap(process: Process) -> int:
    """Make a place to swap to."""
    name = _options(process, "", "L").operands[0]
    _require(process, name)
    raise CommandError(f"mkswap: {name}: {_DENIED}")


@command("nbd-client")
def network_device(process: Process) -> int:
    """Use the disk of another computer."""
    name = _options(process, "ns", least=3).operands[2]
    _require(process, name)
    raise CommandError(f"nbd-client: {name}: {_DENIED}")


@command("tunctl")
def tunctl(process: Process) -> int:
    """Make or delete a tunnel."""
    options = _options(process, "dtT", "u")
    if not {"d", "t"} & set(options.given):
        raise CommandError('tunctl: Needs -dt (see "tunctl --help")')
    raise CommandError(f"tunctl: /dev/net/tun: {_DENIED}")


@command("iptables", "ip6tables", "iptables-save", "ip6tables-save")
def iptables(process: Process) -> int:
    """The rules of the firewall, which root alone may see."""
    words = process.arguments
    if "--version" in words or "-V" in words:
        process.line(f"{process.name} v1.8.10 (legacy)")
        return 0
    if process.name.endswith("-save"):
        raise CommandError(
            f"{process.name} v1.8.10 (legacy): Cannot initialize: {_DENIED} (you must be root)"
        )
    table = words[words.index("-t") + 1] if "-t" in words[:-1] else "filter"
    family = process.name.removesuffix("tables") + "tables"
    raise CommandError(
        f"{process.name} v1.8.10 (legacy): can't initialize {family} table `{table}': {_DENIED} "
        "(you must be root)\n"
        f"Perhaps {family} or your kernel needs to be upgraded.",
        3,
    )
