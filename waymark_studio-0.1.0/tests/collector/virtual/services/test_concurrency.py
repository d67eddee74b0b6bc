"""Commands, touches and reads from many threads at once leave the phone in a valid state."""

from __future__ import annotations

import threading

from tests.helpers.shell import run

LINES = (
    "am start -n com.waymark.messenger/.MainActivity; am crash com.waymark.messenger",
    "dumpsys battery set level 9; dumpsys battery set ac 1; dumpsys battery reset",
    "cmd waymark emu gsm call 5551234; cmd waymark emu gsm accept 5551234; "
    "cmd waymark emu gsm cancel 5551234",
    "am start -n com.waymark.todo/.MainActivity; "
    "run-as com.waymark.todo kill -STOP $(pidof com.waymark.todo); "
    "input tap 300 500; run-as com.waymark.todo kill -CONT $(pidof com.waymark.todo)",
    "cmd connectivity airplane-mode enable; cmd connectivity airplane-mode disable; dumpsys connectivity",
    "cmd notification post a b; cmd waymark emu sms send 12 x; service call notification 1; dumpsys window",
)


def test_commands_from_many_threads(device):
    broken: list[tuple[str, str]] = []

    def repeat(line: str) -> None:
        for _round in range(6):
            errors = run(device.machine, line)[1]
            device.phone.capture()
            device.phone.hierarchy_xml()
            if "Traceback" in errors or "failed" in errors:
                broken.append((line, errors))

    threads = [threading.Thread(target=repeat, args=(line,)) for line in LINES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert broken == []
    assert not device.phone.services.radios.airplane
    assert device.phone.services.telephony.calls == {}
    assert device.phone.battery.level == 84
