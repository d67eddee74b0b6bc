"""pure-python-adb (ppadb)."""

import os
import socket
import tempfile
from pathlib import Path

from check_runner import check, run_checks
from ppadb.client import Client

client = Client(port=int(os.environ["ANDROID_ADB_SERVER_PORT"]))
device = client.device(os.environ["ANDROID_SERIAL"])
TODO = "com.waymark.todo"
FOLDER = Path(tempfile.mkdtemp())


@check()
def devices() -> None:
    assert device.serial in [listed.serial for listed in client.devices()]


@check()
def version_and_features_of_the_server() -> None:
    assert client.version() > 30
    assert "shell_v2" in client.features()


@check()
def shell() -> None:
    assert device.shell("echo hello") == "hello\n"


@check()
def shell_with_a_handler() -> None:
    seen = []
    device.shell("echo a; echo b", handler=lambda connection: seen.append(connection.read_all()))
    assert seen == [b"a\nb\n"]


@check()
def properties() -> None:
    assert device.get_properties()["ro.build.version.sdk"] == "35"


@check()
def features() -> None:
    assert device.list_features()["android.hardware.touchscreen"]


@check()
def packages() -> None:
    assert TODO in device.list_packages()
    assert device.is_installed(TODO)
    assert not device.is_installed("com.nope")


@check()
def version_of_a_package() -> None:
    assert device.get_package_version_name(TODO)


@check()
def clear() -> None:
    assert device.clear(TODO)


@check()
def screencap() -> None:
    assert device.screencap().startswith(b"\x89PNG")


@check()
def size_and_density() -> None:
    assert device.wm_size().width == 720
    assert device.wm_density() == 2


@check()
def push_and_pull() -> None:
    (FOLDER / "a").write_bytes(bytes(range(256)) * 999)
    device.push(str(FOLDER / "a"), "/sdcard/a.bin")
    device.pull("/sdcard/a.bin", str(FOLDER / "b"))
    assert (FOLDER / "b").read_bytes() == (FOLDER / "a").read_bytes()


@check("the client sends the folder's own name in the place of its files' names")
def push_of_a_folder() -> None:
    (FOLDER / "d").mkdir()
    (FOLDER / "d" / "x").write_text("x")
    device.push(str(FOLDER / "d"), "/sdcard/d")
    assert device.shell("cat /sdcard/d/x") == "x"


@check()
def forwards() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    device.forward(f"tcp:{port}", "tcp:6100")
    assert device.list_forward() == {f"tcp:{port}": "tcp:6100"}
    device.killforward_all()
    assert device.list_forward() == {}


@check("the client asks the adb server, which answers twice, and reads once")
def reverses() -> None:
    device.reverse("tcp:6100", "tcp:7100")
    assert device.list_reverses()
    device.reverse_remove_all()


@check()
def input_of_touches_and_keys() -> None:
    device.shell(f"monkey -p {TODO} 1")
    assert device.input_tap(300, 400) == ""
    assert device.input_swipe(300, 900, 300, 400, 100) == ""
    assert device.input_keyevent("KEYCODE_BACK") == ""
    device.input_text("abc")


@check()
def activities_in_front() -> None:
    device.shell(f"am start -W -n {TODO}/.MainActivity")
    top = device.get_top_activities()[-1]
    assert (top.package, top.pid) == (TODO, int(device.get_pid(TODO)))


@check()
def memory() -> None:
    assert device.get_meminfo(TODO).pss > 0


@check()
def processor() -> None:
    assert device.get_total_cpu().total() > 0
    assert device.cpu_count() > 0
    assert device.cpu_times().user > 0
    assert device.get_pid_cpu(device.get_pid(TODO)).name


@check()
def threads() -> None:
    assert device.get_pid(TODO) in device.get_tids(device.get_pid(TODO))
    assert device.get_all_thread_cpu(device.get_pid(TODO))


@check("reads /proc/net/xt_qtaguid, which no Android since 10 has")
def traffic() -> None:
    assert device.get_traffic(TODO)


@check()
def battery() -> None:
    assert 0 < device.get_battery_level() <= 100


@check("reads userId=, in whose place Android prints appId= since 14")
def user_of_an_app() -> None:
    assert int(device.get_uid(TODO)) >= 10_000


@check()
def root_is_refused() -> None:
    try:
        device.root()
    except RuntimeError as error:
        assert "production builds" in str(error)


@check()
def wait_for_start() -> None:
    assert device.wait_boot_complete(timeout=10)


run_checks()
