"""Real adb binaries, each with its own server, work with the virtual device as with a phone."""

import fcntl
import io
import os
import pty
import re
import select
import struct
import subprocess
import termios
import zipfile

import pytest
from PIL import Image

from tests.helpers.apk import apk
from tests.helpers.virtual import adb_server, read_line, virtual_device, virtual_process

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker")


def test_it_is_listed_with_its_names(adb, phone):
    listed = adb.run("devices", "-l").stdout.decode()
    assert re.search(
        rf"{phone.address}\s+device product:waymark_phone model:Waymark_Phone device:waymark_phone", listed
    )


def test_shell_keeps_streams_and_status_apart(adb):
    done = adb.run("shell", "echo out; echo err >&2; exit 7")
    assert (done.stdout, done.stderr, done.returncode) == (b"out\n", b"err\n", 7)


def test_an_unknown_command(adb):
    done = adb.run("shell", "foo")
    assert done.stderr == b"/system/bin/sh: foo: inaccessible or not found\n"
    assert done.returncode == 127


def test_stdin_goes_in(adb):
    assert adb.run("shell", "cat | wc -c", data=b"x" * 300_000).stdout == b"300000\n"
    assert adb.run("shell", data=b"echo a\nif true; then\necho b\nfi\nexit 3\n").stdout == b"a\nb\n"


def test_shell_without_packets(adb):
    assert (
        adb.run("shell", "-x", "echo hi; nope").stdout
        == b"hi\n/system/bin/sh: nope: inaccessible or not found\n"
    )


def test_a_terminal_has_a_prompt_and_echoes(adb):
    with adb.start("shell", "-tt") as shell:
        assert read_line(shell, end=b"$ ") == b"waymark:/ $ "
        shell.stdin.write(b"echo a$((1+1))bx\x7f\r")
        shell.stdin.flush()
        assert read_line(shell) == b"echo a$((1+1))bx\b \b\r\n"
        assert read_line(shell, end=b"$ ") == b"a2b\r\nwaymark:/ $ "
        shell.stdin.write(b"sleep 100\r")
        shell.stdin.flush()
        read_line(shell)
        shell.stdin.write(b"\x03")
        shell.stdin.flush()
        assert read_line(shell, end=b"$ ") == b"^C\r\n130|waymark:/ $ "
        shell.stdin.write(b"cat\r")
        shell.stdin.flush()
        read_line(shell)
        shell.stdin.write(b"\x03\x03")
        shell.stdin.flush()
        read_line(shell, end=b"$ ")
        shell.communicate(b"exit 4\r")
        assert shell.returncode == 4


def test_exec_out_is_binary(adb, phone):
    png = adb.run("exec-out", "screencap", "-p").stdout
    assert Image.open(io.BytesIO(png)).size == (720, 1600)
    raw = adb.run("exec-out", "screencap").stdout
    assert len(raw) == 16 + 720 * 1600 * 4


def test_a_bugreport_is_a_zip_that_opens(adb, tmp_path):
    done = adb.run("bugreport", str(tmp_path / "report.zip"))
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(tmp_path / "report.zip") as report:
        assert report.testzip() is None
        name = report.read("main_entry.txt").decode()
        assert re.fullmatch(r"bugreport-waymark_phone-AP4A\.261120\.001-2026-11-20-12-0\d-\d\d\.txt", name)
        text = report.read(name).decode()
    assert text.startswith(f"{'=' * 56}\n== dumpstate: 2026-11-20 12:0")
    for part in (
        "DUMP OF SERVICE meminfo:\nApplications Memory",
        "[ro.product.model]: [Waymark Phone]",
        "MemFree:",
    ):
        assert part in text


def test_a_terminal_of_the_clients_size(adb):
    """A terminal has the size of the client's window; its prompt completes names and draws wide letters."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 91, 0, 0))
    shell = subprocess.Popen(
        [adb.binary, "shell"], stdin=theirs, stdout=theirs, stderr=theirs, env=adb.environment, close_fds=True
    )
    os.close(theirs)
    try:
        with os.fdopen(ours, "r+b", buffering=0) as window:
            received = b""

            def expect(end: bytes) -> bytes:
                nonlocal received
                while end not in received:
                    assert select.select([window], [], [], 20)[0], received
                    received += window.read(4096)
                shown, _end, received = received.partition(end)
                return shown

            expect(b"waymark:/ $ ")
            window.write(b"stty si\x7fize; tty\r")
            assert expect(b"waymark:/ $ ").endswith(b"33 91\r\n/dev/pts/0\r\n")
            window.write("ech\to 中文x\x7f\r".encode())
            assert expect(b"waymark:/ $ ").endswith("中文\r\n".encode())
            window.write(b"\x1b[A\x1b[A\r")
            assert expect(b"waymark:/ $ ").endswith(b"33 91\r\n/dev/pts/0\r\n")
            window.write(b"\x04")
            assert shell.wait(20) == 0
    finally:
        shell.kill()
        shell.wait()


@pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 5_000_000])
def test_files_come_back_as_they_went(adb, tmp_path, size):
    data = (bytes(range(256)) * (size // 256 + 1))[:size]
    (tmp_path / "out").write_bytes(data)
    pushed = adb.run("push", str(tmp_path / "out"), f"/sdcard/Download/file {size} 汉字.bin")
    assert pushed.returncode == 0, pushed.stderr
    pulled = adb.run("pull", f"/sdcard/Download/file {size} 汉字.bin", str(tmp_path / "back"))
    assert pulled.returncode == 0, pulled.stderr
    assert (tmp_path / "back").read_bytes() == data


def test_folders_come_back_as_they_went(adb, tmp_path):
    for name in ("tree/a.txt", "tree/deep er/b 汉.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    adb.run("shell", "rm -rf /sdcard/tree")
    assert adb.run("push", str(tmp_path / "tree"), "/sdcard/").returncode == 0
    assert adb.run("pull", "/sdcard/tree", str(tmp_path / "back")).returncode == 0
    pulled = {str(path.relative_to(tmp_path / "back")) for path in (tmp_path / "back").rglob("*.txt")}
    assert pulled == {"a.txt", "deep er/b 汉.txt"}


def test_pushing_where_it_is_not_allowed(adb, tmp_path):
    (tmp_path / "x").write_bytes(b"x" * 200_000)
    done = adb.run("push", str(tmp_path / "x"), "/system/x")
    assert done.returncode != 0
    assert b"Read-only file system" in done.stdout + done.stderr
    assert adb.run("shell", "echo still here").stdout == b"still here\n"


def test_pulling_what_is_not_there(adb, tmp_path):
    assert adb.run("pull", "/sdcard/none", str(tmp_path / "x")).returncode != 0


def test_forward_reaches_a_listener_of_the_phone(adb, phone):
    import socket

    listener = phone.machine.sockets.listen("localabstract:echo")
    port = int(adb.run("forward", "tcp:0", "localabstract:echo").stdout)
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as near:
            near.sendall(b"ping")
            far = listener.accept(20)
            assert far.read() == b"ping"
            far.write(b"pong" * 200_000)
            received = b""
            while len(received) < 800_000 and (part := near.recv(1 << 20)):
                received += part
            assert received == b"pong" * 200_000
            far.close()
            assert near.recv(10) == b""
    finally:
        listener.close()
        adb.run("forward", "--remove-all")


def test_reverse_reaches_a_listener_of_the_computer(adb, phone):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(20)
        assert adb.run("reverse", "localabstract:back", f"tcp:{server.getsockname()[1]}").returncode == 0
        assert b"localabstract:back tcp:" in adb.run("reverse", "--list").stdout
        far = phone.machine.sockets.connect("localabstract:back")
        near, _address = server.accept()
        with near:
            far.write(b"hello")
            assert near.recv(100) == b"hello"
        assert far.read() == b""
        adb.run("reverse", "--remove-all")
        with pytest.raises(ConnectionRefusedError):
            phone.machine.sockets.connect("localabstract:back")


def test_logcat_is_followed(adb, phone):
    phone.phone.log("I", "Waymark", "before")
    reader = adb.start("logcat", "-v", "brief", "-s", "Waymark:I")
    try:
        while b"before" not in read_line(reader):
            pass
        phone.phone.log("D", "Waymark", "not this")
        phone.phone.log("I", "Waymark", "but this")
        assert re.fullmatch(rb"I/Waymark *\( *\d+\): but this\r?\n", read_line(reader))
    finally:
        reader.terminate()
        reader.communicate()


def test_installing_fails_with_a_reason(adb, tmp_path):
    for data, reason in (
        (apk("com.android.phone"), b"INSTALL_FAILED_UPDATE_INCOMPATIBLE"),
        (b"PK" + bytes(100_000), b"INSTALL_PARSE_FAILED_NOT_APK"),
    ):
        (tmp_path / "a.apk").write_bytes(data)
        done = adb.run("install", str(tmp_path / "a.apk"))
        assert done.returncode != 0
        assert b"Failure [" + reason in done.stdout + done.stderr


def test_adb_keyboard_is_installed_and_removed(adb, tmp_path):
    (tmp_path / "a.apk").write_bytes(apk("com.android.adbkeyboard"))
    assert adb.run("install", "-r", str(tmp_path / "a.apk")).stdout.endswith(b"Success\n")
    assert b"com.android.adbkeyboard/.AdbIME\n" in adb.run("shell", "ime list -s -a").stdout
    assert adb.run("uninstall", "com.android.adbkeyboard").stdout == b"Success\n"
    assert b"adbkeyboard" not in adb.run("shell", "ime list -s -a; pm list packages").stdout


def test_installing_several_parts_fails_with_the_reason_and_does_not_hang(adb, tmp_path):
    parts = [tmp_path / name for name in ("base.apk", "split.apk")]
    for part, split in zip(parts, ("", "config.en"), strict=True):
        part.write_bytes(apk("com.android.phone", split=split))
    done = adb.run("install-multiple", *map(str, parts), timeout=30)
    assert done.returncode != 0
    assert b"Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE" in done.stdout + done.stderr


def test_root_and_unknown_services(adb):
    assert adb.run("root").stdout == b"adbd cannot run as root in production builds\n"
    assert adb.run("sideload", "/dev/null").returncode != 0
    assert adb.run("shell", "echo alive").stdout == b"alive\n"


def test_disconnect_and_several_at_once(adb, phone):
    with virtual_device("shop", serial="OTHER") as other:
        adb.connect(other.address)
        serials = [
            adb.run("-s", address, "shell", "getprop ro.serialno").stdout.strip()
            for address in (phone.address, other.address)
        ]
        assert serials == [b"WAYMARK0001", b"OTHER"]
        assert adb.run("disconnect", other.address).returncode == 0
    assert phone.address in adb.run("devices").stdout.decode()


def test_the_command_says_ready_and_ends_cleanly():
    with virtual_process("--app", "todo", "--size", "480x800", "--density", "240") as (process, address):
        with adb_server() as server:
            server.connect(address)
            assert (
                server.run("shell", "wm size; wm density").stdout
                == b"Physical size: 480x800\nPhysical density: 240\n"
            )
        process.terminate()
        assert process.wait(20) == 0
