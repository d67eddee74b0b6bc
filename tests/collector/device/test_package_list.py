"""The packages on a phone are listed for trees, and no more often than every two seconds."""

from __future__ import annotations

from collector.device.apps.installed_apps import PackageList
from collector.device.errors import DeviceError
from collector.device.transport.shell_result import ShellResult

REFUSED = "java.lang.SecurityException: Shell does not have permission to access user 150"


class Phone:
    """Lists what it is given, and counts how often."""

    def __init__(self, *lists: str) -> None:
        self.lists = list(lists)
        self.asked = 0

    def shell(self, _command, **_options):
        self.asked += 1
        text = self.lists.pop(0)
        if not text:
            raise DeviceError("gone")
        if text == REFUSED:
            return ShellResult(b"", text.encode(), 255)
        return ShellResult(text.encode(), b"", 0)


def test_trees_that_follow_each_other_share_a_list_and_a_later_one_reads_it_anew():
    now = [0.0]
    phone, packages = Phone("package:a.b\n", "package:a.b\npackage:c.d\n", ""), PackageList(lambda: now[0])
    assert packages.read(phone) == {"a.b"}
    now[0] = 1.9
    assert packages.read(phone) == {"a.b"}
    assert phone.asked == 1
    now[0] = 2.0
    assert packages.read(phone) == {"a.b", "c.d"}
    now[0] = 5.0
    assert packages.read(phone) is None  # it lists them no more: nothing is known


def test_beside_a_user_that_the_shell_may_not_ask_about_those_of_the_first_are_listed():
    phone = Phone(REFUSED, "package:a.b\n")
    assert PackageList(lambda: 0.0).read(phone) == {"a.b"}
    assert phone.asked == 2
