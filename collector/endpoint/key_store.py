"""Keys of endpoints in the keyring of the system. Only their names are written to a file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType

from collector.host.extras import how_to_add
from collector.host.user_folders import config_folder
from collector.model.errors import UserError
from collector.model.i18n import _, join_sentences
from collector.store.files.disk import PrivateDisk

_SERVICE = "waymark-studio"
_NAME = re.compile(r"(?!sk-|AIza|hf_|gsk_|xai-)[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
"""Short, and nothing that looks like a key, which many would write in the place of its name."""


class KeyStore:
    """Keeps, finds and removes keys by name. Raises UserError with why the keyring cannot be used."""

    def __init__(self, names: Path | None = None) -> None:
        """``names`` is the file of the names; by default it lies with the person's settings."""
        self._names = names or config_folder() / "keys.json"

    def set(self, name: str, value: str) -> None:
        """Keep a key, or replace it; it is read again, since some keyrings take keys and keep none."""
        check_name(name)
        self._call("set_password", name, value)
        if self._call("get_password", name) != value:
            raise UserError(
                _("The keyring cannot be used"), _("it does not give back the key that it was given"),
                _("Set an environment variable instead, such as WAYMARK_KEY_{name}", name=name.upper()),
            )  # fmt: skip
        self._write([*self.names(), name])

    def remove(self, name: str) -> bool:
        """Remove a key; False when there was none."""
        check_name(name)
        known = self._call("get_password", name) is not None
        if known:
            self._call("delete_password", name)
        self._write([other for other in self.names() if other != name])
        return known

    def names(self) -> list[str]:
        """The names of the keys that were kept, in order."""
        try:
            names = json.loads(self._names.read_text("utf-8"))
        except (OSError, ValueError):
            return []
        return sorted({name for name in names if isinstance(name, str)}) if isinstance(names, list) else []

    def find(self, name: str) -> str:
        """The key; empty when there is none, or no keyring can be used: then there is none in it."""
        try:
            return self._call("get_password", name) or ""
        except UserError:
            return ""

    def _call(self, method: str, *words: str) -> str | None:
        keyring = _keyring()
        try:
            answer: str | None = getattr(keyring, method)(_SERVICE, *words)
        except keyring.errors.NoKeyringError:
            raise UserError(
                _("There is no keyring on this computer"),
                _("none is running, as on a computer without a screen"),
                _("Set an environment variable instead, such as WAYMARK_KEY_{name}", name=words[0].upper()),
            ) from None
        except Exception as error:  # noqa: BLE001 - each system's keyring raises errors of its own
            why = type(error).__name__ if method == "set_password" else str(error) or type(error).__name__
            raise UserError(
                _("The keyring cannot be used"), why, _("Unlock it, or set an environment variable instead")
            ) from None
        return answer

    def _write(self, names: list[str]) -> None:
        disk = PrivateDisk()
        disk.make_folder(self._names.parent)
        disk.write(self._names, json.dumps(sorted(set(names))).encode())


def check_name(name: str) -> None:
    """Raise UserError for what is no name of a key. It is not shown: it may be the key itself."""
    if not _NAME.fullmatch(name):
        raise UserError(
            _("This is no name of a key"),
            _("a name has up to 32 letters, digits, dots and hyphens, and does not begin as keys do"),
            _("Choose a name, and type the key itself when `waymark agent key set` asks for it"),
        )


def _keyring() -> ModuleType:
    try:
        import keyring  # not loaded before a key is asked for
        import keyring.errors
    except ImportError:
        raise UserError(
            _("Keys cannot be kept in the keyring"),
            _("the package `keyring` is not installed"),
            join_sentences(how_to_add("openai"), _("Or set an environment variable instead")),
        ) from None
    return keyring
