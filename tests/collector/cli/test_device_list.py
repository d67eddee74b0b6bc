"""``waymark device list``, ``connect`` and ``doctor`` as a person or a script runs them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from collector.cli import device_list
from collector.cli.device import device
from collector.device.server import AdbServer
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd")


@pytest.fixture(scope="module")
def address():
    assert device_list
    with virtual_device("todo") as phone:
        yield phone.address
        AdbServer().disconnect(phone.address)


def run(*words: str) -> str:
    result = CliRunner().invoke(device, list(words))
    assert not result.exception or isinstance(result.exception, SystemExit), result.exception
    return result.output


def test_a_phone_is_connected_listed_and_examined(address):
    assert json.loads(run("connect", address, "--json")) == {"connected": address}
    listed = json.loads(run("list", "--json"))
    assert {"serial": address, "state": "device", "words": "ready"} in listed
    table = run("list")
    assert address in table
    assert "ready" in table
    findings = json.loads(run("doctor", "--json"))
    assert {"device", "scrcpy"} <= {one["code"] for one in findings if one["serial"] == address}
    assert "is ready" in run("doctor")


def test_an_address_nobody_answers_at_is_an_error_in_words():
    result = CliRunner().invoke(device, ["connect", "127.0.0.1:1"])
    assert "127.0.0.1:1" in str(result.exception)
