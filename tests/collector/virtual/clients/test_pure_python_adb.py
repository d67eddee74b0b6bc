"""pure-python-adb (ppadb), through an adb server of its own, works with the virtual phone unchanged."""

import asyncio
import contextlib
import re
import threading
import warnings

import pytest

from collector.virtual.daemon.server import LOOPBACK
from tests.helpers.apk import apk
from tests.helpers.virtual import adb_server, free_port, virtual_device

with warnings.catch_warnings():
    # Its patterns are no raw strings: Python warns when it compiles them.
    warnings.simplefilter("ignore")
    from ppadb import ClearError, InstallError
    from ppadb.client import Client
    from ppadb.client_async import ClientAsync

pytestmark = [
    pytest.mark.shared_threads("adb", "adbd", "phone-ticker"),
    pytest.mark.timeout(60),
    # It leaves the sockets of connections that failed to the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

TODO = "com.waymark.todo"
KEYBOARD = "com.android.adbkeyboard"


@pytest.fixture(scope="module")
def phone():
    with virtual_device("todo") as device:
        yield device


@pytest.fixture(scope="module")
def client(phone):
    with adb_server() as server:
        client = Client(port=server.port)
        assert client.remote_connect(LOOPBACK, phone.port)
        yield client


@pytest.fixture
def device(client, phone):
    return client.device(phone.address)


def test_the_server_lists_it(client, device, phone):
    assert client.version() == 41
    assert "shell_v2" in client.features()
    assert [listed.serial for listed in client.devices(client.DEVICE)] == [phone.address]
    assert (device.get_state(), device.get_serial_no()) == ("device", phone.address)


def test_what_it_is(device):
    assert device.wait_boot_complete(timeout=5)
    properties = device.get_properties()
    assert properties["ro.product.model"] == "Waymark Phone"
    assert properties["ro.build.version.sdk"] == "35"
    assert device.wm_size() == (720, 1600)
    assert device.wm_density() == 2
    assert device.get_battery_level() == 84
    assert device.list_features()["android.hardware.touchscreen"] is True


def test_shell(device):
    assert device.shell("echo out; echo err >&2") == "out\nerr\n"
    with pytest.raises(TimeoutError):
        device.shell("sleep 100", timeout=0.2)
    with pytest.raises(RuntimeError, match="cannot run as root"):
        device.root()


def test_a_log_that_is_followed_by_a_handler(device, phone):
    received = []

    def read_lines(connection):
        lines = connection.socket.makefile("r", encoding="utf-8")
        for line in lines:
            if not received:
                phone.phone.log("I", "Waymark", "a line that comes later")
            received.append(line)
            if line.endswith("comes later\n"):
                break
        connection.close()

    phone.phone.log("I", "Waymark", "a line from before")
    device.shell("logcat -v brief -s Waymark:I", handler=read_lines)
    assert re.fullmatch(r"I/Waymark *\( *\d+\): a line that comes later\n", received[-1])


def test_apps(device):
    assert TODO in device.list_packages()
    assert device.is_installed(TODO)
    assert not device.is_installed("com.nope")
    assert device.get_package_version_name(TODO)
    assert device.get_uid(TODO) is None, "it looks for userId=, which Android 14 and later call appId="
    device.shell(f"am start -n {TODO}/.MainActivity")
    top = device.get_top_activities()[-1]  # as on a phone: the activity in front comes last
    assert (top.package, top.pid) == (TODO, int(device.get_pid(TODO)))
    assert device.clear(TODO)
    with pytest.raises(ClearError):
        device.clear("com.nope")


def test_memory_and_processor(device):
    device.shell(f"am start -n {TODO}/.MainActivity")
    memory = device.get_meminfo(TODO)
    assert memory.pss > memory.private_dirty > memory.private_clean > 0
    pid = device.get_pid(TODO)
    assert pid in device.get_tids(pid)
    first, then = device.get_total_cpu(), device.get_total_cpu()
    assert then.total() >= first.total() > 0
    process = device.get_pid_cpu(pid)
    assert process.name == f"({TODO[-15:]})"
    assert process.utime >= 0
    assert list(device.get_all_thread_cpu(pid)) >= [pid]


def test_measures(device):
    device.shell(f"am start -n {TODO}/.MainActivity")
    pid = device.get_pid(TODO)
    assert device.get_meminfo(TODO).pss > 1000
    assert device.cpu_count() == 8
    assert device.cpu_times().total() > 0
    assert device.get_pid_cpu(pid).name == "(om.waymark.todo)"
    assert device.get_tids(pid)[0] == pid


def test_installing(device, tmp_path):
    (tmp_path / "a.apk").write_bytes(b"PK")
    with pytest.raises(InstallError, match="INSTALL_PARSE_FAILED_NOT_APK"):
        device.install(str(tmp_path / "a.apk"), reinstall=True, grand_all_permissions=True)
    (tmp_path / "b.apk").write_bytes(apk(KEYBOARD))
    assert device.install(str(tmp_path / "b.apk"), installer_package_name="com.example.store")
    assert device.is_installed(KEYBOARD)
    assert device.uninstall(KEYBOARD)
    assert not device.is_installed(KEYBOARD)
    assert not device.uninstall("com.android.systemui")
    assert device.is_installed("com.android.systemui")


def test_screen_and_input(device):
    assert device.screencap().startswith(b"\x89PNG\r\n")
    device.shell(f"am start -n {TODO}/.MainActivity")
    assert device.input_swipe(360, 1200, 360, 600, 50) == device.input_tap(360, 20) == ""
    assert device.input_keyevent("KEYCODE_HOME") == ""
    assert device.get_top_activities()[-1].package == "com.waymark.launcher"


@pytest.mark.parametrize("size", [0, 1, 65536, 1_500_000])
def test_files_come_back_as_they_went(device, tmp_path, size):
    data = (bytes(range(256)) * (size // 256 + 1))[:size]
    (tmp_path / "out").write_bytes(data)
    pieces, target = [], "/sdcard/Download/汉字.bin"
    device.push(str(tmp_path / "out"), target, progress=lambda *state: pieces.append(state))
    device.pull(target, str(tmp_path / "back"))
    assert (tmp_path / "back").read_bytes() == data
    assert bool(pieces) == bool(size)


def test_a_refused_file(device, tmp_path):
    (tmp_path / "out").write_bytes(b"x" * 200_000)
    with pytest.raises(RuntimeError, match="Read-only file system"):
        device.push(str(tmp_path / "out"), "/system/x")
    assert device.shell("echo alive") == "alive\n"


def test_forwards(device, client):
    local = f"tcp:{free_port()}"
    device.forward(local, "localabstract:scrcpy")
    assert device.list_forward() == {local: "localabstract:scrcpy"}
    device.killforward(local)
    assert device.list_forward() == {}
    assert device.list_reverses() == []


def test_its_asynchronous_client(client, phone, tmp_path):
    async def use():
        device = await ClientAsync(port=client.port).device(phone.address)
        assert await device.shell("echo hi") == "hi\n"
        # Its push puts the time as a number with a fraction into a whole one, and fails before it sends it.
        await device.shell("head -c 100000 /dev/zero > /sdcard/async")
        await device.pull("/sdcard/async", str(tmp_path / "back"))
        assert (await device.screencap()).startswith(b"\x89PNG\r\n")

    asyncio.run(use())
    assert (tmp_path / "back").read_bytes() == bytes(100_000)


def test_a_restart_ends_the_connection_and_a_new_one_works(client, device, phone):
    dropped = threading.Event()
    unsubscribe = phone.faults.on_drop(lambda: dropped.set())
    assert device.reboot()
    assert dropped.wait(20)
    unsubscribe()
    answer = ""
    while answer != "back\n":  # the server may not have noticed yet that the connection ended
        client.remote_connect(LOOPBACK, phone.port)
        with contextlib.suppress(RuntimeError):
            answer = device.shell("echo back")
