"""Users, time and processes: ``id``, ``date``, ``uname``, ``sleep``."""

from __future__ import annotations

import datetime as dt
import os
import re

from collector.virtual.shell.disk import mounts
from collector.virtual.shell.kernel_files.cpu_usage import CORES, load_averages
from collector.virtual.shell.options import read_options
from collector.virtual.shell.proc import user_name
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_GROUPS = (
    "2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),1078(ext_data_rw),"
    "1079(ext_obb_rw),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc),3011(uhid)"
)
_CONTEXT = "u:r:shell:s0"
_NEGATIVE = re.compile(r"-\d+")


@command("id")
def id_(process: Process) -> int:
    """Print the user and group ids."""
    words = process.arguments
    owner = _owner_uid(process)
    if owner is not None:
        name = user_name(owner)
        ids = f"uid={owner}({name}) gid={owner}({name}) groups={owner}({name}),3003(inet),9997(everybody)"
        context = "context=u:r:runas_app:s0:c120,c256,c512,c768"
        process.line((name if "-n" in words else str(owner)) if "-u" in words else f"{ids} {context}")
    elif "-u" in words:
        process.line("shell" if "-n" in words else "2000")
    else:
        process.line(f"uid=2000(shell) gid=2000(shell) groups={_GROUPS} context={_CONTEXT}")
    return 0


def _owner_uid(process: Process) -> int | None:
    """The user id of the package that ``run-as`` runs as."""
    packages = process.machine.phone.packages if process.shell.owner else []
    return next((package.uid for package in packages if package.package == process.shell.owner), None)


@command("whoami", "logname")
def whoami(process: Process) -> int:
    """Print the user name."""
    owner = _owner_uid(process)
    process.line("shell" if owner is None else user_name(owner))
    return 0


@command("hostname")
def hostname(process: Process) -> int:
    """Print the phone's network name."""
    process.line("waymark")
    return 0


@command("uname")
def uname(process: Process) -> int:
    """Print the kernel name and version."""
    if "-a" in process.arguments:
        process.line("Linux waymark 6.6.30-android15-8 #1 SMP PREEMPT aarch64 Toybox")
    else:
        values = {"-m": "aarch64", "-r": "6.6.30-android15-8", "-n": "waymark", "-o": "Toybox"}
        process.line(" ".join(values.get(word, "Linux") for word in process.arguments or ["-s"]))
    return 0


@command("nproc")
def nproc(process: Process) -> int:
    """Print the number of cores."""
    process.line(str(CORES))
    return 0


_CONFIGURATION = {
    "PAGESIZE": "4096", "PAGE_SIZE": "4096", "_NPROCESSORS_CONF": str(CORES),
    "_NPROCESSORS_ONLN": str(CORES), "CLK_TCK": "100",
    "ARG_MAX": "131072", "OPEN_MAX": "32768", "NAME_MAX": "255", "PATH_MAX": "4096", "LONG_BIT": "64",
    "HOST_NAME_MAX": "255", "CHILD_MAX": "14101",
}  # fmt: skip


_GETCONF_USAGE = (
    "usage: getconf -a [PATH] | -l | NAME [PATH]\n\n"
    "Get system configuration values. Values from pathconf(3) require a path.\n\n"
    '-a\tShow all (defaults to "/" if no path given)\n-l\tList available value names (grouped by source)\n'
)


@command("getconf")
def getconf(process: Process) -> int:
    """Print a value of the system's configuration: ``getconf PAGESIZE``."""
    words = process.arguments
    if words == ["-l"]:
        for name in _CONFIGURATION:
            process.line(name)
        return 0
    if words[:1] == ["-a"]:
        for name, value in _CONFIGURATION.items():
            process.line(f"{name:<35}{value}")
        return 0
    if not words:
        process.out(_GETCONF_USAGE)
        return 0
    if words[0] not in _CONFIGURATION:
        raise CommandError(f"getconf: bad '{words[0]}'")
    process.line(_CONFIGURATION[words[0]])
    return 0


@command("groups")
def groups(process: Process) -> int:
    """Print the names of the shell user's groups."""
    process.line(" ".join(re.findall(r"\(([^)]+)\)", _GROUPS)))
    return 0


@command("mount")
def mount(process: Process) -> int:
    """Print what is mounted."""
    if process.arguments:
        raise CommandError(f"mount: {process.arguments[-1]}: Permission denied")
    for entry in mounts(process.machine.files):
        process.line(f"{entry.device} on {entry.path} type {entry.kind} ({entry.options})")
    return 0


@command("mountpoint")
def mountpoint(process: Process) -> int:
    """Whether a folder is where something is mounted: ``-q`` by the status alone."""
    options = read_options("mountpoint", process.arguments, "qdx")
    if len(options.operands) != 1:
        raise CommandError('mountpoint: Needs 1 argument (see "mountpoint --help")')
    name = options.operands[0]
    files = process.machine.files
    try:
        files.entry(process.path(name))
    except OSError as error:
        if "q" in options:
            return 1
        raise CommandError(f"mountpoint: {name}: {os.strerror(error.errno or 0)}") from None
    is_one = files.resolve(process.path(name)) in {entry.path for entry in mounts(files)}
    if "q" not in options:
        process.line(f"{name} is {'' if is_one else 'not '}a mountpoint")
    return int(not is_one)


@command("dmesg")
def dmesg(process: Process) -> int:  # noqa: ARG001 - as every command
    """Refuse: the kernel's log is not for the shell user."""
    raise CommandError("dmesg: klogctl: Permission denied")


@command("getenforce")
def getenforce(process: Process) -> int:
    """Print that SELinux is enforcing, as on every phone that is sold."""
    process.line("Enforcing")
    return 0


@command("date")
def date(process: Process) -> int:
    """Print the phone's time; ``+FORMAT`` as strftime, ``-d @SECONDS`` for another time."""
    options = read_options("date", process.arguments, "u", "dDIrs")
    now = process.machine.phone.clock.now
    if options.get("d").startswith("@") and options.get("d")[1:].isdecimal():
        now = dt.datetime.fromtimestamp(int(options.get("d")[1:]), dt.UTC)
    pattern = next((word[1:] for word in options.operands if word.startswith("+")), "")
    if (options.operands and not pattern) or options.get("s"):
        raise CommandError("date: cannot set date: Operation not permitted")
    stamp = int(now.replace(tzinfo=dt.UTC).timestamp())
    fields = {"%s": str(stamp), "%N": f"{now.microsecond * 1000:09}", "%z": "+0000", "%Z": "GMT"}
    for field, value in fields.items():
        pattern = pattern.replace(field, value)
    process.line(now.strftime(pattern) if pattern else now.strftime("%a %b %e %H:%M:%S GMT %Y"))
    return 0


@command("uptime")
def uptime(process: Process) -> int:
    """Print how long the phone has been on."""
    phone = process.machine.phone
    days, minutes = divmod(phone.clock.uptime_ns // 60_000_000_000, 24 * 60)
    age = f"{minutes // 60:>2}:{minutes % 60:02}" if minutes >= 60 else f"{minutes} min"
    age = f"{days} day{'s' * (days != 1)}, {age}" if days else age
    loads = ", ".join(f"{load:.2f}" for load in load_averages(phone))
    process.line(f" {phone.clock.now:%H:%M:%S} up {age},  0 users,  load average: {loads}")
    return 0


@command("sleep", "usleep")
def sleep(process: Process) -> int:
    """Wait for a number of seconds."""
    units = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
    match = re.fullmatch(r"(\d*\.?\d+)([smhd]?)", process.arguments[0]) if process.arguments else None
    if match is None:
        raise CommandError(f'{process.name}: Needs 1 argument (see "{process.name} --help")')
    seconds = float(match[1]) * units.get(match[2], 1.0)
    process.sleep(seconds / 1e6 if process.name == "usleep" else seconds)
    return 0


@command("start", "stop")
def start(process: Process) -> int:
    """Start or stop the Android framework, which only root may do."""
    del process
    raise CommandError("Must be root")


@command("reboot")
def reboot(process: Process) -> int:
    """Cut every connection and reset what does not survive a restart; ``-p`` does, too."""
    words = process.arguments
    flag = next((word for word in words if word.startswith("-") and word != "-p"), "")
    if flag or len([word for word in words if word != "-p"]) > 1:
        unknown = f"reboot: unknown option -- {flag[1:2]}\n" if flag else ""
        raise CommandError(f"{unknown}usage: reboot [-p] [rebootcommand]")
    process.machine.restart()
    return 0
