"""``app_process``: run a main class of a jar that a client pushed."""

from __future__ import annotations

from collector.virtual.shell.machine import Program
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import KILLED, Interrupted
from collector.virtual.shell.registry import command

SCRCPY = "com.genymobile.scrcpy.Server"
UIAUTOMATOR2 = "com.wetest.uia2.Main"
MOBILECLI = "com.mobilenext.mobilecli.DeviceServer"
_NEED_JAR = (UIAUTOMATOR2, MOBILECLI)
_SERVERS = {SCRCPY: "scrcpy", UIAUTOMATOR2: "uiautomator2"}


@command("app_process", "app_process64", "app_process32")
def app_process(process: Process) -> int:
    """Run a main class: ``app_process / com.genymobile.scrcpy.Server ARGUMENTS``."""
    words = [word for word in process.arguments if not word.startswith("-")]
    name = words[1] if len(words) > 1 else ""
    program = process.machine.programs.get(name)
    if program is None or (name in _NEED_JAR and not _has_jar(process)):
        raise CommandError(
            f"Error: Could not find or load main class {name}\n"
            f"Caused by: java.lang.ClassNotFoundException: {name}\nAborted",
            134,
        )
    first = process.arguments.index(name)
    process.argv = process.argv[first + 1 :]
    return run_killable(process, program, _SERVERS.get(name, ""))


def run_killable(process: Process, program: Program, server: str) -> int:
    """Run a server that a fault may kill."""
    faults = process.machine.faults
    if not faults.kills(server):
        with faults.killable(server, process.interruption.set):
            try:
                status = program(process)
            except Interrupted:
                if not faults.kills(server):
                    raise
        if not faults.kills(server):
            return status
    process.err("Killed")
    return KILLED


def _has_jar(process: Process) -> bool:
    jar = process.environment.get("CLASSPATH", "")
    return bool(jar) and process.machine.files.exists(process.path(jar))
