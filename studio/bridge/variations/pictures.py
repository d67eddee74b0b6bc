"""Pictures of the virtual phone under variations, drawn behind the window."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage

from collector.model.byte_bounded_cache import ByteBoundedCache
from collector.model.errors import UserError
from collector.model.variation.phone_variation import PhoneVariation
from collector.variations.registry import Variations
from studio.bridge.jobs import Job, JobRunner

ScreenRenderer = Callable[[PhoneVariation, str, str, int], QImage]
"""A variation, the name of a screen, locale and seed of the phone -> its picture; on a worker's thread."""
FIRST_LOCALE, FIRST_SEED = "en-US", 1


_BUDGET = 2 * 1024 * 1024
"""Bytes of the pictures without a variation that are kept: three or more; another is drawn in 30 ms."""


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """What is to be drawn: a combination of variations, on these screens."""

    folder: Path | None
    texts: tuple[tuple[str, str], ...]
    """Name and text of the files that are edited."""
    combination: str
    screens: tuple[str, ...]
    locale: str = FIRST_LOCALE
    seed: int = FIRST_SEED
    """Of the phone, which decides what apps hold."""
    widest: int = 1_000
    """Pixels of the width that is shown: of six screens of 480 the pictures took 12 MB."""


@dataclass(frozen=True, slots=True)
class DrawnPair:
    """A screen without and with the combination; ``same`` when no pixel differs."""

    screen: str
    before: QImage
    after: QImage
    same: bool


@dataclass(frozen=True, slots=True)
class DrawnPairs:
    """The answer to a request: pictures, or why there are none."""

    request: PictureRequest
    name: str = ""
    """Canonical name of the combination."""
    pairs: tuple[DrawnPair, ...] = ()
    problem: str = ""


class VariationPictures(QObject):
    """Draws the newest request; one that comes while another is drawn takes its turn after it. GUI thread."""

    drawn = Signal(object)
    """A :class:`DrawnPairs`."""

    def __init__(
        self, runner: JobRunner, render: ScreenRenderer, screens: Callable[[], Sequence[str]],
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        """``screens`` names all screens that ``render`` can draw; it is called on a worker's thread."""
        super().__init__(parent)
        self._runner, self._render, self._screens = runner, render, screens
        self._waiting: PictureRequest | None = None
        self._drawing = False
        self._plain: ByteBoundedCache[tuple[str, str, int, int], _Picture] = ByteBoundedCache(
            _BUDGET, lambda picture: picture.shown.sizeInBytes()
        )
        """Pictures without a variation, by screen, locale, seed and width."""

    def list_screens(self, use: Callable[[Sequence[str]], object]) -> None:
        """Call ``use`` with the names of all screens, once they are known."""
        self._runner.run(lambda _job: tuple(self._screens()), success=use)

    def request(self, request: PictureRequest) -> None:
        """Draw a request; ``drawn`` follows, unless another request comes before its turn."""
        self._waiting = request
        self._next()

    def _next(self) -> None:
        request = self._waiting
        if self._drawing or request is None:
            return
        self._waiting, self._drawing = None, True
        self._runner.run(lambda job: self._draw(request, job), success=self._done, failure=self._failed)

    def _draw(self, request: PictureRequest, job: Job) -> DrawnPairs:
        try:
            variation = Variations(request.folder, dict(request.texts)).resolve(request.combination)
        except UserError as error:
            return DrawnPairs(request, problem=str(error))
        pairs = []
        for screen in request.screens:
            if job.cancelled:
                break
            phone = screen, request.locale, request.seed
            before = self._plain.get((*phone, request.widest))
            if before is None:
                before = _picture_of(self._render(PhoneVariation(), *phone), request.widest)
                self._plain.put((*phone, request.widest), before)
            after = _picture_of(self._render(variation, *phone), request.widest)
            pairs.append(DrawnPair(screen, before.shown, after.shown, before.drawn == after.drawn))
        return DrawnPairs(request, variation.name, tuple(pairs))

    @Slot(object)
    def _done(self, pairs: DrawnPairs) -> None:
        self._drawing = False
        self.drawn.emit(pairs)
        self._next()

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._drawing = False
        self.drawn.emit(DrawnPairs(PictureRequest(None, (), "", ()), problem=str(error)))
        self._next()


def edited_texts(texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Texts by name, as a request keeps them."""
    return tuple(sorted(texts.items()))


@dataclass(frozen=True, slots=True)
class _Picture:
    """A screen as it is shown, and what tells whether another was drawn alike to the pixel."""

    shown: QImage
    drawn: tuple[QSize, bytes]


def _picture_of(drawn: QImage, widest: int) -> _Picture:
    alike = drawn.size(), hashlib.sha256(drawn.constBits()).digest()
    if drawn.width() > widest:
        drawn = drawn.scaledToWidth(widest, Qt.TransformationMode.SmoothTransformation)
    return _Picture(drawn, alike)
