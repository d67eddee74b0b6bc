"""The lease of a phone among programs: one owner, named by the others, free when its process dies."""

import json
import socket
import threading

import pytest

from collector.cli.main import main
from collector.device.device_lease import MIRROR, RECORDING, lease_device, owners_by_serial
from collector.device.errors import DeviceError, DeviceTaken
from collector.device.identity import PhoneIdentity, read_identity
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.host.user_folders import runtime_folder
from tests.helpers.lease_owner import LeaseOwner
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "port")


class SecondPort:
    """Another address of the same phone, as its Wi-Fi beside its cable."""

    def __init__(self, address):
        host, _, port = address.rpartition(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, name="port", daemon=True).start()

    def _accept(self):
        try:
            while True:
                client, _ = self._listener.accept()
                phone = socket.create_connection(self._target)
                for ends in ((client, phone), (phone, client)):
                    threading.Thread(target=self._copy, args=ends, name="port", daemon=True).start()
        except OSError:
            return

    @staticmethod
    def _copy(source, target):
        try:
            while data := source.recv(1 << 16):
                target.sendall(data)
        except OSError:
            pass
        finally:
            for end in (source, target):
                end.close()

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


@pytest.fixture(scope="module")
def phones():
    """Two addresses of one phone, and another phone of the same name and seed."""
    server = AdbServer()
    with virtual_device("todo") as one, virtual_device("todo") as twin:
        alias = SecondPort(one.address)
        addresses = (one.address, alias.address, twin.address)
        for address in addresses:
            server.connect(address)
        yield tuple(map(AdbDevice, addresses))
        for address in addresses:
            server.disconnect(address)
        alias.close()


@pytest.fixture
def owner(phones, monkeypatch, tmp_path):
    """Another process that replays on the first phone."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))
    with LeaseOwner(phones[0].serial) as other:
        assert other.leased
        monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "another"))
        yield other


@pytest.mark.fault("F12")
def test_the_second_program_is_told_who_has_the_phone_until_that_one_is_killed(phones, owner, capsys):
    one, alias, twin = phones
    with pytest.raises(DeviceTaken) as refused:
        lease_device(one, "waymark anomaly fire", MIRROR)
    what = rf"WAYMARK0001, seed 1 is in use by waymark trajectory replay, process {owner.pid}: "
    assert str(refused.value).startswith(what + "replay of a trajectory, since ")
    with pytest.raises(DeviceTaken, match="in use by waymark trajectory replay"):
        lease_device(alias, "waymark anomaly fire", MIRROR)
    with lease_device(twin, "a program", MIRROR) as other:
        assert other.is_held
    with lease_device(one, "a program", MIRROR, anyway=True) as forced:
        assert not forced.is_held
    owners = owners_by_serial(phones)
    assert {one.serial, alias.serial} == set(owners)
    assert owners[alias.serial].pid == str(owner.pid)

    push = ("device", "push", __file__, "--device", alias.serial)
    assert main(push) == 1
    assert f"in use by waymark trajectory replay, process {owner.pid}" in capsys.readouterr().err
    assert main(("anomaly", "undo", "--device", one.serial)) == 0  # it only lists
    assert main((*push, "--anyway")) == 0
    capsys.readouterr()
    main(("device", "list", "--json"))
    in_use = {listed["serial"]: listed["in_use_by"] for listed in json.loads(capsys.readouterr().out)}
    assert f"process {owner.pid}: replay" in in_use[alias.serial]
    assert in_use[twin.serial] == ""

    owner.kill()
    assert owners_by_serial(phones) == {}
    with lease_device(alias, "a program", MIRROR) as lease:
        assert lease.is_held
    assert main(push) == 0


def test_the_parts_of_one_program_share_a_lease_and_say_what_is_done_now(phones):
    one = phones[0]

    def activity():
        return owners_by_serial([one])[one.serial].activity

    before = set(runtime_folder().rglob("*"))
    window = lease_device(one, "Waymark Studio", MIRROR)
    with lease_device(one, "Waymark Studio", RECORDING):
        assert activity() == RECORDING
        assert {path for path in runtime_folder().rglob("*") if path.is_file()} - before
    assert activity() == MIRROR
    window.set_activity("The phone is being reset")
    assert activity() == "The phone is being reset"
    assert window.take() is None
    window.release()
    window.release()
    assert owners_by_serial([one]) == {}
    assert not {path for path in runtime_folder().rglob("*") if path.is_file()} - before


def test_a_disk_that_takes_no_lease_does_not_forbid_the_phone(phones, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with lease_device(phones[0], "a program", MIRROR, folder=blocked / "devices") as lease:
        assert lease.is_held


@pytest.mark.parametrize(
    ("identity", "key", "name"),
    [
        (PhoneIdentity("192.168.1.2:5555", "R58M"), "R58M", "R58M"),
        (PhoneIdentity("emulator-5554", "", "", "b1"), "phone-b1", "emulator-5554"),
        (PhoneIdentity("emulator-5554"), "emulator-5554", "emulator-5554"),
        (PhoneIdentity("127.0.0.1:7", "A", "3", "b2"), "A-b2", "A, seed 3"),
    ],
)
def test_a_phone_is_known_by_what_it_says_and_not_by_its_connection(identity, key, name):
    assert (identity.key, identity.name) == (key, name)


def test_a_phone_that_is_not_there_cannot_be_leased():
    with pytest.raises(DeviceError):
        read_identity(AdbDevice("nowhere:1"))
