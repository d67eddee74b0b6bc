"""adb-shell, which needs no adb server."""

import asyncio
import io
import os
import tempfile
from pathlib import Path

from adb_shell.adb_device import AdbDeviceTcp
from adb_shell.adb_device_async import AdbDeviceTcpAsync
from adb_shell.auth.keygen import keygen
from adb_shell.auth.sign_pythonrsa import PythonRSASigner
from adb_shell.exceptions import AdbCommandFailureException, PushFailedError
from check_runner import check, run_checks

host, port = os.environ["ANDROID_SERIAL"].split(":")
FOLDER = Path(tempfile.mkdtemp())
device = AdbDeviceTcp(host, int(port), default_transport_timeout_s=9.0)


@check()
def connect_with_a_key() -> None:
    keygen(str(FOLDER / "key"))
    signer = PythonRSASigner.FromRSAKeyPath(str(FOLDER / "key"))
    assert device.connect(rsa_keys=[signer], auth_timeout_s=5)
    assert device.available


@check()
def shell() -> None:
    assert device.shell("echo hello; echo err >&2") == "hello\nerr\n"


@check()
def shell_without_decoding() -> None:
    assert device.shell("printf '\\377'", decode=False) == b"\xff"


@check()
def streaming_shell() -> None:
    assert "".join(device.streaming_shell("for i in 1 2 3; do echo $i; done")) == "1\n2\n3\n"


@check()
def exec_out() -> None:
    assert device.exec_out("screencap -p", decode=False).startswith(b"\x89PNG")


@check()
def push_pull_and_stat() -> None:
    data = bytes(range(256)) * 999
    device.push(io.BytesIO(data), "/sdcard/a.bin", mtime=1_000_000_000)
    back = io.BytesIO()
    device.pull("/sdcard/a.bin", back)
    assert back.getvalue() == data
    mode, size, mtime = device.stat("/sdcard/a.bin")
    assert (mode & 0o170000, size, mtime) == (0o100000, len(data), 1_000_000_000)


@check("opens the files of a folder by their names alone")
def push_of_a_folder() -> None:
    (FOLDER / "d").mkdir()
    (FOLDER / "d" / "x").write_text("x")
    device.push(str(FOLDER / "d"), "/sdcard/d")
    assert device.shell("cat /sdcard/d/x") == "x"


@check()
def progress_of_a_push() -> None:
    seen = []
    (FOLDER / "p").write_bytes(b"x" * 300_000)
    device.push(str(FOLDER / "p"), "/sdcard/p", progress_callback=lambda *told: seen.append(told))
    assert sum(piece for _path, piece, _total in seen) == 300_000


@check()
def list_of_a_folder() -> None:
    assert "a.bin" in [entry.filename.decode() for entry in device.list("/sdcard")]


@check()
def a_refused_push() -> None:
    try:
        device.push(io.BytesIO(b"x"), "/system/x")
    except PushFailedError:
        return
    raise AssertionError("was not refused")


@check()
def a_missing_file() -> None:
    try:
        device.pull("/sdcard/nope", io.BytesIO())
    except AdbCommandFailureException:
        return
    raise AssertionError("was not refused")


@check()
def two_devices_at_once() -> None:
    other = AdbDeviceTcp(host, int(port), default_transport_timeout_s=9.0)
    other.connect(auth_timeout_s=5)
    assert other.shell("echo b") + device.shell("echo a") == "b\na\n"
    other.close()


@check()
def its_asynchronous_client() -> None:
    async def use() -> object:
        other = AdbDeviceTcpAsync(host, int(port), default_transport_timeout_s=9.0)
        await other.connect(auth_timeout_s=5)
        said = await other.shell("getprop ro.build.version.sdk")
        async_lines = [line async for line in other.streaming_shell("echo x")]
        await other.push(io.BytesIO(b"y"), "/sdcard/y")
        files = [entry.filename.decode() for entry in await other.list("/sdcard")]
        await other.close()
        return said, async_lines, "y" in files

    assert asyncio.run(use()) == ("35\n", ["x\n"], True)


@check()
def root_is_refused() -> None:
    device.root()
    assert device.shell("id -u") == "2000\n"


@check()
def reboot_and_connect_again() -> None:
    device.reboot()
    device.close()
    for _try in range(20):
        try:
            if device.connect(auth_timeout_s=5) and device.shell("getprop sys.boot_completed").strip() == "1":
                return
        except Exception:  # as long as it starts
            device.close()
    raise AssertionError("it did not come back")


run_checks()
