"""The answers of models, kept by the hash of what was sent, so that none is paid for twice.

The store is a cache of the project: it is in no export, and a redaction empties it. Each answer is on the
disk before its judge goes on, so that a program that was killed asks no question again. A question that is
on its way has a lock file beside the store, so that programs that judge at once do not ask it twice. Neither
holds a key.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from collector.endpoint.chat_reply import ChatReply
from collector.host.file_lock import hold, holders, lock_path
from collector.host.own_database import connect, is_own, mark_own
from collector.model.i18n import _
from collector.model.usage import Usage
from collector.store.files.errors import WriteFailed

_log = logging.getLogger(__name__)
PATIENCE_S = 30.0
_TABLE = (
    "CREATE TABLE answers (hash TEXT PRIMARY KEY, judge TEXT, model TEXT, reply TEXT, usage TEXT, "
    "estimate INTEGER, pictures INTEGER, time REAL)"
)


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer, and what it took when it was given."""

    reply: ChatReply
    usage: Usage


@dataclass(frozen=True, slots=True)
class Experience:
    """What the answers of a judge took so far."""

    answers: int = 0
    input_tokens: int = 0
    """As the endpoint counted them."""
    estimated: int = 0
    """As they were estimated before, of the same answers."""
    output_tokens: int = 0
    dearest: float | None = None
    """The most input tokens of an answer by its estimate; at least 1. None without an answer."""


def hash_of(place: str, body: bytes) -> str:
    """The hash of a request to an address; neither holds a key."""
    return hashlib.sha256(place.encode() + b"\n" + body).hexdigest()


class AnswerStore:
    """The kept answers of a project. Thread-safe. A damaged file is made anew, with a line in the log."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._database = _opened(path)
        self._locks = path.with_name(f"{path.stem}-awaited")
        for _note in holders(self._locks):
            pass  # what programs left that were killed is removed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def find(self, key: str) -> KeptAnswer | None:
        """The answer to what has this hash; None when it was not asked, or the row cannot be read."""
        with self._lock, _disk_errors():
            row = self._database.execute("SELECT reply, usage FROM answers WHERE hash = ?", [key]).fetchone()
        if row is None:
            return None
        try:
            return KeptAnswer(ChatReply(**json.loads(row[0])), Usage(**json.loads(row[1])))
        except (ValueError, TypeError):
            return None

    def keep(
        self, key: str, judge: str, reply: ChatReply, usage: Usage, *, estimate: int, pictures: int
    ) -> None:
        """Keep an answer. It is in the file when this returns. Raises WriteFailed."""
        row = (
            key, judge, reply.model, json.dumps(asdict(reply)), json.dumps(asdict(usage)), estimate, pictures
        )  # fmt: skip
        with self._lock, _disk_errors(), self._database:
            self._database.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, julianday())", row
            )

    @contextlib.contextmanager
    def asking(self, key: str) -> Iterator[bool]:
        """Lock the question with this hash; False when another program or thread asks it now.

        The lock is released at the end of the context. On a disk that takes no locks it is always True.
        """
        try:
            held = hold(lock_path(self._locks, key), {})
        except OSError:
            yield True
            return
        try:
            yield held is not None
        finally:
            if held is not None:
                held.release()

    def experience(self, judge: str) -> Experience:
        """What the kept answers of a judge took."""
        found = Experience()
        for estimate, text in self._usages(judge):
            usage = Usage(**json.loads(text))
            if usage.input_tokens is None or usage.output_tokens is None:
                continue
            found = Experience(
                found.answers + 1, found.input_tokens + usage.input_tokens, found.estimated + estimate,
                found.output_tokens + usage.output_tokens,
                max(found.dearest or 1.0, usage.input_tokens / max(1, estimate)),
            )  # fmt: skip
        return found

    def _usages(self, judge: str) -> Iterator[tuple[int, str]]:
        with self._lock, _disk_errors():
            rows = self._database.execute(
                "SELECT estimate, usage FROM answers WHERE judge = ? ORDER BY time DESC LIMIT 1000", [judge]
            ).fetchall()
        yield from rows


@contextlib.contextmanager
def _disk_errors() -> Iterator[None]:
    """Raise WriteFailed for what the disk, or another program that holds the file, refuses."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise WriteFailed(
            _("The answers of models cannot be kept"), str(error),
            _("Free the disk, or close other programs that judge; what was kept is there"),
        ) from error  # fmt: skip


def _opened(path: Path) -> sqlite3.Connection:
    try:
        with _disk_errors():
            return _own_database(path)
    except sqlite3.DatabaseError as error:
        _log.info("the answers of models are kept anew: %s", error)
        for name in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
            name.unlink(missing_ok=True)
        return _own_database(path)


def _own_database(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    database = connect(path, PATIENCE_S, any_thread=True)
    try:
        # A kill of the program loses nothing that was committed; only a loss of power may.
        with database:
            database.execute("BEGIN IMMEDIATE")
            tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if not tables:
                database.execute(_TABLE)
                mark_own(database, path)
        if not is_own(database, path):
            raise sqlite3.DatabaseError(f"{path.name} was made elsewhere")
    except sqlite3.Error:
        with contextlib.suppress(sqlite3.Error):
            database.close()
        raise
    return database
