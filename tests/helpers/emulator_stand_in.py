"""A stand-in for the emulator of the Android SDK: words, files, console, adb; a virtual phone inside.

``install`` makes the folders of an SDK and of an AVD; the program it puts there runs this module. What one
emulator does wrong on purpose stands in a file ``behaviour`` of its AVD, one word a line:

- ``dies``; ``hangs`` (never finishes booting); ``black``
- ``ends-late`` (writes its disk when its console is closed already); ``stays`` (ends by no request);
  ``mute`` (its console accepts and says nothing)
- ``no-snapshots``, ``bad-snapshot`` and ``bad-memory`` (its machine stops when the snapshot does not load);
  these three are read again for each snapshot
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import struct
import sys
import threading
import time
from pathlib import Path

from tests.helpers import emulator_messages as messages

ROOT = Path(__file__).resolve().parents[2]
BEHAVIOUR = "behaviour"
CLEAN = b"clean image"
_BOOT_SECONDS = 0.3
_LATE_SECONDS = 0.5
_FLAGS = (
    "-no-window",
    "-no-audio",
    "-no-boot-anim",
    "-no-snapshot-save",
    "-no-snapshot-load",
    "-no-snapshot",
)
_VALUES = ("-avd", "-port", "-snapshot", "-gpu")


def install(folder: Path, name: str = "Pixel", *behaviour: str) -> dict[str, str]:
    """Make an SDK and an AVD below ``folder``; the variables that lead an emulator there."""
    program = folder / "sdk" / "emulator" / "emulator"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m tests.helpers.emulator_stand_in "$@"\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    home = folder / "avd"
    avd = home / f"{name}.avd"
    avd.mkdir(parents=True, exist_ok=True)
    foreign = rf"C:\Users\lin\.android\avd\{name}.avd"
    (home / f"{name}.ini").write_text(
        f"avd.ini.encoding=UTF-8\npath={avd}\npath.rel=avd/{name}.avd\ntarget=android-34\n"
    )
    (avd / "config.ini").write_text(
        f"AvdId={name}\navd.ini.displayname={name}\nhw.lcd.width=720\nimage.sysdir.1=system-images/android-34/x/\n"
    )
    (avd / "hardware-qemu.ini").write_text(
        f"avd.name = {name}\ndisk.dataPartition.path = {avd}/userdata-qemu.img\n"
        f"hw.sdCard.path = {foreign}\\sdcard.img\n"
    )
    (avd / "userdata-qemu.img").write_bytes(CLEAN)
    (avd / "userdata-qemu.img.qcow2").write_bytes(qcow2(f"{avd}/userdata-qemu.img"))
    with (avd / "sdcard.img").open("wb") as card:
        card.truncate(64 << 20)
        card.seek(8 << 20)
        card.write(b"data")
    (avd / BEHAVIOUR).write_text("\n".join(behaviour))
    return {"ANDROID_HOME": str(folder / "sdk"), "ANDROID_AVD_HOME": str(home)}


def qcow2(base: str) -> bytes:
    """The beginning of a disk image that stands on another one."""
    path = base.encode()
    head = b"QFI\xfb" + struct.pack(">IQI", 3, 112, len(path))
    return head.ljust(112, b"\0") + path + b"\0" * 16


class _Emulator:
    def __init__(self, name: str, port: int, snapshot: str) -> None:
        self.name, self.port, self.snapshot = name, port, snapshot
        home = Path(os.environ["ANDROID_AVD_HOME"])
        values = _ini(home / f"{name}.ini")
        self.folder = Path(values["path"])
        config = _ini(self.folder / "config.ini")
        assert config["AvdId"] == name, config
        hardware = _ini(self.folder / "hardware-qemu.ini")
        for key in ("disk.dataPartition.path", "hw.sdCard.path"):
            assert hardware[key].startswith(str(self.folder)), hardware
        self.lock = self.folder / "hardware-qemu.ini.lock"
        self.disk = self.folder / "userdata-qemu.img"
        self.ended = threading.Event()

    @property
    def behaviour(self) -> list[str]:
        return (self.folder / BEHAVIOUR).read_text().split()

    def run(self) -> int:
        if "dies" in self.behaviour:
            sys.stdout.write(messages.NO_IMAGE)
            return 1
        self.lock.mkdir()
        (self.lock / "pid").write_text(str(os.getpid()))
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_arguments: self._end())
        try:
            self._run_phone()
            if "ends-late" in self.behaviour:
                time.sleep(_LATE_SECONDS)
                self.disk.write_bytes(self.disk.read_bytes() + b", ended")
        finally:
            shutil.rmtree(self.lock, ignore_errors=True)
        return 0

    def _say_nothing(self, *_session: object) -> bytes:
        self.ended.wait()
        return b""

    def _end(self) -> None:
        if "stays" not in self.behaviour:
            self.ended.set()

    def _run_phone(self) -> None:
        from collector.virtual.apps import make_apps
        from collector.virtual.console.session import ConsoleSession
        from collector.virtual.device import VirtualDevice
        from collector.virtual.system.phone import PhoneProfile

        self.device = VirtualDevice(
            PhoneProfile(apps=make_apps(("todo",)), serial=self.name), console=self.port
        )
        self.device.phone.snapshots = _DiskSnapshots(self)  # type: ignore[assignment]
        self.device.killed.subscribe(lambda _event: self._end())
        if "mute" in self.behaviour:
            ConsoleSession.greet = self._say_nothing  # type: ignore[method-assign, assignment]
        self._name_as_an_image()
        self.device.machine.properties["sys.boot_completed"] = ""
        if self.snapshot:
            self.load(self.snapshot)
        with self.disk.open("ab") as disk:
            disk.write(b", booted")
        with self.device:
            if "hangs" not in self.behaviour:
                self.ended.wait(_BOOT_SECONDS)
                self.device.machine.properties.pop("sys.boot_completed", None)
            if "black" in self.behaviour:
                self.device.faults.set("black-screencap")
            while not self.ended.wait(0.1):
                pass

    def _name_as_an_image(self) -> None:
        """It stands for the Android SDK's emulator, and not for a virtual phone."""
        names = {"ro.serialno": f"EMULATOR{self.port}", "ro.waymark.seed": ""}
        self.device.machine.properties |= names

    def load(self, name: str) -> bool:
        from collector.model.phone.phone_setup import PhoneSetup

        saved = self.folder / "snapshots" / name / "disk"
        if not saved.exists():
            return False
        shutil.copy(saved, self.disk)
        self.device.machine.reset(PhoneSetup())
        self._name_as_an_image()
        self.device.faults.drop()
        return True


class _DiskSnapshots:
    """Snapshots that keep the disk of the image in its folder; a phone of one is as new."""

    def __init__(self, emulator: _Emulator) -> None:
        self._emulator = emulator
        self.reset = emulator.device.phone.snapshots.reset

    def save(self, name: str) -> None:
        self._require()
        folder = self._emulator.folder / "snapshots" / name
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(self._emulator.disk, folder / "disk")

    def load(self, name: str) -> bool:
        self._require(loads=True)
        return self._emulator.load(name)

    def _require(self, *, loads: bool = False) -> None:
        from collector.virtual.console.command_table import ConsoleError

        behaviour = self._emulator.behaviour
        if "no-snapshots" in behaviour:
            raise ConsoleError("Device 'cache' is writable but does not support snapshots")
        state = "KO: Error -22 while loading VM state\n"
        if loads and "bad-snapshot" in behaviour:
            raise ConsoleError("Snapshot load failure: bad snapshot data", state)
        if loads and "bad-memory" in behaviour:
            self._emulator.device.faults.set("stall", seconds=0)
            failure = "KO: Snapshot load failure: RAM loading failed\n"
            raise ConsoleError("fatal error, VM stopped.", state + failure)


def _ini(path: Path) -> dict[str, str]:
    pairs = (line.partition("=") for line in path.read_text().splitlines())
    return {key.strip(): value.strip() for key, _equals, value in pairs}


def main(words: list[str]) -> int:
    options: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in _VALUES:
            options[word] = rest.pop(0)
        elif word not in _FLAGS:
            sys.stdout.write(f"unknown option: {word}\n")
            return 1
    try:
        emulator = _Emulator(options["-avd"], int(options["-port"]), options.get("-snapshot", ""))
    except FileNotFoundError:
        sys.stdout.write(f"PANIC: Unknown AVD name [{options['-avd']}], use -list-avds to see valid list.\n")
        return 1
    return emulator.run()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
