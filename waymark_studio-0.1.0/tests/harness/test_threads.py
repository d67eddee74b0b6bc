"""The check for leaked threads waits for a thread that is being started."""

from __future__ import annotations

import threading

from tests.helpers.threads import leaked_threads


def test_a_thread_still_being_started_is_waited_for(monkeypatch):
    before = set(threading.enumerate())
    late = threading.Thread(target=lambda: None, name="late")
    monkeypatch.setattr(threading, "enumerate", lambda: [*before, late])
    starter = threading.Timer(0.05, late.start)
    starter.start()
    assert leaked_threads(before) == []
    assert late.ident is not None
    starter.join()
