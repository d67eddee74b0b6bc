"""What is sent from this computer to another program or host, for a person to allow."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from collector.model.i18n import _

QUESTIONS = "questions"
"""What is sent to a model that plays the user: tasks, and questions of agents with their answers."""
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Transfer:
    """What one agent, judge or exporter sends to one host."""

    origin: str
    """Scheme, host and port, as in ``https://api.openai.com``."""
    secrets: tuple[str, ...] = ()
    """The names of the keys that go with it: ``openai`` of the keyring, ``$NAME`` of the environment."""
    sends: str = "screens"
    """``screens``: pictures, UI trees and texts of the phone, with the task; or :data:`QUESTIONS`."""

    @property
    def command(self) -> str:
        """The command line that allows it."""
        keys = (f"--key-env {name[1:]}" if name.startswith("$") else f"--key {name}" for name in self.secrets)
        return " ".join(("waymark agent host allow", self.origin, *keys))

    def sentences(self) -> tuple[str, ...]:
        """What a person allows, a sentence for the contents and for each key."""
        what = (
            _("send tasks, what agents ask and what was answered to {host}", host=self.origin)
            if self.sends == QUESTIONS
            else _("send pictures, UI trees and texts of the phone to {host}", host=self.origin)
        )
        keys = (_secret_sentence(secret, self.origin) for secret in self.secrets)
        return (what + self._warning(), *keys)

    def _warning(self) -> str:
        parts = urlsplit(self.origin)
        if parts.hostname in LOOPBACK_HOSTS:
            return " " + _("(a program on this computer)")
        return " " + _("(not encrypted: anybody on the way can read it)") if parts.scheme == "http" else ""


def _secret_sentence(secret: str, origin: str) -> str:
    if secret.startswith("$"):
        return _("send the environment variable {name} to {host}", name=secret[1:], host=origin)
    return _("send the key {name} to {host}", name=secret, host=origin)
