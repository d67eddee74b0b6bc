"""Programs of the phone that reach its input, its connections, its flags, storage, backups and owners."""

import contextlib
import threading

import pytest

from collector.virtual.shell.process_table import Interrupted
from tests.helpers.shell import run
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker", "virtual")
_TAP = (
    "sendevent {d} 3 57 {id}; sendevent {d} 1 330 1; sendevent {d} 3 53 {x}; sendevent {d} 3 54 {y};"
    " sendevent {d} 0 0 0; sendevent {d} 3 57 -1; sendevent {d} 1 330 0; sendevent {d} 0 0 0"
)
_PANEL, _KEYS = "/dev/input/event2", "/dev/input/event1"


@pytest.fixture(scope="module")
def phone():
    with virtual_device("todo", "settings") as device:
        yield device


@pytest.mark.parametrize("rotation", [0, 1, 2, 3])
def test_touches_that_are_written_to_the_panel_tap_and_are_seen_by_getevent(phone, rotation):
    seen = []
    leave = phone.phone.hardware_input.subscribe(seen.append)
    run(
        phone.machine,
        f"settings put system user_rotation {rotation}; settings put system accelerometer_rotation 0",
    )
    run(phone.machine, "am start -W -n com.android.settings/.Settings")
    x, y = {0: (300, 250), 1: (719 - 250, 300), 2: (719 - 300, 1599 - 250), 3: (250, 1599 - 300)}[rotation]
    assert run(phone.machine, _TAP.format(d=_PANEL, id=7, x=x, y=y)) == ("", "", 0)
    leave()
    assert [(touch.action.name, touch.point.x, touch.point.y) for touch in seen] == [
        ("DOWN", 300, 250),
        ("UP", 300, 250),
    ]
    assert phone.phone.focused.activity.endswith(".SearchActivity")
    run(phone.machine, "settings put system user_rotation 0")


def test_keys_that_are_written_to_their_node_are_pressed(phone):
    run(phone.machine, "am start -W -n com.android.settings/.Settings")
    run(phone.machine, f"sendevent {_KEYS} 1 172 1; sendevent {_KEYS} 1 172 0; sendevent {_KEYS} 0 0 0")
    assert phone.phone.focused.package == "com.waymark.launcher"
    assert run(phone.machine, "sendevent /dev/input/event9 0 0 0")[1] == (
        "sendevent: /dev/input/event9: No such file or directory\n"
    )
    assert run(phone.machine, "sendevent 1")[1] == 'sendevent: Needs 4 arguments (see "sendevent --help")\n'


def test_nc_connects_programs_of_the_phone(phone):
    served = []
    server = threading.Thread(target=lambda: served.append(run(phone.machine, "nc -l -p 7000", b"hello\n")))
    server.start()
    while not phone.machine.sockets.is_listening("tcp:7000"):
        pass
    assert run(phone.machine, "nc 127.0.0.1 7000", b"to you\n") == ("hello\n", "", 0)
    server.join()
    assert served == [("to you\n", "", 0)]


def test_nc_serves_a_command_until_it_is_ended(phone):
    def serve():
        with contextlib.suppress(Interrupted):
            run(phone.machine, "nc -p 7001 -L tr a-z A-Z")

    server = threading.Thread(target=serve)
    server.start()
    while not phone.machine.sockets.is_listening("tcp:7001"):
        pass
    assert [run(phone.machine, "nc localhost 7001", word)[0] for word in (b"one", b"two")] == ["ONE", "TWO"]
    run(phone.machine, "pkill nc")
    server.join()


def test_nc_takes_datagrams(phone):
    sockets = phone.machine.sockets
    server = threading.Thread(target=lambda: run(phone.machine, "nc -u -p 7003 -l head -c 6"))
    server.start()
    while not sockets.is_listening("udp:7003"):
        pass
    assert " 07 " in run(phone.machine, "grep :1B5B /proc/net/udp")[0]
    client = sockets.connect("udp:7003")
    for word in (b"one", b"two", b"lost"):
        client.write(word)
    assert client.read() + client.read() == b"onetwo"
    server.join()


def test_nc_says_why_it_does_not_connect(phone):
    assert run(phone.machine, "nc 127.0.0.1 7002")[1:] == ("nc: connect: Connection refused\n", 1)
    assert run(phone.machine, "nc")[1:] == ('nc: bad argument count (see "nc --help")\n', 1)


def test_flags_of_device_config(phone):
    say = lambda words: run(phone.machine, f"device_config {words}")  # noqa: E731
    assert say("get ui flag") == ("null\n", "", 0)
    assert say("put ui flag on; device_config put net a 1 default") == ("", "", 0)
    assert say("get ui flag")[0] == "on\n"
    assert say("list")[0] == "net/a=1\nui/flag=on\n"
    assert say("list ui")[0] == "flag=on\n"
    assert say("list_namespaces")[0] == "net\nui\n"
    assert say("delete ui flag")[0] == "Successfully deleted flag from ui\n"
    assert say("delete ui flag")[0] == "Failed to delete flag from ui\n"
    assert say("reset trusted_defaults")[2] == 0
    assert say("list")[0] == ""
    assert say("get a") == ("", "Bad arguments\n", 255)
    assert say("get a b c") == ("", "Too many arguments\n", 255)
    assert say("nope") == ("", "Invalid command: nope\n", 255)
    say("set_sync_disabled_for_tests persistent")
    assert say("get_sync_disabled_for_tests")[0] == "persistent\n"


def test_storage_backups_and_owners(phone):
    assert run(phone.machine, "sm list-volumes all")[0] == "private mounted null\nemulated;0 mounted null\n"
    assert run(phone.machine, "sm has-adoptable; sm get-fbe-mode; sm list-disks")[0] == "false\nnative\n"
    assert run(phone.machine, "sm")[1:][1] == 1
    assert "No volume found for ID x" in run(phone.machine, "sm mount x")[1]
    assert run(phone.machine, "bmgr enabled")[0] == "Backup Manager currently disabled\n"
    assert run(phone.machine, "bmgr enable true; bmgr enabled")[0].endswith("currently enabled\n")
    assert run(phone.machine, "bmgr backupnow com.waymark.todo com.nope")[0] == (
        "Running incremental backup for 2 requested packages.\n"
        "Package com.waymark.todo with result: Backup is not allowed\n"
        "Package com.nope with result: Package not found\nBackup finished with result: Success\n"
    )
    assert run(phone.machine, "dpm list-owners")[0] == "no owners\n"
    refused = run(phone.machine, "dpm set-device-owner com.a/.B")
    assert "Unknown admin: ComponentInfo{com.a/com.a.B}" in refused[1]
    assert refused[2] == 255


def test_expr_and_mktemp(phone):
    lines = {
        "1 + 2": "3", "7 / 2": "3", "-7 % 3": "-1", "2 '*' 3 + 1": "7", "'(' 1 + 2 ')' '*' 3": "9",
        "a = a": "1", "a '<' b": "1", "10 '>' 9": "1", "abc : 'a.'": "2", r"'a12b' : 'a\([0-9]*\)b'": "12",
        "'' '|' x": "x", "0 '&' 1": "0", "'a+b' : 'a+'": "2",
    }  # fmt: skip
    assert {words: run(phone.machine, f"expr {words}")[0].rstrip("\n") for words in lines} == lines
    assert run(phone.machine, "expr 1 - 1")[2] == 1
    assert run(phone.machine, "expr 1 / 0")[1:] == ("expr: division by zero\n", 2)
    assert run(phone.machine, "expr 1 +")[1:] == ("expr: syntax error\n", 2)
    assert run(phone.machine, "t=$(mktemp); echo x >$t; cat $t; rm $t")[0] == "x\n"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("insmod /system/build.prop", "failed to load /system/build.prop: Operation not permitted"),
        ("rmmod a.ko", "failed to unload a: Operation not permitted"),
        ("swapoff /x", "failed to remove swaparea: Operation not permitted"),
        ("chroot /sdcard ls", "/sdcard: Operation not permitted"),
        ("umount /sdcard", "/sdcard: Operation not permitted"),
        ("unshare -m ls", "Operation not permitted"),
        ("nsenter -t 1 -m ls", "/proc/1/ns/mnt: Permission denied"),
        ("setenforce 0", "Couldn't set enforcing status to '0': Permission denied"),
        ("hwclock", "/dev/rtc0: Permission denied"),
        ("i2cget 1 2 3", "/dev/i2c-1: Permission denied"),
        ("fsfreeze -f /system/build.prop", "ioctl failed: Inappropriate ioctl for device"),
        ("mknod /sdcard/x c 1 3", "/sdcard/x: Operation not permitted"),
        ("renice -n 1 1", "setpriority 1: Operation not permitted"),
        ("sysctl kernel.ostype=x", "key 'kernel.ostype': Permission denied"),
        ("blkid", "/dev/block/dm-0: Permission denied"),
        ("lsattr -d /sdcard", "reading '/sdcard': Inappropriate ioctl for device"),
    ],
)
def test_what_root_alone_may_do_is_refused_in_toyboxs_words(phone, line, error):
    out, said, status = run(phone.machine, line)
    assert (out, said) == ("", f"{line.split()[0]}: {error}\n")
    assert status == (125 if line.startswith("chroot") else 1)


def test_diff_and_the_battery_of_acpi(phone):
    made = "cd /data/local/tmp; mkdir d e; printf 'a\\nb\\n' >d/f; printf 'a\\nc' >e/f; : >e/g"
    out, _error, status = run(phone.machine, f"{made}; diff -r d e")
    assert (out, status) == (
        "--- d/f\n+++ e/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\nOnly in e: g\n",
        1,
    )
    assert run(phone.machine, "diff -q /data/local/tmp/d/f /data/local/tmp/e/f")[2] == 1
    assert run(phone.machine, "acpi")[0] == f"Battery 0: {phone.phone.battery.level}%\n"
