"""Before a trajectory is exported: what rules hide, and typed passwords, end the export."""

from __future__ import annotations

import contextlib

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, PASSWORD_KEPT, ExchangeLog
from collector.model.action import Type
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.redaction_rules.unredacted import require_redacted
from collector.store.checks.typed_passwords import KeptPassword, kept_password
from collector.store.files.layout import is_trajectory
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory


class PrivacyCheck:
    """Of the trajectories of one export: none shows what the redaction rules of the project hide."""

    def __init__(self, project: Project, passwords: PasswordCheck | None = None) -> None:
        """``passwords`` are looked for as well; not where the format hides them."""
        self._project, self._passwords = project, passwords

    def check(self, name: str) -> None:
        """Check the trajectory ``name``. Raises Unredacted, and ExchangeError for a password."""
        folder = self._project.folder / name
        if is_trajectory(folder):
            require_redacted(folder)
        if self._passwords is not None:
            self._passwords.check(name)


class PasswordCheck:
    """Of the trajectories of one export: imports, and recordings of earlier versions, may hold passwords."""

    def __init__(self, project: Project, log: ExchangeLog, *, allowed: bool) -> None:
        """Passwords that are ``allowed`` are only named in the report."""
        self._project, self._log, self._allowed = project, log, allowed

    def check(self, name: str) -> None:
        """Check the trajectory ``name``. Raises ExchangeError for a password that is not allowed."""
        steps = self._steps(name)
        if steps and not self._allowed:
            raise ExchangeError(
                _("{name} holds a password in plain text", name=name),
                _("steps typed it: {steps}", steps=", ".join(map(str, steps))),
                _(
                    "`waymark project check` says how to redact it; --allow-passwords or the switch in the "
                    "window exports it as it is"
                ),
            )
        for step in steps:
            self._log.add(
                PASSWORD_KEPT,
                _("A typed password is in plain text; `waymark project check` says how to redact it"),
                step=step,
                severity=NOTE,
            )

    def _steps(self, name: str) -> list[int]:
        """The steps that typed a password which they keep."""
        found: list[int] = []
        with contextlib.suppress(UserError, OSError):  # the check of the project says it
            stored = open_trajectory(self._project.folder / name)
            found += (
                step.index
                for step in stored.steps
                if isinstance(step.action, Type) and kept_password(stored, step) is KeptPassword.TYPED
            )
        return found
