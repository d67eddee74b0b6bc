"""``waymark device virtual`` as a person runs it."""

import signal
import socket

import pytest
from click.testing import CliRunner

from collector.cli.verb_groups import device
from collector.model.errors import UserError
from tests.helpers.virtual import adb_server, virtual_process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ready_comes_first_and_a_signal_ends_it_cleanly(number):
    with virtual_process("--app", "todo") as (process, address):
        host, _, port = address.rpartition(":")
        socket.create_connection((host, int(port)), timeout=20).close()
        process.send_signal(number)
        assert process.wait(20) == 0
        assert b"Traceback" not in process.stderr.read()


def test_a_port_that_is_taken_is_a_sentence():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(device, ["virtual", "--port", str(port)])
    assert isinstance(result.exception, UserError)
    assert f"Port {port} is not free" in str(result.exception)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--app", "nope"], "there is no app 'nope'"),
        (["--size", "big"], "expected WIDTHxHEIGHT"),
        (["--size", "100x100"], "240 to 4096 pixels"),
        (["--density", "3"], "72<=x<=1000"),
        (["--serial", "a b"], "letters, digits"),
        (["--locale", "english"], "expected a language"),
        (["--android", "4.4"], "'4.4' is no Android this phone can be (expected 5 to 16)"),
        (["--fault", "rain"], "there is no fault 'rain' (there are: offline,"),
        (["--fault", "drop:x=1"], "drop has no parameter 'x' (it has: every, bytes)"),
        (["--fault", "slow-dump:ms=soon"], "ms is a whole number, not 'soon'"),
        (["--fault", "slow-dump:ms"], "expected key=value, not 'ms'"),
        (["--fault", "killed-server:server=mail"], "server is one of all, scrcpy"),
    ],
)
def test_wrong_usage_is_told(words, message):
    result = CliRunner().invoke(device, ["virtual", *words])
    assert result.exit_code == 2
    assert message in result.output


def test_a_phone_is_the_android_and_like_the_phone_that_it_is_told_to_be():
    words = ("--app", "todo", "--android", "10", "--like", "samsung-fold")
    with virtual_process(*words) as (_process, address), adb_server() as adb:
        adb.connect(address)
        asked = "getprop ro.build.version.release; getprop ro.build.version.sdk; cmd wifi status"
        answer = adb.run("-s", address, "shell", asked).stdout.decode()
        assert answer == "10\n29\nUnknown command: status\n"
        answer = adb.run("-s", address, "shell", "getprop ro.product.model; wm size; pm list packages")
        assert answer.stdout == b"SM-F9360\nPhysical size: 904x1088\n"
        assert b"permission to access user 150" in answer.stderr


def test_an_unknown_phone_to_be_like_is_refused_and_so_is_an_emulator():
    result = CliRunner().invoke(device, ["virtual", "--like", "xiaom"])
    assert isinstance(result.exception, UserError)
    assert "Did you mean xiaomi?" in str(result.exception)
    result = CliRunner().invoke(device, ["virtual", "--like", "xiaomi", "--emulator"])
    assert "--like and --emulator exclude each other" in result.output


def test_a_phone_starts_with_the_faults_it_is_given():
    words = ("--app", "todo", "--fault", "idle-error", "--fault", "slow-dump:ms=10")
    with virtual_process(*words) as (_process, address), adb_server() as adb:
        adb.connect(address)
        answer = adb.run("-s", address, "shell", "cmd waymark fault list").stdout.decode()
        assert "* idle-error" in answer
        assert "* slow-dump ms=10" in answer
        assert (
            adb.run("-s", address, "shell", "uiautomator dump").stderr
            == b"ERROR: could not get idle state.\n"
        )
        adb.run("-s", address, "shell", "cmd waymark fault clear")
        assert b"dumped to" in adb.run("-s", address, "shell", "uiautomator dump").stdout
