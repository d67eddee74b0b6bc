"""Pictures as a model is shown them, each drawn once: of screens seen a moment ago, and of the next ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self

from collector.agents.openai.shown_picture import PictureOptions, ShownPicture, draw_picture, shown_size
from collector.agents.screen_elements import ScreenElement
from collector.device.frame import Frame
from collector.exchange.training.recorded_frame import RecordedFrame
from collector.exchange.training.sample_options import SampleOptions
from collector.host.machine_load import usable_cores
from collector.model.geometry import Size
from collector.pictures.errors import PictureError

_REMEMBERED_BYTES = 32_000_000
_MOST_THREADS = 4
"""More would wait for the thread that writes the samples."""
_PASSED = {"PNG": "image/png", "JPEG": "image/jpeg"}
"""Formats that every trainer reads, and their media types."""
_Key = tuple[bytes, Size, Size]


class DrawnPictures:
    """Draws the pictures of an export, where there are several cores by threads of its own.

    A file is passed on as it is when it has the size that is asked for and nothing is drawn on it. Of what
    was drawn the latest is remembered: runs of one task show the same screens. Used by one thread, as a
    context that ends its threads.
    """

    def __init__(self, options: SampleOptions, cores: int | None = None) -> None:
        """``cores``: how many may be used; as a rule those of this program."""
        self._keeps_files = options.keeps_files
        self._options = options.shown.picture
        self._model_size = options.shown.dialect.image_size
        threads = min(cores or usable_cores(), _MOST_THREADS)
        has_pool = threads > 1 and not self._options.marks  # marks come with the elements of the screen
        self._pool = ThreadPoolExecutor(threads, "export-picture") if has_pool else None
        self.ahead = threads + 1 if has_pool else 0
        """How many screens it is worth to begin before the one that is asked for."""
        self._drawn: OrderedDict[_Key, Future[ShownPicture]] = OrderedDict()
        self._sizes: dict[_Key, int] = {}
        """Bytes of the pictures that were asked for."""
        self._bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def begin(self, frame: RecordedFrame, screen: Size) -> None:
        """Begin the picture of a ``screen`` that is asked for soon."""
        if self._pool is None:
            return
        size = shown_size(screen, self._model_size, self._options.max_pixels)
        if self._file_of(frame, screen, size) is not None:
            return
        key = (frame.digest, screen, size)
        if key not in self._drawn:
            self._drawn[key] = self._pool.submit(draw_picture, frame, screen, size, self._options)
        self._drawn.move_to_end(key)

    def draw(
        self, frame: Frame, screen: Size, size: Size, options: PictureOptions,
        elements: Iterable[ScreenElement],
    ) -> ShownPicture:  # fmt: skip
        """The picture as a conversation asks for it. Raises PictureError when it cannot be decoded."""
        if not isinstance(frame, RecordedFrame) or options.marks:
            return draw_picture(frame, screen, size, options, elements)
        if (file := self._file_of(frame, screen, size)) is not None:
            return file
        key = (frame.digest, screen, size)
        if key not in self._drawn:
            self._drawn[key] = done = Future[ShownPicture]()
            try:
                done.set_result(draw_picture(frame, screen, size, options))
            except PictureError as error:
                done.set_exception(error)
        self._drawn.move_to_end(key)
        picture = self._drawn[key].result()
        self._remember(key, len(picture.data))
        return picture

    def _file_of(self, frame: RecordedFrame, screen: Size, size: Size) -> ShownPicture | None:
        """The file as it is: in the size that the model is shown, or in that to which places belong."""
        options, file = self._options, frame.file
        if options.grid or options.marks or options.quality or file.format not in _PASSED:
            return None
        wanted = screen if self._keeps_files else size
        return ShownPicture(wanted, file.data, _PASSED[file.format]) if file.size == wanted else None

    def _remember(self, key: _Key, size: int) -> None:
        if key not in self._sizes:
            self._sizes[key] = size
            self._bytes += size
        while self._bytes > _REMEMBERED_BYTES and len(self._drawn) > self.ahead + 1:
            oldest, _picture = self._drawn.popitem(last=False)
            self._bytes -= self._sizes.pop(oldest, 0)
