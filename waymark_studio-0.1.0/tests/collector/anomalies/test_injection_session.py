"""One phone opened for injections: what is on it, what is left on purpose, and what closing undoes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.events import INJECTED, UNDONE, AnomalyEvent
from collector.anomalies.injection_session import ActiveInjections, InjectionSession
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.model import Anomaly
from tests.helpers.shell_device import ShellDevice, shell_device


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ShellDevice]:
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    with shell_device("shop", "settings", "companion") as phone:
        yield phone


def builtin(anomaly_id: str) -> Anomaly:
    anomaly = builtin_library().get(anomaly_id)
    assert anomaly is not None
    return anomaly


def wifi_of(device: ShellDevice) -> str:
    return device.phone.settings.get("global", "wifi_on")


def test_a_change_is_active_until_it_is_undone(device: ShellDevice) -> None:
    session, events = InjectionSession(device), []
    session.events.subscribe(events.append)
    injection = session.fire(InjectionRequest(builtin("wifi_off")))
    assert wifi_of(device) == "0"
    assert [(change.id, change.anomaly, change.earlier) for change in session.pending] == [
        (injection.id, "wifi_off", False)
    ]
    (result,) = session.undo(injection.id)
    assert (result.problem, session.pending, wifi_of(device)) == ("", (), "1")
    kinds = [event.kind for event in events if isinstance(event, AnomalyEvent)]
    assert kinds == [INJECTED, UNDONE]
    counts = [len(event.active) for event in events if isinstance(event, ActiveInjections)]
    assert 1 in counts
    assert counts[-1] == 0
    session.close()


@pytest.mark.parametrize(
    ("restore", "remaining", "left"), [(True, False, 0), (True, True, 1), (False, False, 1)]
)
def test_closing_undoes_what_was_not_kept_on_purpose(
    device: ShellDevice, restore: bool, remaining: bool, left: int
) -> None:
    session = InjectionSession(device)
    session.fire(InjectionRequest(builtin("wifi_off")))
    if remaining:
        session.keep_all()
    session.close(restore=restore)
    after = InjectionSession(device)
    assert [change.earlier for change in after.pending] == [True] * left
    assert wifi_of(device) == ("0" if left else "1")
    assert len(after.restore()) == (0 if remaining else left)  # what was kept stays until it is asked for
    after.undo()
    assert (after.pending, wifi_of(device)) == ((), "1")
    after.close()


def test_what_a_leased_run_leaves_is_restored_afterwards(device: ShellDevice) -> None:
    session = InjectionSession(device)
    with session.leased(threading.Event()) as injector:
        injector.fire(InjectionRequest(builtin("wifi_off")))
        assert session.restore() == []  # it belongs to the run while the lease lasts
    assert [result.problem for result in session.restore()] == [""]
    assert wifi_of(device) == "1"
    session.close()
