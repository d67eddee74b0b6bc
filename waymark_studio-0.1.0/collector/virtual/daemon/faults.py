"""The faults that are active on a virtual phone: set, read and cleared from any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from collector.model.event_emitter import EventEmitter
from collector.virtual.daemon.fault_kinds import FAULTS, Fault, make_fault


class Faults:
    """The faults of one phone.

    Most code looks up the fault that concerns it (``"null-root" in faults``). Link faults act at once:
    ``silent`` answers no handshake, which adb shows as *offline*; while ``authorized`` is False the
    phone waits for a person to accept the computer's key (*unauthorized*), and setting it to True
    accepts it on the waiting connections.
    """

    def __init__(self) -> None:
        self.silent = False
        self._authorized = True
        self._lock = threading.RLock()
        self._set: dict[str, Fault] = {}
        self._timers: dict[str, threading.Timer] = {}
        self._servers: dict[Callable[[], None], str] = {}
        self._flowing = threading.Event()
        self._flowing.set()
        self._accepted: EventEmitter[None] = EventEmitter()
        self._dropped: EventEmitter[None] = EventEmitter()
        self.changed: EventEmitter[Fault] = EventEmitter()
        """Emits each fault that was set or cleared."""

    # -- active faults -----------------------------------------------------------

    def __contains__(self, name: str) -> bool:
        return name in self._set

    def value(self, name: str, parameter: str) -> int:
        """The value of a parameter; 0 while the fault is not set."""
        fault = self._set.get(name)
        return int(fault.values[parameter]) if fault else 0

    def kills(self, server: str) -> bool:
        """Whether a fault kills this server (one of SERVERS) when it starts."""
        fault = self._set.get("killed-server")
        return fault is not None and fault.values["server"] in ("all", server)

    @contextmanager
    def killable(self, server: str, kill: Callable[[], None]) -> Iterator[None]:
        """Register a running server; ``kill`` is called when a fault kills it."""
        with self._lock:
            self._servers[kill] = server
        try:
            yield
        finally:
            with self._lock:
                del self._servers[kill]

    def damaged_dump(self, xml: bytes) -> bytes:
        """The dump after the dump faults were applied."""
        if "truncated-dump" in self:
            return xml[: len(xml) * self.value("truncated-dump", "percent") // 100]
        size = self.value("huge-dump", "mb") << 20
        if size <= len(xml):
            return xml
        # Whitespace between elements makes the dump as large as requested and keeps it valid.
        return xml.replace(b"</hierarchy>", b" " * (size - len(xml)) + b"</hierarchy>")

    def active(self) -> list[Fault]:
        """The active faults, in the order of the table."""
        with self._lock:
            return [self._set[name] for name in FAULTS if name in self._set]

    # -- setting and clearing ------------------------------------------------------

    def set(self, name: str, **values: int | str) -> Fault:
        """Set a fault; raise ValueError for an invalid one. Setting it again replaces its parameters."""
        fault = make_fault(name, values)
        self.apply(fault)
        return fault

    def apply(self, fault: Fault) -> None:
        """Start a fault and replace an active one of the same kind."""
        name = fault.kind.name
        with self._lock:
            self._stop_timer(name)
            self._set[name] = fault
            seconds = int(fault.values.get("seconds", 0))
            if seconds:
                self._after(name, seconds, lambda: self.clear(name))
        self._begin(fault)
        self.changed.emit(fault)

    def clear(self, name: str = "") -> None:
        """Clear one fault, or all of them; raise ValueError for an unknown name."""
        if name and name not in FAULTS:
            make_fault(name, {})
        for fault_name in [name] if name else list(FAULTS):
            with self._lock:
                self._stop_timer(fault_name)
                fault = self._set.pop(fault_name, None)
            if fault is not None:
                self._end(fault_name)
                self.changed.emit(fault)

    def close(self) -> None:
        """Cancel timers and wake all waiting threads."""
        with self._lock:
            for name in list(self._timers):
                self._stop_timer(name)
            self._set.clear()
        self._flowing.set()

    def _begin(self, fault: Fault) -> None:
        name = fault.kind.name
        if name == "offline":
            self.silent = True
            self.drop()
        elif name == "unauthorized":
            self.authorized = False
            self.drop()
        elif name == "stall":
            self._flowing.clear()
        elif name == "drop" and not fault.values["bytes"]:
            self._cut(int(fault.values["every"]))
        elif name == "killed-server":
            with self._lock:
                kills = [kill for kill, server in self._servers.items() if self.kills(server)]
            for kill in kills:
                kill()

    def _end(self, name: str) -> None:
        if name == "offline":
            self.silent = False
            # adb sends its greeting once per connection: only a new connection gets an answer.
            self.drop()
        elif name == "unauthorized":
            self.authorized = True
        elif name == "stall":
            self._flowing.set()

    def _cut(self, every: int) -> None:
        """Cut the connections now and, while the fault is set, again every ``every`` seconds."""
        with self._lock:
            if "drop" not in self._set:
                return
            if every:
                self._after("drop", every, lambda: self._cut(every))
            else:
                del self._set["drop"]
        self.drop()

    def _after(self, name: str, seconds: int, act: Callable[[], None]) -> None:
        timer = self._timers[name] = threading.Timer(seconds, act)
        timer.name, timer.daemon = "virtual fault", True
        timer.start()

    def _stop_timer(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    # -- the link --------------------------------------------------------------------

    @property
    def authorized(self) -> bool:
        return self._authorized

    @authorized.setter
    def authorized(self, value: bool) -> None:
        with self._lock:
            self._authorized = value
        if value:
            self._accepted.emit(None)

    def when_authorized(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` once the computer is accepted; the returned function cancels the wait."""
        with self._lock:
            if not self._authorized:
                return self._accepted.subscribe(lambda _event: callback())
        callback()
        return lambda: None

    def flows(self, seconds: float) -> bool:
        """Whether the link carries data; wait up to ``seconds`` for it."""
        return self._flowing.wait(seconds)

    def drop(self) -> None:
        """Cut every connection, as a loose cable does; clients may reconnect."""
        self._dropped.emit(None)

    def on_drop(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` when all connections are cut; the returned function unsubscribes."""
        return self._dropped.subscribe(lambda _event: callback())
