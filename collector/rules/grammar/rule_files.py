"""Read rule files from disk, with their rules and diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from collector.located_yaml.codes import CODES
from collector.located_yaml.safe_load import MAX_LOCATED_BYTES
from collector.model.i18n import _
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import Rule
from collector.rules.grammar.rule_text import RuleText, rule_text

_NO_YAML = CODES["yaml-syntax"].code


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
    """Every rule of every file. Raises RuleError, with the line, when one cannot be read or is not YAML."""
    return [rule for path in paths for rule in _rules_of(path)]


def _rules_of(path: Path) -> Sequence[Rule]:
    file = read_rule_text(path).file
    broken = next((item for item in file.diagnostics if item.code == _NO_YAML), None)
    if broken is not None:
        where = f"{path}:{broken.place.line}"
        raise RuleError(_("{where}: {what}", where=where, what=broken.what), broken.why, broken.to_do)
    return file.rules
