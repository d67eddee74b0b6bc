"""The lines that the system writes to the log by itself, though nobody touches the phone.

The seed and the second decide them: they are made when somebody reads the log, and cost nothing before. Their
tags, priorities and forms are those that phones with Android 11 to 15 write.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Sequence
from random import Random

from collector.virtual.shell.system_processes import SYSTEM_PROCESSES, SYSTEM_SERVER
from collector.virtual.system.phone_state.clock import Clock
from collector.virtual.system.phone_state.logcat import LogEntry

_PIDS = {process.name: process.pid for process in SYSTEM_PROCESSES}
_SYSTEM_UI, _PHONE = _PIDS["com.android.systemui"], _PIDS["com.android.phone"]
_WIFI, _MEMORY, _KEYBOARD = _PIDS["wpa_supplicant"], _PIDS["lmkd"], _PIDS["com.android.inputmethod.latin"]
_AUDIO = _PIDS["audioserver"]

_SECOND_NS = 1_000_000_000
_LONGEST_S = 300
"""Nothing is made up for what is longer ago, however long nobody read."""
_BURST = 0.12
"""Share of the seconds in which several parts of the system write."""

_Text = Callable[[Random], str]


def _collection(random: Random) -> str:
    freed, kept = random.randint(400, 9000), random.randint(4, 30)
    return (
        f"Background young concurrent copying GC freed {freed}KB AllocSpace bytes, "
        f"{random.randint(0, 20)}(0KB) LOS objects, {random.randint(10, 60)}% free, {kept}MB/{kept * 2}MB, "
        f"paused {random.randint(40, 300)}us,{random.randint(10, 90)}us "
        f"total {random.randint(12, 80)}.{random.randint(100, 999)}ms"
    )


def _association(random: Random) -> str:
    source, target, number = random.getrandbits(28), random.getrandbits(28), random.randint(900, 99_000)
    return (
        f"Tracking association SourceState{{{source:07x} system/1000 BFgs #{number}}} whose proc state 4 "
        f"is better than process ProcessState{{{target:07x} com.android.systemui/10100}} proc state 14"
    )


def _wifi_signal(random: Random) -> str:
    rate = random.choice((72_200, 144_400))
    signal = random.randint(48, 66)
    return f"wlan0: CTRL-EVENT-SIGNAL-CHANGE above=1 signal=-{signal} noise=9999 txrate={rate}"


def _compatibility(random: Random) -> str:
    change, uid = random.randint(135_000_000, 270_000_000), random.randint(10_100, 10_160)
    return f"Compat change id reported: {change}; UID {uid}; state: ENABLED"


def _job(random: Random) -> str:
    app, job = random.randint(90, 140), random.randint(1, 90_000)
    return f"Job didn't exist in JobStore: {random.getrandbits(28):07x} #u0a{app}/{job}"


def _numbered(text: str, first: int, last: int) -> _Text:
    """The text with a number from ``first`` to ``last`` in place of its braces."""
    return lambda random: text.format(random.randint(first, last))


def _plain(*texts: str) -> _Text:
    return lambda random: random.choice(texts)


_LINES: tuple[tuple[int, int, str, str, _Text], ...] = (
    (
        6,
        SYSTEM_SERVER,
        "D",
        "WifiClientModeImpl[wlan0]",
        _numbered("getWifiLinkLayerStats: rssi=-{}", 48, 66),
    ),
    (5, SYSTEM_SERVER, "D", "WifiNl80211Manager", _plain("Scan result ready event")),
    (4, SYSTEM_SERVER, "W", "ProcessStats", _association),
    (4, SYSTEM_SERVER, "D", "ConnectivityService", _numbered("NetReassign [no changes] [c {}] [a 0]", 0, 3)),
    (3, SYSTEM_SERVER, "D", "AlarmManager", _numbered("Kernel timer fired: type=2 count={}", 1, 3)),
    (3, SYSTEM_SERVER, "I", "system_server", _collection),
    (3, SYSTEM_SERVER, "D", "CompatibilityChangeReporter", _compatibility),
    (2, SYSTEM_SERVER, "D", "SyncManager", _plain("userId - 0 auto - true")),
    (2, SYSTEM_SERVER, "W", "JobScheduler", _job),
    (
        3,
        _SYSTEM_UI,
        "D",
        "KeyguardUpdateMonitor",
        _plain("handleTimeUpdate", "handleTimeFormatUpdate timeFormat=null"),
    ),
    (
        2,
        _SYSTEM_UI,
        "D",
        "WifiSignalController",
        _numbered("Change in state from: connected to: level={}", 2, 4),
    ),
    (2, _SYSTEM_UI, "I", "ndroid.systemui", _collection),
    (2, _PHONE, "D", "SST", _numbered("[0] EVENT_SIGNAL_STRENGTH_UPDATE level={}", 2, 4)),
    (1, _PHONE, "D", "RILJ", _numbered("[{}]> GET_CELL_INFO_LIST [PHONE0]", 1000, 9000)),
    (2, _WIFI, "I", "wpa_supplicant", _wifi_signal),
    (1, _MEMORY, "I", "lowmemorykiller", _plain("Memory pressure event: level=low")),
    (1, _KEYBOARD, "I", "LatinIME", _plain("Hardware keyboard is not connected")),
    (1, _AUDIO, "D", "AudioFlinger", _numbered("mixer throttle end: throttle time({})", 2, 40)),
)
"""Weight, process, priority, tag and text."""
_WEIGHTS = [weight for weight, *_rest in _LINES]


class BackgroundLog:
    """Makes the lines that became due. Thread-safe; takes no lock of the phone."""

    def __init__(self, clock: Clock, seed: int) -> None:
        self._clock, self._seed = clock, seed
        self._until_ns = clock.uptime_ns
        self._lock = threading.Lock()

    def due(self) -> Sequence[LogEntry]:
        """The lines since the last call, by time."""
        with self._lock:
            now_ns, wall = self._clock.uptime_ns, self._clock.now
            since_ns = max(self._until_ns, now_ns - _LONGEST_S * _SECOND_NS)
            self._until_ns = now_ns
            entries = []
            for second in range(since_ns // _SECOND_NS, now_ns // _SECOND_NS + 1):
                for at_ns, pid, tid, priority, tag, text in _lines_of(self._seed, second):
                    if since_ns < at_ns <= now_ns:
                        time = wall - dt.timedelta(microseconds=(now_ns - at_ns) // 1000)
                        entries.append(LogEntry(time, pid, tid, priority, tag, text))
            return entries


def _lines_of(seed: int, second: int) -> list[tuple[int, int, int, str, str, str]]:
    """Uptime in ns, process, thread, priority, tag and text of the lines of a second; there is always one."""
    random = Random(f"{seed} {second}")
    count = random.randint(5, 11) if random.random() < _BURST else random.randint(1, 3)
    times = sorted(random.randrange(_SECOND_NS) for _number in range(count))
    chosen = random.choices(_LINES, _WEIGHTS, k=count)
    return [
        (second * _SECOND_NS + at, pid, pid + random.randrange(40), priority, tag, text(random))
        for at, (_weight, pid, priority, tag, text) in zip(times, chosen, strict=True)
    ]
