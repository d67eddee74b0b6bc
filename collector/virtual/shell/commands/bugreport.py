"""``bugreportz`` and ``bugreport``: everything about the phone in one file."""

from __future__ import annotations

import io
import stat
import zipfile

from collector.virtual.shell.build_properties import device_name, properties
from collector.virtual.shell.files import SHELL_UID
from collector.virtual.shell.kernel_files.proc_files import KERNEL
from collector.virtual.shell.pipes import Collector, NullPipe, Streams
from collector.virtual.shell.process import CommandError, Process, encode
from collector.virtual.shell.registry import command

_FOLDER = "/data/user_de/0/com.android.shell/files/bugreports"
_VERSION = "1.2"
_USAGE = (
    "usage: bugreportz [-hpsv]\n"
    "  -h: to display this help message\n"
    "  -p: display progress\n"
    "  -s: stream content to standard output\n"
    "  -v: to display the version\n"
    "  or no arguments to generate a zipped bugreport\n"
)
_SECTIONS = (
    ("UPTIME", "uptime"),
    ("MEMORY INFO", "cat /proc/meminfo"),
    ("CPU INFO", "top -b -n 1 -H -s 6 -o pid,tid,user,pr,ni,%cpu,s,virt,res,pcy,cmd,name"),
    ("PROCESSES AND THREADS", "ps -A -T -Z -O pri,ni,pcy,time"),
    ("VIRTUAL MEMORY STATS", "vmstat"),
    ("FILESYSTEMS & FREE SPACE", "df"),
    ("SYSTEM LOG", "logcat -v threadtime -v printable -v uid -d *:v"),
    ("SYSTEM PROPERTIES", "getprop"),
    ("PACKAGES", "pm list packages -f -U"),
    ("NETWORK INTERFACES", "ip addr"),
    ("IP ROUTES", "ip route"),
)
_SERVICES = (
    "meminfo", "cpuinfo", "window", "activity", "battery", "power", "display", "input", "input_method",
    "package", "notification", "connectivity", "wifi", "gfxinfo", "SurfaceFlinger",
)  # fmt: skip
_LINE = "-" * 79


@command("bugreportz")
def bugreportz(process: Process) -> int:
    """Write a zipped report and print where it is; ``-p`` prints progress, ``-v`` the version."""
    words = process.arguments
    if "-h" in words:
        process.err(_USAGE.rstrip("\n"))
        return 0
    if "-v" in words:
        # To stderr, where adb reads it.
        process.err(_VERSION)
        return 0
    if unknown := [word for word in words if word not in ("-p", "-s")]:
        raise CommandError(f"bugreportz: unknown option -- {unknown[0].lstrip('-')}\n{_USAGE}".rstrip("\n"))
    name = _report_name(process)
    path, progress = f"{_FOLDER}/{name}.zip", "-p" in words
    if progress:
        process.line(f"BEGIN:{path}")
    text = _report(process, announce=progress)
    data = _zipped(process, name, text)
    if "-s" in words:
        process.stdout.write(data)
        return 0
    _store(process, path, data)
    process.line(f"OK:{path}")
    return 0


@command("bugreport")
def bugreport(process: Process) -> int:
    """Print the report as text, as before Android 7."""
    process.err(
        "=============================================================================\n"
        "WARNING: Flat (text file, non-zipped) bugreports are deprecated.\n"
        "WARNING: Please generate zipped bugreports instead.\n"
        "WARNING: On the host use: adb bugreport filename.zip\n"
        "WARNING: On the device use: bugreportz\n"
        "WARNING: bugreportz will output the filename to use with adb pull.\n"
        "============================================================================="
    )
    process.out(_report(process, announce=False))
    return 0


def _report_name(process: Process) -> str:
    build, now = properties(process.machine)["ro.build.id"], process.machine.phone.clock.now
    return f"bugreport-{device_name(process.machine)}-{build}-{now:%Y-%m-%d-%H-%M-%S}"


def _report(process: Process, *, announce: bool) -> str:
    """The text: a head, sections of commands, and what each service tells of itself."""
    values = properties(process.machine)
    now = process.machine.phone.clock.now
    total = len(_SECTIONS) + len(_SERVICES)
    parts = [
        "=" * 56 + f"\n== dumpstate: {now:%Y-%m-%d %H:%M:%S}\n" + "=" * 56 + "\n\n"
        f"Build: {values['ro.build.display.id']}\nBuild fingerprint: '{values['ro.build.fingerprint']}'\n"
        f"Bootloader: {values['ro.bootloader']}\nRadio: unknown\n"
        f"Kernel: Linux version {KERNEL} (build-user@build-host) #1 SMP PREEMPT\n"
        f"Android SDK version: {values['ro.build.version.sdk']}\n"
        f"Uptime: {_run(process, 'uptime').strip()}\nBugreport format version: 2.0\n\n"
    ]
    for number, (title, line) in enumerate(_SECTIONS, 1):
        parts.append(f"------ {title} ({line}) ------\n{_run(process, line)}\n")
        if announce:
            process.line(f"PROGRESS:{number}/{total}")
    parts.append(f"{'=' * 56}\n== Running Application Services\n{'=' * 56}\n")
    for number, service in enumerate(_SERVICES, len(_SECTIONS) + 1):
        parts.append(f"{_LINE}\nDUMP OF SERVICE {service}:\n{_run(process, f'dumpsys {service}')}\n")
        if announce:
            process.line(f"PROGRESS:{number}/{total}")
    parts.append(f"{'=' * 56}\n== dumpstate: done (id 1)\n{'=' * 56}\n")
    return "".join(parts)


def _run(process: Process, line: str) -> str:
    output = Collector()
    process.shell.fork().run_text(line.replace("*", "\\*"), Streams(NullPipe(), output, output))
    return output.data.decode("utf-8", "replace")


def _zipped(process: Process, name: str, text: str) -> bytes:
    stamp = process.machine.phone.clock.now.timetuple()[:6]
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for file, content in {
            "version.txt": "2.0",
            f"{name}.txt": text,
            "main_entry.txt": f"{name}.txt",
            "dumpstate_log.txt": f"{len(text)} bytes written to {name}.txt\n",
        }.items():
            archive.writestr(zipfile.ZipInfo(file, stamp), encode(content), zipfile.ZIP_DEFLATED)
    return memory.getvalue()


def _store(process: Process, path: str, data: bytes) -> None:
    """Keep only this report: Android deletes the ones before."""
    files = process.machine.files
    if files.exists(_FOLDER):
        for name, _entry in files.list(_FOLDER):
            files.remove(f"{_FOLDER}/{name}")
    entry = files.install(path, data, mode=stat.S_IFREG | 0o600)
    entry.uid = entry.gid = SHELL_UID
