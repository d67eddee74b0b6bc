"""PySide reads no source text of a module that is imported once the window has begun to start."""

from __future__ import annotations

import linecache
import sys

from PySide6.QtWidgets import QWidget

from studio.bridge import module_sources


def test_a_module_imported_later_is_not_read_and_what_was_read_is_dropped(tmp_path, monkeypatch):
    assert linecache.getlines(__file__)
    module_sources.leave_unread()
    assert not linecache.cache
    path = tmp_path / "imported_later.py"
    path.write_text("from PySide6.QtWidgets import QWidget\n")
    monkeypatch.syspath_prepend(tmp_path)
    exec("import imported_later")  # as a statement, which PySide watches
    assert sys.modules.pop("imported_later").QWidget is QWidget
    assert str(path) not in linecache.cache


def test_pyside_still_has_what_is_replaced():
    """Otherwise it reads again, and takes memory and time at each start."""
    assert hasattr(sys.modules["shibokensupport.feature"], "_mod_uses_pyside")
