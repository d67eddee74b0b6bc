"""Previews of anomalies as a phone will show them, drawn behind the window; the newest are cached."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from collector.anomalies.model import Anomaly
from collector.model.byte_bounded_cache import ByteBoundedCache
from studio.bridge.jobs import Job, JobRunner

Renderer = Callable[[Anomaly, Mapping[str, object], bool, str], QImage]
"""Anomaly, values of its parameters, dark, package of the app it meets -> its picture; on a worker's thread.

A null picture says that the phone shows nothing of it.
"""

_BUDGET = 4 * 1024 * 1024
"""Bytes of the pictures that are kept: of two or more dialogs, or of a screen; one is shown."""
_WAITING = 64
"""Requests that wait; older ones come again when they are still looked at."""


@dataclass(frozen=True, slots=True)
class PreviewKey:
    """All that one preview depends on; the place of an entry in its file is no part of it."""

    kind: str
    activity: str
    language: str
    parameters: tuple[tuple[str, object], ...]
    commands: tuple[str, ...]
    dark: bool
    package: str


def key_of(
    anomaly: Anomaly, values: Mapping[str, object] | None = None, *, dark: bool = False, package: str = ""
) -> PreviewKey:
    """What :attr:`AnomalyPreviews.arrived` tells for such a request; ``values`` go before the library's."""
    given = {parameter.name: parameter.value for parameter in anomaly.parameters} | dict(values or {})
    commands = tuple(
        f"{native.versions} {name}={command.text}"
        for native in anomaly.native
        for name, command in (
            *((name, read.command) for name, read in native.remember.items()),
            *(("", each) for each in native.apply),
        )
    )
    shown = tuple(sorted((name, _typed(value)) for name, value in given.items()))
    return PreviewKey(anomaly.kind, anomaly.activity, anomaly.language, shown, commands, dark, package)


def _typed(value: object) -> tuple[str, str]:
    """True and 1 are not one value, and values of two types have an order."""
    return type(value).__name__, str(value)


class AnomalyPreviews(QObject):
    """Asks ``render`` for one picture at a time, the newest request first. GUI thread only."""

    arrived = Signal(object)
    """The :class:`PreviewKey` of a picture that is known now."""

    def __init__(self, runner: JobRunner, render: Renderer, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._render = runner, render
        self._known: ByteBoundedCache[PreviewKey, QImage] = ByteBoundedCache(_BUDGET, QImage.sizeInBytes)
        self._waiting: OrderedDict[PreviewKey, tuple[Anomaly, dict[str, object]]] = OrderedDict()
        self._drawing: PreviewKey | None = None

    def request(
        self, anomaly: Anomaly, values: Mapping[str, object] | None = None, *, dark: bool = False,
        package: str = "",
    ) -> QImage | None:  # fmt: skip
        """The picture when it is known, a null one when the phone shows nothing; else None, and it comes."""
        key = key_of(anomaly, values, dark=dark, package=package)
        known = self._known.get(key)
        if known is not None:
            return known
        if key != self._drawing:
            self._waiting[key] = anomaly, dict(values or {})
            self._waiting.move_to_end(key)
            while len(self._waiting) > _WAITING:
                self._waiting.popitem(last=False)
            self._next()
        return None

    def _next(self) -> None:
        if self._drawing is not None or not self._waiting:
            return
        key, (anomaly, values) = self._waiting.popitem()
        self._drawing = key

        def work(_job: Job) -> QImage:
            return self._render(anomaly, values, key.dark, key.package)

        self._runner.run(work, success=self._drawn, failure=self._not_drawn)

    @Slot(object)
    def _drawn(self, picture: QImage) -> None:
        key, self._drawing = self._drawing, None
        assert key is not None
        self._known.put(key, picture)
        self.arrived.emit(key)
        self._next()

    @Slot(object)
    def _not_drawn(self, _error: Exception) -> None:
        """The runner has logged why; what cannot be drawn is not asked for again and again."""
        self._drawn(QImage())
