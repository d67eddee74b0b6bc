"""Rows of parquet files that wait in a file that grows with them, so that an interrupted export goes on.

A parquet file is whole only when it is closed. So each row is kept as a record batch of Arrow behind those
before it, with its length and the bytes of its pictures, and the parquet files are made of them in the end.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from collector.trainer_files.conversation import TrainingConversation
from collector.trainer_files.rows import RowOf
from collector.trainer_files.writers import GROUP_BYTES, GROUP_ROWS, Append, parquet_modules

_HEAD = struct.Struct("<QQ")


class WaitingRows:
    """The rows of one or several parquet files, which :meth:`close` makes."""

    def __init__(
        self, waiting: Path, append: Append, row_of: RowOf, schema_of: Callable[[Any], Any],
        path_of: Callable[[int], Path], shard_bytes: int = 0,
    ) -> None:  # fmt: skip
        """``path_of`` names the files from 0 on. The next one begins once the pictures of one have
        ``shard_bytes``; 0 for one file. ``schema_of`` makes the schema, given pyarrow.

        Raises UserError when pyarrow is not installed.
        """
        self._arrow, self._parquet = parquet_modules()
        self._waiting, self._append, self._row_of = waiting, append, row_of
        self._schema, self._path_of, self._shard_bytes = schema_of(self._arrow), path_of, shard_bytes

    def add(self, sample: TrainingConversation) -> None:
        batch = self._arrow.RecordBatch.from_pylist([self._row_of(sample)], schema=self._schema)
        data = batch.serialize()
        pictures = sum(len(picture.data) for picture in sample.pictures)
        self._append(self._waiting, _HEAD.pack(data.size, pictures) + data.to_pybytes())

    def close(self) -> None:
        """Write the files; none where no row waits."""
        writer, number, held = None, 0, 0
        try:
            for table, pictures in self._groups():
                if writer is None:
                    writer = self._parquet.ParquetWriter(self._path_of(number), self._schema)
                writer.write_table(table)
                held += pictures
                if self._shard_bytes and held >= self._shard_bytes:
                    writer.close()
                    writer, number, held = None, number + 1, 0
        finally:
            if writer is not None:
                writer.close()

    def _groups(self) -> Iterator[tuple[Any, int]]:
        """The rows a group at a time, each with the bytes of its pictures; no more is in memory."""
        batches: list[Any] = []
        held = 0
        for batch, pictures in self._rows():
            batches.append(batch)
            held += pictures
            if len(batches) >= GROUP_ROWS or held >= GROUP_BYTES:
                yield self._table(batches), held
                batches, held = [], 0
        if batches:
            yield self._table(batches), held

    def _table(self, batches: list[Any]) -> Any:
        return self._arrow.Table.from_batches(batches, self._schema).combine_chunks()

    def _rows(self) -> Iterator[tuple[Any, int]]:
        if not self._waiting.exists():
            return
        with self._waiting.open("rb") as file:
            while head := file.read(_HEAD.size):
                size, pictures = _HEAD.unpack(head)
                yield (
                    self._arrow.ipc.read_record_batch(self._arrow.py_buffer(file.read(size)), self._schema),
                    pictures,
                )
