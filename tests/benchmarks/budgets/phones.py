"""Virtual phones of a fleet: start, whole reset, and memory after a simulated busy hour."""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator

import adbutils

from collector.model.geometry import Size
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.variation.phone_variation import PhoneVariation
from collector.variations.registry import Variations
from collector.virtual.fleet.phone_options import PhoneOptions
from collector.virtual.fleet.phone_process import PhoneProcess
from tests.benchmarks.bench_virtual_video import LONG_LIST, busy_session, client
from tests.benchmarks.budgets.table import Budget, Row, share_of_memory, timed
from tests.helpers.virtual import adb_server

_STARTS = 5
_RESETS = 30
_BUSY_ROUNDS = 3
_STREAMED_SECONDS = 4.0
_RELEASED_SECONDS = 6.0
"""A phone gives free memory back every five seconds."""
_SCREENS = ((Size(720, 1600), 320, 80.0), (Size(1080, 2400), 480, 100.0))


def rows() -> Iterator[Row]:
    """The first start fills the caches and is not counted."""
    with tempfile.TemporaryDirectory() as home:
        # Bytecode is kept, as in an installation, whatever the variables of the caller say.
        os.environ |= {
            "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{home}/bytecode", "WAYMARK_HOME": home,
        }  # fmt: skip
        starts = [_start() for _round in range(_STARTS + 1)][1:]
        yield Row("virtual phone: process to ready, warm", starts, Budget("median", 1000))
        yield from _resets()
        if sys.platform.startswith("linux"):
            for screen in _SCREENS:
                yield from _memory(*screen)


def _start() -> float:
    begun = time.perf_counter()
    with PhoneProcess() as phone:
        phone.wait_ready()
        return (time.perf_counter() - begun) * 1000


def _resets() -> Iterator[Row]:
    variations = Variations()
    setups = itertools.cycle(
        (
            PhoneSetup(2, "zh-CN", Size(1080, 2400), 480, variations.resolve("dark_theme+large_text")),
            PhoneSetup(3, "en-US", Size(720, 1600), 320, PhoneVariation()),
        )
    )
    with PhoneProcess() as phone:
        phone.wait_ready()
        same = timed(phone.reset, _RESETS)
        yield Row("virtual phone: whole reset", same, Budget("p95", 300))
        other = timed(lambda: phone.reset(next(setups)), _RESETS)
        what = "virtual phone: reset to another seed, language, screen and variation"
        yield Row(what, other, Budget("p95", 300))


def _memory(size: Size, density: int, limit: float) -> Iterator[Row]:
    """Every app used again and again with dumps and screenshots, and a mirror that comes and goes."""
    with adb_server() as server, PhoneProcess(PhoneOptions(size=str(size), density=density)) as phone:
        address = phone.wait_ready()
        server.connect(address)
        device = adbutils.AdbClient("127.0.0.1", server.port).device(address)
        for _round in range(_BUSY_ROUNDS):
            _stream(device, size)
            busy_session(device)
        time.sleep(_RELEASED_SECONDS)
        pid = phone.pid
        assert pid is not None
        after = share_of_memory(pid)
        mirrored = _stream(device, size, pid)
        bar = Budget("max", limit, unit="MB")
        yield Row(f"virtual phone: memory (PSS) after a busy hour, {size}", [after], bar, unit="MB")
        yield Row(f"virtual phone: memory (PSS) mirrored after it, {size}", [mirrored], bar, unit="MB")


def _stream(device: adbutils.AdbDevice, size: Size, pid: int = 0) -> float:
    """Fling while a client decodes; the memory at the end of it, of the process ``pid``."""
    device.shell(f"am start -W -n {LONG_LIST}")
    with client(device, size) as mirror:
        stopped = threading.Event()
        finger = threading.Thread(target=mirror.fling, args=(stopped,))
        finger.start()
        mirror.play(_STREAMED_SECONDS)
        stopped.set()
        finger.join()
        return share_of_memory(pid) if pid else 0.0
