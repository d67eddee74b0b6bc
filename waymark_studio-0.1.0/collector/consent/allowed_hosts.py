"""The hosts that a person has allowed projects to ask, with the keys that belong to each.

The consent is the person's and holds in all projects: a host is asked about once. A key belongs to the hosts
that a person has allowed it for, and goes to no other, whatever an experiment says.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.consent.transfer import Transfer
from collector.host.private_files import make_private_file
from collector.host.user_folders import state_folder
from collector.model.i18n import _
from collector.store.files.disk import PrivateDisk
from collector.store.files.errors import Damaged
from collector.store.files.lock import held_for_a_moment

_FILE = "allowed-hosts.json"
Hosts = Mapping[str, Sequence[str]]
"""The names of the keys that may go to each host, by the host's origin."""


class AllowedHosts:
    """The file of allowed hosts. Thread-safe; every change is on the disk at once."""

    def __init__(self, copy: Path | None = None, path: Path | None = None) -> None:
        """``copy`` is a worker's copy of a project: what is allowed for it holds there alone.

        ``path`` of the file is by default with the person's other state.
        """
        self._copy = str(copy.resolve()) if copy is not None else ""
        self._path = path or state_folder() / _FILE
        self._lock = threading.Lock()

    def hosts(self) -> dict[str, tuple[str, ...]]:
        """The keys of each allowed host, by its origin. Raises Damaged."""
        document = self._read()
        known = document.get("", {})
        for origin, keys in document.get(self._copy, {}).items():
            known[origin] = [*known.get(origin, ()), *keys]
        return {origin: tuple(dict.fromkeys(keys)) for origin, keys in sorted(known.items())}

    def missing(self, transfers: Iterable[Transfer]) -> list[Transfer]:
        """Those of ``transfers`` that are not allowed, each once. Raises Damaged."""
        known = self.hosts()
        return [
            transfer
            for transfer in dict.fromkeys(transfers)
            if transfer.origin not in known or not set(transfer.secrets) <= set(known[transfer.origin])
        ]

    def allow(self, transfers: Iterable[Transfer]) -> None:
        """Keep that a person allows these transfers, beside what they allowed before."""
        with self._changing() as hosts:
            for transfer in transfers:
                hosts[transfer.origin] = sorted({*hosts.get(transfer.origin, ()), *transfer.secrets})

    def replace(self, hosts: Hosts) -> None:
        """Allow these hosts and no others."""
        with self._changing() as known:
            known.clear()
            known.update({origin: sorted(keys) for origin, keys in hosts.items()})

    def forget(self, origin: str) -> bool:
        """Allow nothing to a host any more; False when nothing was allowed."""
        with self._changing() as hosts:
            return hosts.pop(origin, None) is not None

    @contextlib.contextmanager
    def _changing(self) -> Iterator[dict[str, list[str]]]:
        """The hosts, written when they were changed; one process after another, so that no change is lost."""
        disk, guard = PrivateDisk(), self._path.with_suffix(".lock")
        disk.make_folder(self._path.parent)
        make_private_file(guard)
        with self._lock, held_for_a_moment(guard):
            document = self._read()
            before = json.dumps(document)
            yield document.setdefault(self._copy, {})
            document = {copy: hosts for copy, hosts in document.items() if hosts or not copy}
            if json.dumps(document) != before:
                disk.write(self._path, _text(document).encode())

    def _read(self) -> dict[str, dict[str, list[str]]]:
        """The hosts of the person under an empty name, and those of each copy under its path."""
        try:
            return _document(json.loads(self._path.read_text("utf-8")))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            # Taken for empty, the next change would wipe what else was allowed.
            why = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise Damaged(
                _("{name} cannot be read", name=self._path), why, _("Correct or remove it")
            ) from None


def _text(document: Mapping[str, Hosts]) -> str:
    copies = {copy: hosts for copy, hosts in document.items() if copy}
    written = {"version": 1, "hosts": document.get("", {}), "copies": copies}
    return json.dumps(written, indent=1, sort_keys=True)


def _document(written: Any) -> dict[str, dict[str, list[str]]]:
    """What :func:`_text` wrote. Raises ValueError for anything else, and for a newer version."""
    if not isinstance(written, dict) or not isinstance(written.get("copies"), dict):
        raise ValueError(_("a list of keys for each host was expected"))
    if written.get("version") != 1:
        raise ValueError(_("it is from a newer version of the studio"))
    everywhere = {"": written.get("hosts"), **written["copies"]}
    return {str(copy): _hosts(hosts) for copy, hosts in everywhere.items()}


def _hosts(written: object) -> dict[str, list[str]]:
    if not isinstance(written, dict) or not all(isinstance(keys, list) for keys in written.values()):
        raise ValueError(_("a list of keys for each host was expected"))
    return {str(origin): [str(key) for key in keys] for origin, keys in written.items()}
