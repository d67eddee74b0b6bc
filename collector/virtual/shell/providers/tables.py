"""The content providers of the phone as tables: settings, text messages, calls and media files."""

from __future__ import annotations

import mimetypes
import stat
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from collector.virtual.shell.providers.app_table import AppTable
from collector.virtual.shell.providers.contacts import Contacts
from collector.virtual.shell.providers.table import BadPathError, ContentTable, Matches, Row
from collector.virtual.system.phone_state.phone_records import INBOX, SENT, TextMessage
from collector.virtual.system.phone_state.settings import NAMESPACES

if TYPE_CHECKING:
    from collector.virtual.shell.machine import Machine


def open_table(machine: Machine, authority: str, path: tuple[str, ...]) -> ContentTable | None:
    """The table at ``content://AUTHORITY/PATH``; None without such a provider."""
    if machine.phone.services.components.provides(authority):
        return AppTable(machine, authority, "/".join(path))
    kind = _PROVIDERS.get(authority)
    return kind(machine, path) if kind else None


class _Settings(ContentTable):
    """``settings/NAMESPACE`` and ``settings/NAMESPACE/KEY``."""

    def __init__(self, machine: Machine, path: tuple[str, ...]) -> None:
        self._store = machine.phone.settings
        if not path or path[0] not in NAMESPACES or len(path) > 2:
            root = path[0] if path else ""
            raise BadPathError(f"java.lang.IllegalArgumentException: Bad root path: {root}")
        self._namespace, self._key = path[0], path[1] if len(path) > 1 else ""

    def rows(self) -> list[Row]:
        return [
            {"_id": str(number), "name": name, "value": value, "is_preserved_in_restore": None}
            for number, (name, value) in enumerate(self._store.list(self._namespace).items(), 1)
            if self._key in ("", name)
        ]

    def insert(self, values: Mapping[str, str]) -> None:
        name = values.get("name") or self._key
        if name and "value" in values:
            self._store.put(self._namespace, name, values["value"])

    def update(self, values: Mapping[str, str], matches: Matches) -> None:
        name = values.get("name")
        for row in self.rows():
            if "value" in values and (row["name"] == name if name else matches(row)):
                self._store.put(self._namespace, str(row["name"]), values["value"])

    def delete(self, matches: Matches) -> None:
        for row in self.rows():
            if matches(row):
                self._store.delete(self._namespace, str(row["name"]))

    def call(self, method: str, argument: str, extras: Mapping[str, str]) -> str:
        verb, _underscore, namespace = method.partition("_")
        if namespace not in NAMESPACES:
            return "null"
        if verb == "GET":
            return f"Bundle[{{value={self._store.get(namespace, argument) or 'null'}}}]"
        if verb == "PUT":
            self._store.put(namespace, argument, extras.get("value", ""))
        if verb == "DELETE":
            deleted = self._store.delete(namespace, argument)
            return f"Bundle[{{result_rows_deleted={int(deleted)}}}]"
        return "null"


_FOLDERS = {"inbox": INBOX, "sent": SENT, "draft": 3, "outbox": 4, "failed": 5, "queued": 6}


class _Messages(ContentTable):
    """``sms``, ``sms/inbox``, ``sms/inbox/ID`` and ``sms/ID``."""

    def __init__(self, machine: Machine, path: tuple[str, ...]) -> None:
        self._telephony = machine.phone.services.telephony
        words = list(path)
        self._folder = _FOLDERS.get(words[0], 0) if words else 0
        if self._folder:
            words.pop(0)
        self._id = words.pop(0) if words and words[0].isdecimal() else ""
        if words and words != ["conversations"]:
            raise BadPathError(
                f"java.lang.IllegalArgumentException: Unknown URL content://sms/{'/'.join(path)}"
            )

    def rows(self) -> list[Row]:
        return [_message_row(message) for message in self._telephony.messages if self._holds(message)]

    def _holds(self, message: TextMessage) -> bool:
        return self._folder in (0, message.folder) and self._id in ("", str(message.id))

    def insert(self, values: Mapping[str, str]) -> None:
        date = values.get("date", "")
        self._telephony.store(
            values.get("address", ""),
            values.get("body", ""),
            self._folder or _number(values.get("type"), INBOX),
            read=values.get("read") == "1",
            date_ms=int(date) if date.isdecimal() else None,
        )

    def update(self, values: Mapping[str, str], matches: Matches) -> None:
        def change(message: TextMessage) -> TextMessage:
            if not (self._holds(message) and matches(_message_row(message))):
                return message
            return replace(
                message,
                address=values.get("address", message.address),
                body=values.get("body", message.body),
                folder=_number(values.get("type"), message.folder),
                read=values.get("read", str(int(message.read))) == "1",
                date_ms=_number(values.get("date"), message.date_ms),
            )

        self._telephony.replace_messages(change)

    def delete(self, matches: Matches) -> None:
        self._telephony.replace_messages(
            lambda message: None if self._holds(message) and matches(_message_row(message)) else message
        )


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() else default


def _message_row(message: TextMessage) -> Row:
    sent = message.folder != INBOX
    return {
        "_id": str(message.id),
        "thread_id": str(message.thread),
        "address": message.address,
        "person": None,
        "date": str(message.date_ms),
        "date_sent": "0" if sent else str(message.date_ms - message.date_ms % 1000),
        "protocol": None if sent else "0",
        "read": str(int(message.read or sent)),
        "status": "-1",
        "type": str(message.folder),
        "reply_path_present": None if sent else "0",
        "subject": None,
        "body": message.body,
        "service_center": None,
        "locked": "0",
        "sub_id": "1",
        "error_code": "0",
        "creator": "com.android.messaging",
        "seen": str(int(message.read or sent)),
    }


class _Calls(ContentTable):
    """``call_log/calls`` and ``call_log/calls/ID``."""

    def __init__(self, machine: Machine, path: tuple[str, ...]) -> None:
        if path[:1] != ("calls",):
            raise BadPathError(
                f"java.lang.IllegalArgumentException: Unknown URL content://call_log/{'/'.join(path)}"
            )
        self._telephony = machine.phone.services.telephony
        self._id = path[1] if len(path) > 1 else ""

    def rows(self) -> list[Row]:
        return [
            {
                "_id": str(call.id),
                "number": call.number,
                "presentation": "1",
                "date": str(call.date_ms),
                "duration": str(call.seconds),
                "type": str(call.kind),
                "new": "1",
                "name": call.name or None,
                "countryiso": "US",
                "is_read": "0",
            }
            for call in self._telephony.call_log
            if self._id in ("", str(call.id))
        ]


_MEDIA = {"images": "image/", "video": "video/", "audio": "audio/", "file": "", "downloads": ""}


class _Media(ContentTable):
    """``media/external/images|video|audio/media``, ``media/external/file`` and ``.../downloads``."""

    def __init__(self, machine: Machine, path: tuple[str, ...]) -> None:
        words = [word for word in path if word not in ("media", "external", "external_primary", "internal")]
        if not words or words[0] not in _MEDIA:
            raise BadPathError(
                f"java.lang.IllegalStateException: Unknown URL: content://media/{'/'.join(path)}"
            )
        self._files = machine.files
        self._kind, self._id = words[0], words[1] if len(words) > 1 else ""

    def rows(self) -> list[Row]:
        return [row for row in self._all() if self._id in ("", row["_id"])]

    def _all(self) -> list[Row]:
        rows: list[Row] = []
        root = "/storage/emulated/0"
        for path, entry in self._files.walk(root):
            kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
            if not stat.S_ISREG(entry.mode) or not kind.startswith(_MEDIA[self._kind]):
                continue
            folder, _slash, name = path.rpartition("/")
            relative = folder.removeprefix(root).strip("/") + "/"
            if self._kind == "downloads" and not relative.startswith("Download/"):
                continue
            rows.append(
                {
                    "_id": str(entry.inode),
                    "_data": path,
                    "_display_name": name,
                    "_size": str(entry.size),
                    "mime_type": kind,
                    "title": name.rpartition(".")[0] or name,
                    "date_added": str(int(entry.mtime)),
                    "date_modified": str(int(entry.mtime)),
                    "relative_path": relative,
                    "owner_package_name": None,
                }
            )
        return rows


_PROVIDERS: dict[str, Callable[[Machine, tuple[str, ...]], ContentTable]] = {
    "settings": _Settings,
    "sms": _Messages,
    "call_log": _Calls,
    "media": _Media,
    "com.android.contacts": Contacts,
    "contacts": Contacts,
}
