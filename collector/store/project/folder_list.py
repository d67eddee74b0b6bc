"""Folders of many trajectories in order: a few dozen bytes each, where a Path takes half a kilobyte."""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import overload


class FolderList(Sequence[Path]):
    """Folders by number, from 0. A Path is made when one is asked for, and not kept."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Read ``folders`` once, in their order. :meth:`index` needs them sorted, as a project lists them."""
        self._parents: list[Path] = []
        self._parent_of = array("I")
        self._names, self._ends = bytearray(), array("Q")
        for folder in folders:
            if not self._parents or folder.parent != self._parents[-1]:
                self._parents.append(folder.parent)
            self._parent_of.append(len(self._parents) - 1)
            self._names += os.fsencode(folder.name)
            self._ends.append(len(self._names))

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, number: int) -> Path: ...

    @overload
    def __getitem__(self, number: slice) -> list[Path]: ...

    def __getitem__(self, number: int | slice) -> Path | list[Path]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        place = range(len(self))[number]
        name = self._names[self._ends[place - 1] if place else 0 : self._ends[place]]
        return self._parents[self._parent_of[place]] / os.fsdecode(bytes(name))

    def index(self, folder: Path, start: int = 0, stop: int | None = None) -> int:
        """The number of a folder. Raises ValueError when it is not among them."""
        end = len(self) if stop is None else min(stop, len(self))
        place = bisect_left(self, folder, start, end)
        if place >= end or self[place] != folder:
            raise ValueError(f"{folder.name} is not in the list")
        return place
