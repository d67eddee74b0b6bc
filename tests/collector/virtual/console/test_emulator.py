"""Virtual phones as emulators: sockets, real ``adb emu``, the product's own client, and the end."""

from __future__ import annotations

import signal
import socket
import threading
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.device.errors import CommandFailed, NotConnected
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.device.transport.emulator_console import run_console_command
from collector.host.sockets import connect
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.task import RESET_PHONE
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_record import ResetPlan
from collector.virtual.fleet.phone_options import PhoneOptions
from collector.virtual.fleet.phone_process import PhoneProcess
from tests.helpers.emulators import PORTS, virtual_emulator
from tests.helpers.virtual import adb_server

pytestmark = pytest.mark.shared_threads("adb", "console client")


def read_until(link: socket.socket, end: bytes) -> bytes:
    link.settimeout(10)
    data = b""
    while not data.endswith(end):
        received = link.recv(4096)
        assert received, data
        data += received
    return data


def test_a_client_that_hangs_keeps_nobody_waiting():
    with virtual_emulator("todo") as (_device, port):
        token = (Path.home() / ".emulator_console_auth_token").read_text("ascii")
        with connect(port, 5) as silent, connect(port, 5) as talking:
            silent.sendall(b"auth ")  # and no more
            read_until(talking, b"OK\r\n")
            talking.sendall(b"auth wrong\r\n")
            assert read_until(talking, b"\r\n").startswith(b"KO: authentication token does not match")
            talking.sendall(f"auth {token}\r\n".encode())
            assert read_until(talking, b"OK\r\n").startswith(b"Android Console: type 'help'")
            talking.sendall(b"avd stop\r\navd status\r\n")
            assert read_until(talking, b"stopped\r\nOK\r\n") == b"OK\r\nvirtual device is stopped\r\nOK\r\n"
            talking.sendall(b"avd start\r\navd stop x\r\navd resume\r\navd status\r\n")
            assert read_until(talking, b"running\r\nOK\r\n").count(b"OK\r\n") == 4
        crowd = [connect(port, 5) for _client in range(20)]
        for client in crowd:
            client.settimeout(10)
        greeted = [bool(client.recv(1)) for client in crowd]
        assert greeted.count(False) >= 4, "sixteen at once"
        for client in crowd:
            client.close()
    with pytest.raises(OSError, match="refused"):
        connect(port, 1)


def test_two_emulators_answer_adb_emu(tmp_path):
    """Real adb, which lists each by its console's port, and finds token and console by itself."""
    with adb_server() as adb, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
        with (
            virtual_emulator("maps", serial="First") as (_first, port),
            virtual_emulator("todo", serial="Second") as (second, other),
        ):
            serial = f"emulator-{port}"

            def emu(*words: str) -> str:
                return adb.run("-s", serial, "emu", *words).stdout.decode().replace("\r\n", "\n")

            adb.run("-s", serial, "wait-for-device")
            adb.run("-s", f"emulator-{other}", "wait-for-device")
            listed = adb.run("devices", "-l").stdout.decode()
            assert f"{serial} " in listed
            assert f"emulator-{other} " in listed
            assert "product:sdk_gphone64_arm64 model:sdk_gphone64_arm64 device:emu64a" in listed
            assert emu("avd", "name") == "First\nOK\n"
            assert adb.run("-s", f"emulator-{other}", "emu", "avd", "name").stdout == b"Second\r\nOK\r\n"
            assert emu("geo", "fix", "-8.396", "43.371", "5") == "OK\n"
            assert emu("sms", "send", "5551234", "On my way") == "OK\n"
            assert emu("power", "health", "overheat") == "OK\n"
            assert emu("gsm", "call", "5551234") == "OK\n"
            asked = (
                "dumpsys location; dumpsys battery; content query --uri content://sms --projection body; "
                "dumpsys window | grep mCurrentFocus; getprop ro.hardware; getprop ro.kernel.qemu; "
                "getprop ro.boot.qemu.avd_name; getprop ro.product.model"
            )
            said = adb.run("-s", serial, "shell", asked).stdout.decode()
            assert "last location=Location[gps 43.371000,-8.396000 hAcc=5.0 et=+" in said
            assert "\n  health: 3\n" in said
            assert "body=On my way" in said
            assert said.endswith("\nranchu\n1\nFirst\nsdk_gphone64_arm64\n")
            assert emu("gsm", "list") == "inbound from 5551234    : incoming\nOK\n"
            killed = threading.Event()
            second.killed.subscribe(lambda _event: killed.set())
            assert adb.run("-s", f"emulator-{other}", "emu", "kill").stdout == (
                b"OK: killing emulator, bye bye\r\nOK\r\n"
            )
            assert killed.wait(10)
            (Path.home() / ".emulator_console_auth_token").write_text("another", "ascii")
            token = tmp_path / "home"
            token.mkdir()
            patch.setenv("HOME", str(token))
            (token / ".emulator_console_auth_token").write_text("wrong", "ascii")
            assert "KO: unknown command, try 'help'" in emu("power", "display")


def test_the_products_own_clients_know_it():
    """An adb server that did not run when the emulator started is told by whoever connects to it."""
    with virtual_emulator("todo", serial="Mine") as (device, port):
        server = AdbServer()
        server.connect(device.address)
        phone = AdbDevice(device.address)
        assert phone.serial == f"emulator-{port}"
        assert run_console_command(phone, ["avd", "name"]) == "Mine"
        with pytest.raises(CommandFailed, match="doesn't exist"):
            run_console_command(phone, ["avd", "snapshot", "load", "nope"])
        phone.shell("settings put global waymark_test 7")
        reset_phone(phone, ResetPlan(RESET_PHONE, setup=PhoneSetup(seed=9, locale="zh-CN")))
        assert device.phone.profile.seed == 9, "a virtual phone can be reset whole, emulator or not"
        assert device.phone.locale == "zh-CN"
        assert phone.shell("settings get global waymark_test; getprop ro.boot.qemu").text == "null\n1\n"
    with pytest.raises(NotConnected, match="nothing answers"):
        server.connect(f"emulator-{port}")


def test_a_process_takes_a_pair_of_ports_and_is_killed_by_its_console():
    phone = PhoneProcess(PhoneOptions(apps=("todo",), emulator=True, port=PORTS[-1]))
    ended = threading.Event()
    phone.ended.subscribe(lambda _reason: ended.set())
    with phone:
        assert phone.wait_ready() == f"emulator-{PORTS[-1]}"
        AdbServer().connect(phone.address)
        run_console_command(AdbDevice(phone.address), ["gsm", "list"])
        with connect(PORTS[-1], 5) as console:
            token = (Path.home() / ".emulator_console_auth_token").read_text("ascii")
            console.sendall(f"auth {token}\nkill\n".encode())
            assert read_until(console, b"bye bye\r\nOK\r\n")
        assert ended.wait(20)
        assert not phone.is_running


def test_a_pair_of_ports_begins_with_an_even_one_and_is_free(monkeypatch, capsys):
    monkeypatch.setattr(signal, "signal", lambda *_handler: None)  # the verb would keep Ctrl+C
    words = ("device", "virtual", "--emulator", "--app", "todo", "--port")
    assert main((*words, "5555")) == 2
    assert "an even number from 5554 to 5680" in capsys.readouterr().err
    with virtual_emulator("todo") as (_device, port):
        assert main((*words, str(port))) == 1
        assert f"all pairs from {port} to {port + 1} are in use" in capsys.readouterr().err
