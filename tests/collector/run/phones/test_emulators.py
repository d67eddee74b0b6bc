"""Emulators for a run, against a stand-in for the SDK's tools: copies, boot, reset, restart, clean-up."""

from __future__ import annotations

import os
import pickle
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from collector.device.device_lease import EXPERIMENT_RUN, owners_by_serial
from collector.device.errors import CallCancelled, CommandFailed
from collector.device.health.phone_health import check_phone
from collector.device.transport.adb_server import AdbServer
from collector.host.file_lock import hold, lock_path
from collector.host.other_processes import process_command
from collector.host.owned_folder import own_folder
from collector.model.errors import UserError
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.task import RESET_PHONE
from collector.reset.phone_reset import load_snapshot, reset_phone
from collector.reset.reset_record import ResetPlan
from collector.run.phones import avd_copy, emulator_provider
from collector.run.phones import running_emulators as running_emulators_module
from collector.run.phones.android_sdk import find_avd_home, find_sdk
from collector.run.phones.avd import find_avd
from collector.run.phones.avd_copy import make_copy
from collector.run.phones.emulator_process import EmulatorProcess
from collector.run.phones.emulator_provider import EmulatorProvider, EmulatorStart
from collector.run.phones.running_emulators import delete_abandoned, running_emulators
from tests.helpers import emulator_stand_in as stand_in
from tests.helpers.virtual import adb_server

PORTS = range(5600, 5680, 2)
"""Outside of those that an adb server of this computer looks at by itself."""
START = EmulatorStart(ports=PORTS, seconds=60)


@pytest.fixture(scope="module")
def adb():
    with adb_server() as server:
        yield server


@pytest.fixture
def copies(tmp_path, monkeypatch, adb):
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
    return tmp_path / "copies"


@pytest.fixture
def sdk(tmp_path, monkeypatch):
    for name, value in stand_in.install(tmp_path / "android").items():
        monkeypatch.setenv(name, value)
    return find_sdk()


def behave(copies: Path, name: str, *words: str) -> None:
    """What the emulator of a copy does wrong from now on."""
    (copies / name / f"{name}.avd" / stand_in.BEHAVIOUR).write_text("\n".join(words))


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_two_workers_have_an_emulator_each_and_leave_nothing(sdk, copies):
    before = contents(sdk.avd_home)
    provider = pickle.loads(pickle.dumps(EmulatorProvider("Pixel", 2, START, copies)))
    with ThreadPoolExecutor(2) as pool:
        phones = list(pool.map(provider.acquire, range(2)))
    try:
        assert [phone.name for phone in phones] == ["Pixel 1", "Pixel 2"]
        assert len({phone.device.serial for phone in phones}) == 2
        assert [check_phone(phone.device).problem for phone in phones] == ["", ""]
        running = {emulator.serial: emulator for emulator in running_emulators(PORTS)}
        assert {running[phone.device.serial].avd for phone in phones} == {"Pixel"}
        owners = owners_by_serial([phone.device for phone in phones])
        assert [owner.activity for owner in owners.values()] == [EXPERIMENT_RUN] * 2
        # The first runs apps and writes; a snapshot brings it back, a restart copies its image anew.
        first, second = phones
        device, pid = first.device, first.pid
        device.shell("settings put global waymark_test 7; touch /sdcard/Download/left")
        reset_phone(device, ResetPlan(RESET_PHONE, setup=PhoneSetup(seed=5)))
        assert device.shell("settings get global waymark_test; ls /sdcard/Download").text.split() == ["null"]
        with pytest.raises(UserError, match="language, screen and app states"):
            reset_phone(device, ResetPlan(RESET_PHONE, setup=PhoneSetup(locale="zh-CN")))
        name = running[device.serial].copy
        refused = (
            "does not have the requested snapshot 'unknown'; Snapshot load failure: snapshot doesn't exist"
        )
        with pytest.raises(CommandFailed, match=refused):
            load_snapshot(device, "unknown")
        behave(copies, name, "bad-snapshot")
        with pytest.raises(UserError, match=r"was not reset\. Error -22.*load failure: bad snapshot data"):
            reset_phone(device, ResetPlan(RESET_PHONE))
        assert check_phone(device).problem == "", "a real one goes on after such a failure"
        device.shell("cmd waymark fault set black-screencap")
        assert "black" in check_phone(device).problem
        # Worse: the machine stops, so that the console answers and nothing else does.
        behave(copies, name, "bad-memory")
        with pytest.raises(UserError, match="RAM loading failed; fatal error, VM stopped"):
            reset_phone(device, ResetPlan(RESET_PHONE))
        assert check_phone(device, seconds=0.5).is_gone
        disk = copies / name / f"{name}.avd" / "userdata-qemu.img"
        disk.write_bytes(b"damaged")
        first.restart()
        assert first.pid != pid
        assert check_phone(first.device).problem == ""
        assert disk.read_bytes() == stand_in.CLEAN + b", booted"
        assert check_phone(second.device).problem == ""
    finally:
        for phone in phones:
            phone.release()
    assert not list(copies.iterdir())
    assert not list(running_emulators(PORTS))
    assert contents(sdk.avd_home) == before


@pytest.mark.parametrize(
    ("behaviour", "seconds", "words"),
    [
        (
            "dies",
            60,
            r"ended while it started, with code 1. PANIC: Broken AVD system path\. Check.*"
            r"Install the system image of the AVD",
        ),
        (
            "hangs",
            2,
            r"Broken has not started within 2 s.*Start fewer at once",
        ),
        ("black", 60, r"Broken 1 cannot be used.*screen is black.*Try other graphics"),
    ],
)
def test_an_emulator_that_does_not_start_is_ended_and_its_copy_deleted(
    tmp_path, copies, monkeypatch, behaviour, seconds, words
):
    monkeypatch.setattr(emulator_provider, "_PICTURE_SECONDS", 0.0)
    for name, value in stand_in.install(tmp_path / "android", "Broken", behaviour).items():
        monkeypatch.setenv(name, value)
    provider = EmulatorProvider("Broken", 1, EmulatorStart(ports=PORTS, seconds=seconds), copies)
    with pytest.raises(UserError, match=words):
        provider.acquire(0)
    assert not list(copies.iterdir())
    assert not list(running_emulators(PORTS))


def test_an_image_without_snapshots_runs_but_is_not_reset(tmp_path, copies, monkeypatch):
    for name, value in stand_in.install(tmp_path / "android", "Plain", "no-snapshots").items():
        monkeypatch.setenv(name, value)
    phone = EmulatorProvider("Plain", 1, START, copies).acquire(0)
    try:
        with pytest.raises(UserError, match=r"does not support snapshots.*waymark device emulator start"):
            reset_phone(phone.device, ResetPlan(RESET_PHONE))
    finally:
        phone.release()


def test_a_start_can_be_cancelled(sdk, copies):
    copy = make_copy(find_avd(sdk, "Pixel"), copies)
    process = EmulatorProcess(sdk, copy, AdbServer(), ports=PORTS)
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(CallCancelled):
        process.start(cancel=stopped)
    assert process.pid is None
    copy.delete()


def test_a_copy_that_a_dead_program_left_is_ended_and_deleted(sdk, copies, monkeypatch):
    (find_avd(sdk, "Pixel").folder / stand_in.BEHAVIOUR).write_text("ends-late")
    owned = []
    monkeypatch.setattr(avd_copy, "own_folder", lambda *of: owned.append(own_folder(*of)) or owned[-1])
    copy = make_copy(find_avd(sdk, "Pixel"), copies)
    process = EmulatorProcess(sdk, copy, AdbServer(), ports=PORTS)
    process.start(seconds=60)
    kept = make_copy(find_avd(sdk, "Pixel"), copies)
    assert delete_abandoned(copies, PORTS) == 0
    owned[0].abandon()  # as the system does when a program dies
    child = process._process
    assert child is not None
    assert delete_abandoned(copies, PORTS) == 1
    assert child.wait(30) == 0, "its files were there until it had ended"
    assert [path.name for path in copies.iterdir() if path.is_dir()] == [kept.name]
    process.stop()
    kept.delete()


def test_an_emulator_that_hangs_is_found_by_its_copy_and_killed(sdk, copies, monkeypatch):
    monkeypatch.setattr(running_emulators_module, "_CONSOLE_SECONDS", 0.3)
    (find_avd(sdk, "Pixel").folder / stand_in.BEHAVIOUR).write_text("mute\nstays")
    copy = make_copy(find_avd(sdk, "Pixel"), copies)
    process = EmulatorProcess(sdk, copy, AdbServer(), ports=PORTS)
    process.start(seconds=60)
    pid = process.pid or 0
    assert not list(running_emulators(PORTS)), "its console does not say what it runs"
    (running,) = running_emulators(PORTS, copies)
    assert (running.copy, running.avd, running.serial) == (copy.name, "Pixel", process.device.serial)
    with monkeypatch.context() as patch:
        patch.setattr(running_emulators_module, "process_command", lambda _pid: "another program")
        patch.setattr(running_emulators_module, "_END_SECONDS", 0.2)
        with pytest.raises(UserError, match=rf"does not end: .*its process is {pid}\. End that process"):
            running.end(copies)
    assert copy.name in process_command(pid), "a process with the number of a dead emulator is left alone"
    running.end(copies)
    assert process_command(pid) == ""
    process.stop()
    copy.delete()


def test_a_copy_stands_on_its_own_files(sdk, copies):
    original = find_avd(sdk, "Pixel")
    copy = make_copy(original, copies)
    texts = {path.name: path.read_text() for path in (*copy.root.glob("*.ini"), *copy.folder.glob("*.ini"))}
    assert str(original.folder) not in "".join(texts.values())
    assert f"path={copy.folder}" in texts[f"{copy.name}.ini"]
    assert "target=android-34" in texts[f"{copy.name}.ini"]
    assert "path.rel" not in texts[f"{copy.name}.ini"]
    assert f"hw.sdCard.path = {copy.folder}/sdcard.img" in texts["hardware-qemu.ini"]
    assert f"AvdId={copy.name}\n" in texts["config.ini"]
    assert "image.sysdir.1=system-images/android-34/x/" in texts["config.ini"]
    disk = (copy.folder / "userdata-qemu.img.qcow2").read_bytes()
    offset, length = struct.unpack_from(">QI", disk, 8)
    assert disk[offset : offset + length] == b"userdata-qemu.img"
    card = copy.folder / "sdcard.img"
    assert card.stat().st_size == 64 << 20
    assert card.stat().st_blocks * 512 < 1 << 20, "holes stay holes"
    assert card.read_bytes() == (original.folder / "sdcard.img").read_bytes()
    copy.delete()
    copy.delete()


def test_an_image_that_an_emulator_runs_is_not_copied(sdk, copies):
    lock = find_avd(sdk, "Pixel").folder / "hardware-qemu.ini.lock"
    lock.write_text("4194303999")  # a lock of one that was killed
    make_copy(find_avd(sdk, "Pixel"), copies).delete()
    lock.write_text(str(os.getpid()))
    with pytest.raises(UserError, match=r"cannot be copied: an emulator runs it now.*Close that emulator"):
        make_copy(find_avd(sdk, "Pixel"), copies)


def test_a_disk_without_room_is_said_and_nothing_stays(sdk, copies, monkeypatch):
    monkeypatch.setattr("collector.run.phones.avd_copy.RESERVE", 1 << 60)
    with pytest.raises(UserError, match=r"cannot be copied. No space left.*Free some space"):
        make_copy(find_avd(sdk, "Pixel"), copies)
    assert not list(copies.iterdir())


def test_a_port_that_another_program_was_given_is_not_taken(sdk, copies, monkeypatch, tmp_path):
    monkeypatch.setattr("collector.host.emulator_ports.runtime_folder", lambda: tmp_path)
    ports = PORTS[:3]
    held = [hold(lock_path(tmp_path / "emulator-ports", str(port)), {}) for port in ports]
    copy = make_copy(find_avd(sdk, "Pixel"), copies)
    with pytest.raises(UserError, match="No port is free for another emulator"):
        EmulatorProcess(sdk, copy, AdbServer(), ports=ports).start()
    copy.delete()
    for file in held:
        file.release()


def test_without_an_emulator_it_says_where_it_was_looked_for(monkeypatch, tmp_path):
    monkeypatch.setenv("ANDROID_HOME", "/nowhere/sdk")
    monkeypatch.delenv("ANDROID_SDK_ROOT", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError) as failure:
        EmulatorProvider("Pixel").acquire(0)
    assert str(failure.value) == (
        "No Android emulator was found: looked for it in ANDROID_HOME (/nowhere/sdk), "
        "ANDROID_SDK_ROOT (not set), in the usual folder of the SDK and on the PATH. "
        "Install the emulator with Android Studio or sdkmanager, and set ANDROID_HOME to the SDK"
    )


def test_an_image_that_is_not_there_names_those_that_are(sdk, tmp_path):
    with pytest.raises(UserError, match=r"no emulator image \(AVD\) Nexus.*has: Pixel.*avdmanager"):
        find_avd(sdk, "Nexus")
    with pytest.raises(UserError, match="no emulator image"):
        find_avd(sdk, "../Pixel")
    with pytest.raises(UserError, match=r"Pixel has no snapshot clean.*it has none\. Save one"):
        EmulatorProvider("Pixel", 1, EmulatorStart("clean")).require()
    saved = find_avd(sdk, "Pixel").folder / "snapshots" / "signed-in"
    saved.mkdir(parents=True)
    (saved / "snapshot.pb").touch()
    with pytest.raises(UserError, match=r"no snapshot clean.*it has: signed-in"):
        EmulatorProvider("Pixel", 1, EmulatorStart("clean")).acquire(0)
    assert EmulatorProvider("Pixel", 1, EmulatorStart("signed-in")).require() == sdk
    (find_avd(sdk, "Pixel").folder / "config.ini").unlink()
    with pytest.raises(UserError, match="incomplete: there is no file"):
        find_avd(sdk, "Pixel")


def test_the_sdk_is_found_on_the_path_and_avds_as_the_emulator_looks_for_them(sdk, tmp_path, monkeypatch):
    program = sdk.emulator
    environment = {"PATH": str(program.parent)}
    assert find_sdk(environment).emulator == program
    assert find_sdk(environment).root == program.parents[1]
    (tmp_path / "user" / "avd").mkdir(parents=True)
    assert find_avd_home({"ANDROID_USER_HOME": str(tmp_path / "user")}) == tmp_path / "user" / "avd"
    assert find_avd_home({"ANDROID_USER_HOME": str(tmp_path / "none")}) == Path.home() / ".android" / "avd"
