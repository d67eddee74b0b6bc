"""Large blocks that threads free go back to the system."""

import subprocess
import sys

import pytest

_RESIDENT = """
import threading
from pathlib import Path
from collector.host.malloc import limit_malloc, trim_malloc

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20
"""

_THREADS = """
limit_malloc(arenas=2, mapped_from=1 << 20, kept=1 << 20)
kept, all_here = [], threading.Barrier(8)

def work():
    for size in range(3 << 20, 9 << 20, 1 << 20):
        bytearray(size)  # freed at once
        kept.append(bytes(200_000))  # what stays would keep the end of a pool from going back
        all_here.wait()

before = resident()
threads = [threading.Thread(target=work) for _number in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(resident() - before)
"""

_HOLES = """
kept = [bytes([number % 256]) * 3000 for number in range(20_000)]
del kept[::2], kept[::2], kept[::2], kept[::2]
before = resident()
trim_malloc()
print(before - resident())
"""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's malloc is Linux's")


def _megabytes(script: str) -> int:
    """What a script prints in a process of its own."""
    command = [sys.executable, "-c", _RESIDENT + script]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_freed_pictures_of_many_threads_go_back_to_the_system():
    assert _megabytes(_THREADS) < 24  # of 10 MB that are kept, and 72 that eight threads use at their peak


def test_freed_blocks_between_others_go_back_when_they_are_trimmed():
    assert _megabytes(_HOLES) > 30  # of 56 MB
