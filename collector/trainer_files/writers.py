"""Write rows one after another, as lines of JSON or as parquet, and pictures beside them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from collector.host.extras import how_to_add
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.trainer_files.conversation import Picture, TrainingConversation
from collector.trainer_files.rows import PICTURES, Row, RowOf

PARQUET_PACKAGE, PARQUET_EXTRA = "pyarrow", "training"
GROUP_ROWS, GROUP_BYTES = 64, 32_000_000
"""A group of rows of a parquet file ends at so many rows, or bytes of pictures; so much is in memory."""


Append = Callable[[Path, bytes], None]


def _append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def parquet_modules() -> tuple[Any, Any]:
    """The modules ``pyarrow`` and ``pyarrow.parquet``. Raises UserError when they are not installed."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise UserError(
            _("Parquet cannot be written"), _("the package pyarrow is not installed"),
            how_to_add(PARQUET_EXTRA),
        ) from None  # fmt: skip
    return pa, parquet


class SampleWriter(Protocol):
    """Writes samples to a file, which is there once it has one: no trainer reads an empty file."""

    def add(self, sample: TrainingConversation) -> None: ...

    def close(self) -> None:
        """Make what is made of all samples; after an error it is not called."""


class LineWriter:
    """Lines of JSON."""

    def __init__(self, path: Path, row_of: RowOf, append: Append = _append) -> None:
        """``append`` adds bytes to the end of a file."""
        self._path, self._row_of, self._append = path, row_of, append

    def add(self, sample: TrainingConversation) -> None:
        line = json.dumps(self._row_of(sample), ensure_ascii=False)
        self._append(self._path, f"{line}\n".encode("utf-8", "replace"))

    def close(self) -> None:
        """Nothing is held back."""


class ParquetWriter:
    """A parquet file with the pictures in it, a group of rows at a time."""

    def __init__(self, path: Path, row_of: RowOf) -> None:
        """The schema is that of the first rows. Raises UserError when pyarrow is not installed."""
        self._arrow, self._parquet = parquet_modules()
        self._path, self._row_of = path, row_of
        self._schema: Any = None
        self._rows: list[Row] = []
        self._bytes = 0
        self._writer: Any = None

    def add(self, sample: TrainingConversation) -> None:
        self._rows.append(self._row_of(sample))
        self._bytes += sum(len(picture.data) for picture in sample.pictures)
        if len(self._rows) >= GROUP_ROWS or self._bytes >= GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        """Write what is left."""
        if self._rows:
            self._flush()
        if self._writer is not None:
            self._writer.close()

    def _flush(self) -> None:
        table = self._arrow.Table.from_pylist(self._rows, schema=self._schema)
        if self._writer is None:
            self._schema = table.schema
            self._writer = self._parquet.ParquetWriter(self._path, table.schema)
        self._writer.write_table(table)
        self._rows, self._bytes = [], 0


class PictureFolder:
    """The pictures of samples as files; equal ones are one file."""

    def __init__(self, folder: Path, makes: Callable[[Path], None] = lambda _path: None) -> None:
        """``folder`` is the one with the rows; ``makes`` is told of each file before it is made."""
        self._folder, self._makes = folder / PICTURES, makes

    def keep(self, picture: Picture) -> None:
        """Write a picture, if it is not there."""
        self._folder.mkdir(exist_ok=True)
        path = self._folder / picture.name
        if not path.exists():
            self._makes(path)
            path.write_bytes(picture.data)
