"""Virtual phones in processes of their own: start, failures in a sentence, no process left behind."""

import os
import select
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.phone.phone_setup import PhoneSetup
from collector.variations.registry import Variations
from collector.virtual.fleet.fleet import Fleet
from collector.virtual.fleet.phone_options import PhoneOptions
from collector.virtual.fleet.phone_process import PhoneProcess
from collector.virtual.fleet.registry import running_phones

TODO = PhoneOptions(apps=("todo",))
varied = Variations().resolve


def answers(address):
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except ConnectionRefusedError:
        return False
    return True


def test_phones_start_side_by_side_and_one_that_died_is_restarted():
    with Fleet() as fleet:
        first, second = fleet.start([TODO, PhoneOptions(name="SECOND", seed=2, apps=("todo",))])
        assert first.address != second.address
        assert answers(first.address)
        assert answers(second.address)
        os.kill(second.pid, signal.SIGKILL)
        renewed = fleet.restart(second)
        assert renewed.options == second.options
        assert answers(renewed.address)
    assert fleet.phones == ()
    assert not answers(renewed.address)


def test_phones_are_reset_whole_and_known_by_name_and_seed_whatever_their_port(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))
    with Fleet() as fleet:
        first, second = fleet.start(
            [replace(TODO, name="A"), replace(TODO, name="B", variation=varied("landscape"))]
        )
        fleet.reset(PhoneSetup(seed=5, locale="zh-CN", size=Size(480, 800), variation=varied("dark_theme")))
        fleet.reset(PhoneSetup(seed=6), [second])
        running = running_phones()
        assert [(phone.name, phone.seed, phone.address) for phone in running] == [
            ("A", 5, first.address), ("B", 6, second.address),
        ]  # fmt: skip
        assert {(phone.size, phone.locale, phone.variation) for phone in running} == {
            ("480x800", "zh-CN", "dark_theme")
        }
        assert {phone.pid for phone in running} == {first.pid, second.pid}
        os.kill(second.pid, signal.SIGKILL)
        renewed = fleet.restart(second)
        assert [(phone.name, phone.seed) for phone in running_phones()] == [("A", 5), ("B", 6)]
        renewed.stop()
        with pytest.raises(UserError, match="was not reset"):
            renewed.reset()
    assert running_phones() == []
    with pytest.raises(UserError, match="does not run"):
        first.reset()


def test_a_phone_that_cannot_start_says_why_and_ends_the_others():
    fleet = Fleet()
    with pytest.raises(UserError, match="there is no app 'nope'"):
        fleet.start([TODO, PhoneOptions(apps=("nope",))])
    assert fleet.phones == ()
    assert not any(thread.name == "virtual phone" for thread in threading.enumerate())


def test_the_end_of_a_phone_is_an_event():
    reports, ended = [], threading.Event()
    with PhoneProcess(TODO) as phone:
        phone.ended.subscribe(lambda report: (reports.append(report), ended.set()))
        phone.wait_ready()
        phone.terminate()
        assert ended.wait(20)
        assert reports == [""]
        assert not phone.is_running


def test_a_phone_ends_with_the_program_that_started_it_even_when_that_is_killed():
    program = (
        "from collector.virtual.fleet.phone_options import PhoneOptions\n"
        "from collector.virtual.fleet.phone_process import PhoneProcess\n"
        "phone = PhoneProcess(PhoneOptions(apps=('todo',)))\n"
        "phone.start()\n"
        "print(phone.pid, phone.wait_ready(), flush=True)\n"
        "input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as owner:
        line = owner.stdout.readline()
        pid, address = line.decode().split()
        assert answers(address)
        phone = os.pidfd_open(int(pid)) if hasattr(os, "pidfd_open") else None
        owner.kill()
    if phone is None:
        pytest.skip("this system cannot wait for another program's process")
    with os.fdopen(phone, "rb") as ended:
        assert select.select([ended], [], [], 20)[0]
    assert not answers(address)


def test_options_become_the_words_of_the_command_line():
    options = PhoneOptions(
        name="A1", seed=7, size="1080x2400", density=420, locale="zh-CN", apps=("todo", "shop"),
        stand_ins=("tv.danmaku.bili",), faults=("slow-dump:ms=10",), android="10", realistic=True, port=5,
    )  # fmt: skip
    assert options.arguments() == [
        *("--port", "5", "--size", "1080x2400", "--density", "420", "--seed", "7", "--locale", "zh-CN"),
        *("--serial", "A1", "--android", "10", "--variation", "default"),
        *("--app", "todo", "--app", "shop"),
        *("--stand-in", "tv.danmaku.bili", "--fault", "slow-dump:ms=10", "--realistic"),
    ]


def test_the_profile_to_be_like_decides_the_screen_that_was_not_chosen():
    words = PhoneOptions(like="xiaomi").arguments()
    assert words[words.index("--like") + 1] == "xiaomi"
    assert "--size" not in words
    chosen = PhoneOptions(like="xiaomi", size="480x800", density=200).arguments()
    assert {"--size", "--density"} <= set(chosen)
