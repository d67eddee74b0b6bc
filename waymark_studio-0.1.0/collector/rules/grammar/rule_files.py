"""Read rule files from disk, with their rules and diagnostics."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from collector.located_yaml.safe_load import MAX_LOCATED_BYTES
from collector.model.i18n import _
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import Rule
from collector.rules.grammar.rule_text import RuleText, rule_text


def read_text(path: Path) -> str:
    """The text of a file in UTF-8. Raises RuleError when it cannot be read as that."""
    try:
        if path.stat().st_size > MAX_LOCATED_BYTES:
            raise RuleError(
                _("{path} is too large", path=path),
                _("the limit is {size} MB", size=MAX_LOCATED_BYTES >> 20),
                _("Name a rule file, or split it"),
            )
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise RuleError(_("{path} cannot be read", path=path), str(error.strerror or error)) from None
    except UnicodeDecodeError:
        to_do = _("Save it as UTF-8")
        raise RuleError(_("{path} cannot be read", path=path), _("It is not UTF-8"), to_do) from None


def read_rule_text(path: Path) -> RuleText:
    """The rules and diagnostics of a file. Raises RuleError when it cannot be read."""
    return rule_text(read_text(path), str(path))


def rules_in(paths: Iterable[Path]) -> list[Rule]:
    """Every rule of every file. Raises RuleError when one cannot be read."""
    return [rule for path in paths for rule in read_rule_text(path).file.rules]
