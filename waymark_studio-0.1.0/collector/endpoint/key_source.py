"""Where the key of an endpoint is looked for, and where it may be sent."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from collector.endpoint.http_address import HttpAddress
from collector.endpoint.key_store import KeyStore
from collector.endpoint.secret_value import SecretValue
from collector.model.errors import UserError
from collector.model.i18n import _

OPENAI_HOST = "api.openai.com"
OPENAI_KEY = "openai"
OPENAI_VARIABLE = "OPENAI_API_KEY"
PREFIX = "WAYMARK_KEY_"


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where the key of an agent is looked for, by what its options say."""

    name: str = ""
    """As ``waymark agent key set`` knows it."""
    variable: str = ""
    """Of the environment, instead of the usual ones."""

    @property
    def is_empty(self) -> bool:
        """Whether no key is looked for."""
        return not self.name and not self.variable

    @property
    def variables(self) -> list[str]:
        """The variables of the environment that may hold the key, the first one first."""
        if self.variable:
            return [self.variable]
        own = PREFIX + re.sub(r"\W", "_", self.name.upper(), flags=re.ASCII)
        return [own, OPENAI_VARIABLE] if self.name == OPENAI_KEY else [own]

    @property
    def label(self) -> str:
        return self.name or self.variable

    @property
    def labels(self) -> tuple[str, ...]:
        """What a person allows to be sent: the name of the key, and ``$NAME`` for a variable."""
        return tuple(label for label in (self.name, f"${self.variable}" if self.variable else "") if label)

    def find(self, store: KeyStore | None = None) -> SecretValue | None:
        """The key from the environment, then from the keyring; None when neither has it.

        Raises UserError for a key that cannot be sent, such as one with a line break inside.
        """
        if self.is_empty:
            return None
        value = next((value for name in self.variables if (value := os.environ.get(name, "").strip())), "")
        if not value and self.name:
            value = (store or KeyStore()).find(self.name)
        if not value:
            return None
        if not value.isascii() or not value.isprintable():
            raise UserError(
                _("The key {name} cannot be sent", name=self.label),
                _("it holds a character that no key has"),
                _("Set it again, without a line break or quotation marks"),
            )
        return SecretValue(value)

    def advice(self) -> str:
        """What to do when the endpoint asks for a key, or for another."""
        if self.is_empty:
            return _("Name a key with the option `key`, and keep it with `waymark agent key set`")
        if not self.name:
            return _("Set the environment variable {name}", name=self.variable)
        return _(
            "Set the environment variable {variable}, or keep the key with `waymark agent key set {name}`",
            variable=self.variables[-1], name=self.name,
        )  # fmt: skip


def key_source(key: str, key_env: str, address: HttpAddress) -> KeySource:
    """Where the options ``key`` and ``key_env`` say that the key of ``address`` is.

    Without them the key of OpenAI is sent to OpenAI alone, encrypted: no other address gets a key that its
    experiment does not name and a person does not allow.
    """
    if key or key_env:
        return KeySource(key, key_env)
    is_openai = (address.scheme, address.host) == ("https", OPENAI_HOST)
    return KeySource(OPENAI_KEY) if is_openai else KeySource()
