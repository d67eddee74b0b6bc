"""Each subcommand of a real adb, with its less common options: it works, or says why not, and never hangs."""

import os
import re
import stat
import struct
import threading

import pytest

from tests.helpers.apk import apk
from tests.helpers.virtual import read_line

pytestmark = [pytest.mark.shared_threads("adb", "adbd", "phone-ticker"), pytest.mark.timeout(60)]

TODO = "com.waymark.todo"
KEYBOARD = "com.android.adbkeyboard"
REFUSED = b"Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE"


@pytest.fixture
def run(adb):
    """Run one command; return its exit status and both outputs as one."""

    def run_adb(*words, data=None):
        done = adb.run(*map(str, words), data=data, timeout=20)
        return done.returncode, done.stdout + done.stderr

    return run_adb


@pytest.fixture
def apks(tmp_path):
    """A package of the system, which the phone refuses, its split, and the keyboard that it takes."""
    packages = {
        "app": ("com.android.phone", ""),
        "split": ("com.android.phone", "config.en"),
        "keyboard": (KEYBOARD, ""),
    }
    paths = {}
    for name, (package, split) in packages.items():
        paths[name] = tmp_path / f"{name}.apk"
        paths[name].write_bytes(apk(package, split=split))
    return paths


def test_installing_with_options(run, apks):
    for options in (["-r", "-g"], ["--no-streaming"], ["-t", "-d"], ["--instant"], ["--abi", "arm64-v8a"]):
        status, output = run("install", *options, apks["app"])
        assert (status, REFUSED in output) == (1, True), (options, output)
    assert run("install", "--no-streaming", "-r", "-g", apks["keyboard"])[0] == 0
    assert run("uninstall", "--user", "0", KEYBOARD) == (0, b"Success\n")
    assert run("shell", "ls /data/local/tmp") == (0, b"")


def test_installing_several_apks(run, apks):
    for options in ([], ["-r", "-g", "-p", "com.android.phone"], ["--no-streaming"]):
        status, output = run("install-multiple", *options, apks["app"], apks["split"])
        assert (status, REFUSED in output) == (1, True), (options, output)
    assert run("install-multiple", apks["keyboard"]) == (0, b"Success\n")
    assert run("uninstall", KEYBOARD)[0] == 0


def test_installing_several_apps_is_all_or_nothing(run, apks):
    status, output = run("install-multi-package", apks["keyboard"], f"{apks['app']}:{apks['split']}")
    assert (status, REFUSED in output) == (1, True)
    assert run("shell", f"pm path {KEYBOARD}") == (1, b"")
    status, output = run("install-multi-package", apks["keyboard"])
    assert (status, output.endswith(b"Success\n")) == (0, True)
    assert run("uninstall", KEYBOARD)[0] == 0


def test_sessions_of_the_package_manager(run, apks):
    assert run("push", apks["keyboard"], "/data/local/tmp/k.apk")[0] == 0
    created = run("shell", "pm install-create -r")[1]
    session = re.fullmatch(rb"Success: created install session \[(\d+)\]\n", created)[1].decode()
    # The size may be given beside a path; standard input is open and must not be read.
    size = apks["keyboard"].stat().st_size
    written = run("shell", f"pm install-write -S {size} {session} base.apk /data/local/tmp/k.apk")
    assert written == (0, b"Success: streamed %d bytes\n" % size)
    assert run("shell", f"pm install-commit {session}") == (0, b"Success\n")
    assert b"Caller has no access to session" in run("shell", f"pm install-commit {session}")[1]
    assert b"Can't open file: /data/local/tmp/none" in run("shell", "pm install /data/local/tmp/none")[1]
    run("shell", f"pm uninstall {KEYBOARD}; rm /data/local/tmp/k.apk")


def test_what_is_not_removed(run):
    assert run("uninstall", "com.android.phone") == (1, b"Failure [DELETE_FAILED_INTERNAL_ERROR]\n")
    assert b"-k option" in run("uninstall", "-k", TODO)[1]
    assert run("uninstall", "com.nope") == (1, b"Failure [DELETE_FAILED_INTERNAL_ERROR]\n")


def test_what_only_other_builds_do(run, apks):
    assert b"cannot run as root in production builds" in run("root")[1]
    assert b"not running as root" in run("unroot")[1]
    assert b"Not running as root" in run("remount")[1]
    for verity in ("disable-verity", "enable-verity"):
        assert b"verity cannot be disabled/enabled - USER build" in run(verity)[1]
    assert b"sideload connection failed" in run("sideload", apks["app"])[1]
    assert b"unable to connect for backup" in run("backup", "-all", "-f", apks["app"].parent / "backup")[1]


def test_restarts_of_adbd(run, adb, phone):
    dropped = threading.Event()
    unsubscribe = phone.faults.on_drop(lambda: dropped.set())
    for words, answer in (
        (["usb"], b"restarting in USB mode\n"),
        (["tcpip", "5555"], b"restarting in TCP mode port: 5555\n"),
        (["reconnect", "device"], b""),
    ):
        assert run(*words)[1].startswith(answer)
        assert dropped.wait(20)
        dropped.clear()
        # The server may not have noticed yet that the connection ended.
        while run("wait-for-device", "shell", "echo back") != (0, b"back\n"):
            adb.run("connect", phone.address)
    unsubscribe()
    assert run("wait-for-local-device", "get-state") == (0, b"device\n")


def test_debuggers_see_the_apps_come_and_go(adb, phone):
    phone.phone.force_stop(TODO)
    assert adb.run("jdwp").stdout == b""
    with adb.start("track-jdwp") as tracker:
        assert tracker.stdout.read(4) == b"0000"
        adb.run("shell", f"am start -n {TODO}/.MainActivity")
        pid = b"%d\n" % phone.phone.pid_of(TODO)
        assert tracker.stdout.read(4 + len(pid)) == b"%04x%s" % (len(pid), pid)
        assert adb.run("jdwp").stdout == pid
        phone.phone.force_stop(TODO)
        assert tracker.stdout.read(4) == b"0000"
        tracker.terminate()


def test_kinds_of_shells(run):
    assert run("shell", "-T", "echo hi; tty") == (1, b"hi\nnot a tty\n")
    assert b"hi\r\n/dev/pts/" in run("shell", "-tt", "echo hi; tty")[1]
    assert run("shell", "-x", "echo hi; exit 3") == (0, b"hi\n")
    assert run("shell", "-n", "cat; exit 3", data=b"not read") == (3, b"")
    assert run("shell", "-e", "none", "exit 300") == (300 & 0xFF, b"")
    assert run("exec-in", "cat > /data/local/tmp/in", data=b"abc" * 50_000)[0] == 0
    # exec-in ends when it has sent all, as adb does: the phone may still be writing.
    written = "while [ $(wc -c < in) -lt 150000 ]; do sleep 0.02; done; wc -c < in; rm in"
    assert run("shell", f"cd /data/local/tmp; {written}") == (0, b"150000\n")
    assert run("exec-out", "echo out; echo err >&2; exit 3") == (0, b"out\nerr\n")


def test_copying_what_changed(run, tmp_path):
    (tmp_path / "folder/sub").mkdir(parents=True)
    for name, age in (("folder/a", 1_600_000_000), ("folder/sub/b", 1_500_000_000)):
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, (age, age))
    assert b"2 files pushed, 0 skipped" in run("push", "--sync", tmp_path / "folder", "/sdcard/")[1]
    assert b"0 files pushed, 2 skipped" in run("push", "--sync", tmp_path / "folder", "/sdcard/")[1]
    assert run("pull", "-a", "/sdcard/folder", tmp_path / "back")[0] == 0
    assert (tmp_path / "back/sub/b").read_text() == "folder/sub/b"
    assert (tmp_path / "back/sub/b").stat().st_mtime == 1_500_000_000
    assert stat.S_ISREG((tmp_path / "back/a").stat().st_mode)
    assert (
        b"is not a directory"
        in run("push", tmp_path / "folder/a", tmp_path / "folder/sub/b", "/sdcard/no")[1]
    )
    run("shell", "rm -r /sdcard/folder")


def test_synchronising_a_build(run, adb, tmp_path, monkeypatch):
    monkeypatch.setenv("ANDROID_PRODUCT_OUT", str(tmp_path))
    for name in ("data/local/tmp/synced", "system/app/x"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(name)
    assert run("sync", "data")[0] == 0
    assert run("shell", "cat /data/local/tmp/synced; rm /data/local/tmp/synced") == (
        0,
        b"data/local/tmp/synced",
    )
    status, output = run("sync", "system")
    assert (status, b"Read-only file system" in output) == (1, True)


def test_compression_is_left_out_as_with_an_older_phone(run, tmp_path):
    if b"ALGORITHM" not in run("help")[1]:
        pytest.skip("this adb does not compress")
    data = os.urandom(50_000) + bytes(500_000)
    (tmp_path / "out").write_bytes(data)
    for algorithm in ("any", "none", "brotli", "lz4", "zstd"):
        assert run("push", "-z", algorithm, tmp_path / "out", "/sdcard/z")[0] == 0
        assert run("pull", "-z", algorithm, "/sdcard/z", tmp_path / algorithm)[0] == 0
        assert (tmp_path / algorithm).read_bytes() == data
    assert b"dry-run not supported by the device" in run("push", "-n", tmp_path / "out", "/sdcard/dry")[1]


def test_lists_of_forwards(run, phone):
    for verb, prefix in (("forward", phone.address), ("reverse", "host")):
        port = run(verb, "tcp:0", "tcp:9008")[1].split()[0].decode()
        assert f"{prefix} tcp:{port} tcp:9008\n".encode() in run(verb, "--list")[1].replace(b"\r", b"")
        assert b"cannot rebind existing socket" in run(verb, "--no-rebind", f"tcp:{port}", "tcp:1")[1]
        assert run(verb, "--remove", f"tcp:{port}")[0] == 0
        assert b"not found" in run(verb, "--remove", f"tcp:{port}")[1]
        assert run(verb, "--remove-all")[0] == 0
        assert run(verb, "--list")[1].strip() == b""


def test_a_wait_for_another_state_ends_when_it_comes(adb, phone):
    with adb.start("wait-for-disconnect") as waiting, adb.start("track-devices") as tracker:
        assert phone.address.encode() in read_line(tracker, end=b"device\n")
        adb.run("disconnect", phone.address)
        assert waiting.wait(20) == 0
        tracker.terminate()
    adb.connect(phone.address)


def test_the_log_as_records(adb, phone):
    """The layout that adbkit and Tango read: a header of 28 bytes, then priority, tag and text."""
    phone.phone.log("W", "Waymark", "as a record 汉")
    data = adb.run("exec-out", "logcat -B -d -s Waymark").stdout
    size, head, pid, _tid, seconds, nanoseconds, buffer, uid = struct.unpack_from("<HHIIIIII", data)
    assert (head, len(data), buffer, uid) == (28, 28 + size, 0, 1000)
    assert data[28:] == b"\x05Waymark\0" + "as a record 汉".encode() + b"\0"
    text = adb.run("exec-out", "logcat -d -v epoch -v threadtime -s Waymark").stdout.decode().splitlines()[-1]
    assert text.split()[:2] == [f"{seconds}.{nanoseconds // 1_000_000:03}", str(pid)]
    sizes = adb.run("logcat", "-g").stdout.decode().splitlines()
    ring = r"(\w+): ring buffer is (\d+) KiB \((\d+) KiB consumed, (\d+) KiB readable\), "
    assert all(re.fullmatch(ring + r"max entry is 5120 B, max payload is 4068 B", line) for line in sizes)


def test_what_the_phone_has_not(run):
    """As appium-adb asks for it."""
    assert run("shell", "locksettings get-disabled") == (0, b"true\n")
    for verb in ("stop", "start"):
        assert run("shell", verb) == (1, b"Must be root\n")
