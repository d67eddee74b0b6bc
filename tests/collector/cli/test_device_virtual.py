"""``waymark device virtual`` as a person runs it."""

import signal
import socket

import pytest
from click.testing import CliRunner

from collector.cli.device import device
from collector.model.errors import UserError
from tests.helpers.virtual import virtual_process


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
    ],
)
def test_wrong_usage_is_told(words, message):
    result = CliRunner().invoke(device, ["virtual", *words])
    assert result.exit_code == 2
    assert message in result.output
