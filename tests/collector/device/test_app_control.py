"""Apps are started by what their icon starts, and by monkey only where that is not to be learned."""

from __future__ import annotations

import pytest

from collector.device.apps.app_control import start_app
from collector.device.transport.shell_result import ShellResult

APP = "com.example.shop"
FOUND = f"priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n{APP}/.MainActivity\n"
SEVERAL = "priority=0 match=0x0\nandroid/com.android.internal.app.ResolverActivity\n"


class Phone:
    """Says ``resolved`` of what the icon starts, and ``started`` to whatever starts something."""

    serial = "p1"

    def __init__(self, resolved: str, started: str = "") -> None:
        self.resolved, self.started = resolved, started
        self.ran: list[str] = []

    def shell(self, command: str, **_more: object) -> ShellResult:
        self.ran.append(command)
        output = self.resolved if "resolve-activity" in command else self.started
        return ShellResult(output.encode(), b"", 0)


def test_an_app_is_started_by_its_activity_and_the_rotation_stays_locked():
    phone = Phone(FOUND)
    assert start_app(phone, APP)
    assert phone.ran[-1].endswith(f"-n {APP}/.MainActivity")
    assert not [line for line in phone.ran if "monkey" in line]
    assert not start_app(Phone(FOUND, "Error type 3\nError: Activity class does not exist.\n"), APP)


@pytest.mark.parametrize(
    "output", ["/system/bin/sh: cmd: not found\n", "No activity found\n", SEVERAL, "Unknown command\n", ""]
)
def test_monkey_starts_what_no_activity_is_known_of(output):
    phone = Phone(output)
    assert start_app(phone, APP)
    assert phone.ran[-1] == f"monkey -p {APP} -c android.intent.category.LAUNCHER 1"
    assert not start_app(Phone(output, "** No activities found to run, monkey aborted.\n"), APP)
