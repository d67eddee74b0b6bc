"""What an audit must not find again: keyed hashes of hidden words and files, kept outside of the project.

The words themselves are written nowhere. Who has a hash can try all PINs, so the hashes and their key lie
with the person's data and not with the project, which others get.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from collector.host.private_files import make_private_folder
from collector.host.user_folders import data_folder
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.files.disk import PrivateDisk
from collector.store.redaction.secret_text import SHORTEST
from collector.store.redaction.text_forms import LONG, folded_character, is_even, stands_alone

_FOLDER = "redaction"
_MOST_FILES = 200_000
_BASE = 0x9E3779B97F4A7C15
"""Odd, so that every power of it has an inverse among the 64-bit numbers."""
_OTHERS = re.compile(r"[^a-z0-9]+")
_LETTER = re.compile(r"[a-z0-9]")
_MASK = (1 << 64) - 1


@dataclass(slots=True)
class PrivateRecord:
    """The words and files that were hidden in one project, as keyed hashes."""

    path: Path
    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    words: dict[int, set[str]] = field(default_factory=dict)
    """By the number of letters and digits of a word, its keyed hashes."""
    written: set[str] = field(default_factory=set)
    """Keyed hashes of short words as they are written, from their first letter to the last."""
    files: set[str] = field(default_factory=set)
    """Keyed hashes of the bytes of files before something was hidden in them."""
    _sums: dict[int, set[int]] = field(default_factory=dict, repr=False)
    """By length, cheap hashes with which almost all of a text is passed over."""

    @classmethod
    def open(cls, project: Path) -> PrivateRecord:
        """The record of the project in ``project`` on this computer. Raises UserError when it is damaged."""
        name = hashlib.sha256(str(project.resolve()).encode()).hexdigest()[:32]
        path = data_folder() / _FOLDER / f"{name}.json"
        try:
            values = json.loads(path.read_bytes())
            words = {int(length): set(hashes) for length, hashes in values["words"].items()}
            sums = {int(length): set(found) for length, found in values["sums"].items()}
            written, files = set(values.get("written", ())), set(values["files"])
            return cls(path, bytes.fromhex(values["key"]), words, written, files, sums)
        except FileNotFoundError:
            return cls(path)
        except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
            raise UserError(
                _("{path} cannot be read", path=path), str(error), _("Restore it from a copy, or delete it")
            ) from None

    def add(self, words: Iterable[str], files: Iterable[bytes] = ()) -> None:
        """Keep words and files that are about to be hidden, on the disk too. Raises StoreError."""
        for word in words:
            letters = folded(word)
            if len(letters) < SHORTEST:
                continue
            self.words.setdefault(len(letters), set()).add(self._hash(letters.encode()))
            self._sums.setdefault(len(letters), set()).add(self._sum(letters))
            if len(letters) < LONG:
                _letters, places = _letters_of(word)
                at = places()
                self.written.add(self._hash(word[at[0] : at[-1] + 1].lower().encode()))
        self.files.update(self._hash(data) for data in files)
        self.write()

    def forget_files(self, files: Iterable[bytes]) -> None:
        """Let files be found: they are as they are to be. Raises StoreError."""
        known = self.files.intersection(map(self._hash, files))
        if known:
            self.files -= known
            self.write()

    def write(self) -> None:
        """Write it for this account alone. Raises StoreError."""
        values = {
            "key": self.key.hex(),
            "words": {str(length): sorted(hashes) for length, hashes in sorted(self.words.items())},
            "sums": {str(length): sorted(found) for length, found in sorted(self._sums.items())},
            "written": sorted(self.written),
            "files": sorted(self.files)[:_MOST_FILES],
        }
        try:
            make_private_folder(self.path.parent)
        except OSError as error:
            raise UserError(_("{path} cannot be written", path=self.path), str(error)) from None
        PrivateDisk().write(self.path, json.dumps(values).encode())

    @property
    def is_empty(self) -> bool:
        """Whether nothing was hidden from this computer."""
        return not self.words and not self.files

    def has_file(self, data: bytes) -> bool:
        """Whether these are the bytes of a file before something was hidden in it."""
        return self._hash(data) in self.files

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a text has a hidden word, as start and end; of a short one only where it stands alone."""
        if not self.words:
            return
        letters, known_places = _letters_of(text)
        for length, hashes in self.words.items():
            for at in self._candidates(letters, length):
                piece = letters[at : at + length]
                if self._hash(piece.encode()) not in hashes:
                    continue
                places = known_places()[at : at + length]
                start, stop = places[0], places[-1] + 1
                if length >= LONG or (stands_alone(text, start, stop) and self._is_same(text, places)):
                    yield start, stop

    def _is_same(self, text: str, places: list[int]) -> bool:
        """Whether a short match is the word as it was written, or spelled out: 12:00 is not 12.00."""
        if is_even(places):
            return True
        return self._hash(text[places[0] : places[-1] + 1].lower().encode()) in self.written

    def _candidates(self, letters: str, length: int) -> Iterator[int]:
        """Where so many letters may be a hidden word: by sums of powers, which take one pass."""
        count = len(letters) - length + 1
        if count < 1:
            return
        import numpy as np

        wanted = np.fromiter(self._sums.get(length, ()), dtype=np.uint64)
        codes = np.frombuffer(letters.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
        powers, inverse = _powers(self._base, 1 << (len(letters) - 1).bit_length())
        with np.errstate(over="ignore"):
            sums = np.zeros(len(codes) + 1, dtype=np.uint64)
            np.cumsum(codes * powers[: len(codes)], out=sums[1:])
            windows = (sums[length:] - sums[:count]) * inverse[:count]
        # By sorting: the table of NumPy 2.0 has no place for numbers beyond 63 bits.
        yield from np.nonzero(np.isin(windows, wanted, kind="sort"))[0].tolist()

    @property
    def _base(self) -> int:
        """An odd number that the key decides."""
        return (int.from_bytes(self.key[:8], "little") ^ _BASE) | 1

    def _sum(self, letters: str) -> int:
        total, power = 0, 1
        for letter in letters:
            total = (total + ord(letter) * power) & _MASK
            power = (power * self._base) & _MASK
        return total

    def _hash(self, data: bytes) -> str:
        return hmac.new(self.key, data, hashlib.sha256).hexdigest()


def folded(text: str) -> str:
    """The letters and digits of a text, without case, width and accents."""
    return "".join(map(folded_character, text))


def _letters_of(text: str) -> tuple[str, Callable[[], list[int]]]:
    """The folded letters of a text, and what gives the place of each."""
    if text.isascii():
        lower = text.lower()
        return _OTHERS.sub("", lower), lambda: [found.start() for found in _LETTER.finditer(lower)]
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        folded_to = folded_character(character)
        if folded_to:
            letters.append(folded_to)
            places += [place] * len(folded_to)
    return "".join(letters), lambda: places


@cache
def _powers(base: int, length: int) -> Any:
    """The powers of an odd number below 2 to the power of 64, and their inverses, as two rows of uint64."""
    import numpy as np

    rows = np.empty((2, length), dtype=np.uint64)
    for row, factor in zip(rows, (base, pow(base, -1, 1 << 64)), strict=True):
        row[:] = factor
        row[:1] = 1
    with np.errstate(over="ignore"):
        return np.cumprod(rows, axis=1, dtype=np.uint64)
