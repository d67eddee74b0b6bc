"""Import pyqtgraph for a job that needs it soon: on the GUI thread, in parts that the window can spare.

pyqtgraph reads every name of PySide6, which makes hundreds of types in that moment: see
:mod:`studio.bridge.qt_types`.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module

from PySide6.QtCore import QObject, Qt, Signal, Slot

from collector.model.cancellation import check_cancelled
from studio.bridge.qt_types import make_types

WITHOUT_QT = (
    "numpy", "xml.etree.ElementTree", "pydoc", "multiprocessing.connection", "decimal", "importlib.resources",
    "subprocess", "inspect", "cProfile", "ipaddress", "zipfile",
)  # fmt: skip
"""What pyqtgraph imports and any thread may."""
_QT = ("PySide6.QtCore", "PySide6.QtGui", "PySide6.QtWidgets")
_NAMES = 60
"""So many names of Qt are read in one turn, which takes 2 to 20 ms."""
_INTERVAL_S = 0.05
PLOTS = "pyqtgraph"


class PlotImport(QObject):
    """Made on the GUI thread, and waited for on another."""

    _wanted = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def wait(self) -> None:
        """Return when pyqtgraph is imported. Not for the GUI thread. Raises Cancelled."""
        if PLOTS in sys.modules:
            return
        for name in WITHOUT_QT:
            check_cancelled()
            import_module(name)
        for part in _parts():
            taken = threading.Event()
            self._wanted.emit(part, taken)
            while not taken.wait(_INTERVAL_S):
                check_cancelled()

    @Slot(object, object)
    def _take(self, part: Callable[[], object], taken: threading.Event) -> None:
        try:
            part()
        finally:
            taken.set()


def _parts() -> Iterator[Callable[[], object]]:
    for name in _QT:
        names = dir(sys.modules[name])
        for at in range(0, len(names), _NAMES):
            yield partial(make_types, name, names[at : at + _NAMES])
    yield partial(import_module, PLOTS)
