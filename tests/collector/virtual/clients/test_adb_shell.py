"""adb-shell, which speaks ADB itself and needs no adb server, works with the virtual phone unchanged."""

import asyncio
import io
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from adb_shell.adb_device import AdbDeviceTcp
from adb_shell.adb_device_async import AdbDeviceTcpAsync
from adb_shell.auth.keygen import keygen
from adb_shell.auth.sign_cryptography import CryptographySigner
from adb_shell.auth.sign_pythonrsa import PythonRSASigner
from adb_shell.exceptions import AdbCommandFailureException, DeviceAuthError, PushFailedError

from collector.virtual.daemon.server import LOOPBACK
from tests.helpers.virtual import virtual_device

# What hangs fails by this limit. The client would wait ten seconds for each answer anyway.
pytestmark = [pytest.mark.shared_threads("adb", "adbd", "phone-ticker"), pytest.mark.timeout(60)]

BIG = bytes(range(256)) * 14_000
"""More than three payloads of the largest size, and no multiple of one."""


@pytest.fixture(scope="module")
def phone():
    with virtual_device("todo") as device:
        yield device


@pytest.fixture
def device(phone):
    client = AdbDeviceTcp(LOOPBACK, phone.port, default_transport_timeout_s=20)
    assert client.connect()
    yield client
    client.close()


def names(entries):
    return {bytes(entry.filename).decode() for entry in entries}


def test_commands(device):
    assert device.shell("echo out; echo err >&2; exit 3") == "out\nerr\n"
    assert device.exec_out("getprop ro.product.model") == "Waymark Phone\n"
    assert device.exec_out("screencap -p", decode=False).startswith(b"\x89PNG\r\n")
    assert len(device.shell("screencap", decode=False)) == 16 + 720 * 1600 * 4
    assert list(device.streaming_shell("for i in 1 2 3; do echo $i; done")) == ["1\n", "2\n", "3\n"]


def test_a_stream_that_is_left_open_holds_up_no_other_command(device, phone):
    phone.phone.log("I", "Waymark", "before")
    log = device.streaming_shell("logcat -v brief -s Waymark:I")
    assert next(log).startswith("--------- beginning of main\n")
    for number in range(3):
        phone.phone.log("I", "Waymark", f"line {number}")
        assert device.shell(f"echo {number}") == f"{number}\n"
    assert any("line 0" in text for text in log)


def test_folders_and_status(device):
    device.shell("rm -rf /sdcard/listed; mkdir -p /sdcard/listed/sub; echo hello > /sdcard/listed/a")
    entries = device.list("/sdcard/listed")
    assert names(entries) == {".", "..", "a", "sub"}
    assert {entry.size for entry in entries if entry.filename == b"a"} == {6}
    mode, size, mtime = device.stat("/sdcard/listed/a")
    assert (mode & 0o170000, size) == (0o100000, 6)
    assert mtime == int(device.shell("stat -c %Y /sdcard/listed/a"))
    assert device.stat("/sdcard/none") == (0, 0, 0)
    assert device.list("/sdcard/none") == []


@pytest.mark.parametrize("data", [b"", b"x", BIG], ids=["empty", "a byte", "several payloads"])
def test_bytes_come_back_as_they_went(device, data):
    device.push(io.BytesIO(data), "/sdcard/Download/a b 汉字.bin", mtime=1_600_000_000)
    assert device.stat("/sdcard/Download/a b 汉字.bin")[1:] == (len(data), 1_600_000_000)
    back, pieces = io.BytesIO(), []
    device.pull("/sdcard/Download/a b 汉字.bin", back, lambda _path, piece, _total: pieces.append(piece))
    assert back.getvalue() == data
    assert sum(pieces) == len(data)


def test_files_and_a_folder(device, tmp_path, monkeypatch):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / name).write_text(name)
    # adb-shell 0.4.4 opens the files of a folder by their names alone.
    monkeypatch.chdir(folder)
    device.push(str(folder), "/sdcard/folder")
    assert names(device.list("/sdcard/folder")) == {".", "..", "one", "two"}
    device.pull("/sdcard/folder/two", str(tmp_path / "back"))
    assert (tmp_path / "back").read_text() == "two"


def test_refusals_leave_the_connection_usable(device):
    with pytest.raises(PushFailedError, match="Read-only file system"):
        device.push(io.BytesIO(BIG), "/system/x")
    with pytest.raises(AdbCommandFailureException, match="No such file"):
        device.pull("/sdcard/none", io.BytesIO())
    device.root()
    assert device.shell("id -u") == "2000\n"


def test_several_connections_at_a_time(phone):
    def work(number):
        client = AdbDeviceTcp(LOOPBACK, phone.port, default_transport_timeout_s=20)
        client.connect()
        back = io.BytesIO()
        client.push(io.BytesIO(BIG[number:]), f"/sdcard/several{number}")
        client.pull(f"/sdcard/several{number}", back)
        client.close()
        return back.getvalue() == BIG[number:]

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


def test_a_phone_that_asks_for_a_key(phone, tmp_path):
    keygen(str(tmp_path / "key"))
    private, public = ((tmp_path / name).read_text() for name in ("key", "key.pub"))
    client = AdbDeviceTcp(LOOPBACK, phone.port, default_transport_timeout_s=20)
    try:
        for signer in (PythonRSASigner(public, private), CryptographySigner(str(tmp_path / "key"))):
            phone.faults.set("unauthorized", seconds=0)
            with pytest.raises(DeviceAuthError):
                client.connect()
            # The callback is called when the public key was sent: then a person accepts it.
            assert client.connect(
                [signer], auth_timeout_s=20, auth_callback=lambda _client: phone.faults.clear("unauthorized")
            )
            assert client.shell("echo accepted") == "accepted\n"
    finally:
        phone.faults.clear("unauthorized")
        client.close()


def test_a_restart_ends_the_connection_and_a_new_one_works(device, phone):
    restarted = threading.Event()
    unsubscribe = phone.faults.on_drop(restarted.set)
    device.shell("setprop debug.mine 1")
    device.reboot()
    assert restarted.wait(20)
    unsubscribe()
    device.close()
    assert device.connect()
    assert device.shell("getprop debug.mine; echo back") == "\nback\n"


def test_its_asynchronous_client(phone, tmp_path):
    async def use():
        client = AdbDeviceTcpAsync(LOOPBACK, phone.port, default_transport_timeout_s=20)
        await client.connect()
        assert await client.shell("echo hi") == "hi\n"
        assert [line async for line in client.streaming_shell("echo a; echo b")] == ["a\n", "b\n"]
        await client.push(io.BytesIO(BIG), "/sdcard/async")
        await client.pull("/sdcard/async", str(tmp_path / "back"))
        assert "async" in names(await client.list("/sdcard"))
        assert (await client.stat("/sdcard/async"))[1] == len(BIG)
        await client.close()

    asyncio.run(use())
    assert (tmp_path / "back").read_bytes() == BIG
