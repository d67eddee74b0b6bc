"""Anomalies that do not fit the tasks they meet: another app's package in a command, another language."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.i18n import _
from collector.rules.grammar.model import INJECTION
from collector.rules.grammar.rule_text import change
from collector.rules.lint.indexes import IndexedAnomaly, WrittenName
from collector.rules.lint.linted_project import LintedProject

_PACKAGE = r"([A-Za-z][\w]*(?:\.[A-Za-z][\w]*)+)"
_NAMES = (
    re.compile(rf"\b(?:force-stop|kill|pm\s+clear|pm\s+(?:grant|revoke)|monkey\s+-p|am\s+crash)\s+['\"]?{_PACKAGE}"),
    re.compile(rf"\bpackage:{_PACKAGE}"),
    re.compile(rf"\bdetails\?id={_PACKAGE}"),
    re.compile(rf"\s-n\s+['\"]?{_PACKAGE}/"),
)  # fmt: skip
"""Where a shell command names the package it acts on."""
_OF_THE_SYSTEM = re.compile(r"(?:com\.android|com\.google\.android\.(?:gms|gsf)|android)(?:\.|$)")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def library_diagnostics(project: LintedProject) -> Iterator[Diagnostic]:
    """Every W211 and W212 of a library."""
    packages = _packages(project)
    for anomaly in project.library.anomalies if project.library is not None else ():
        yield from _commands(project, anomaly, packages.get(anomaly.id.text, {}))
        yield from _language(project, anomaly)


def _packages(project: LintedProject) -> dict[str, dict[str, str]]:
    """By anomaly: the packages of tasks whose rules inject it, each with one such task."""
    packages: defaultdict[str, dict[str, str]] = defaultdict(dict)
    rules = {rule.id: rule for rule in project.rules(INJECTION)}
    for task in project.tasks.tasks if project.tasks is not None else ():
        for target in task.targets:
            rule = rules.get(target.text)
            for action in rule.actions if rule is not None and task.package else ():
                packages[action.interference_id].setdefault(task.package, task.id.text)
    return packages


def _commands(
    project: LintedProject, anomaly: IndexedAnomaly, packages: dict[str, str]
) -> Iterator[Diagnostic]:
    if not packages or project.library is None:
        return
    for command in chain.from_iterable(anomaly.commands.values()):
        for name in named_packages(command.text):
            others = [package for package in packages if package != name]
            if others and is_of_an_app(name):
                what = _("The command names {name}, and the app is {package}", name=name, package=others[0])
                why = _("Task {task} meets this anomaly in that app", task=packages[others[0]])
                node = command.node
                fixes = tuple(
                    change(node, command.text.replace(name, package), project.library.text)
                    for package in others
                    if node is not None and len(packages) == 1
                )
                yield project.in_library("other-package", command, what, why, fixes)


def named_packages(command: str) -> list[str]:
    """The packages a shell command acts on, each once."""
    return list(dict.fromkeys(match[1] for pattern in _NAMES for match in pattern.finditer(command)))


def is_of_an_app(package: str) -> bool:
    """Whether a package is neither the companion app nor a part of the system."""
    return package != COMPANION_PACKAGE and _OF_THE_SYSTEM.match(package) is None


def _language(project: LintedProject, anomaly: IndexedAnomaly) -> Iterator[Diagnostic]:
    """The texts of an anomaly whose id ends in ``_en`` must be English, in ``_zh`` Chinese."""
    ending = anomaly.id.text.rpartition("_")[2]
    wrong = [text for text in anomaly.shown if _is_in_another(ending, text)]
    if wrong:
        what = _("{id} says it is in {language}, and shows {text}",
                 id=anomaly.id.text, language=ending, text=wrong[0].text[:40])  # fmt: skip
        yield project.in_library("other-language", wrong[0], what)


def _is_in_another(ending: str, shown: WrittenName) -> bool:
    if ending == "en":
        return _HAN.search(shown.text) is not None
    return ending == "zh" and not _HAN.search(shown.text) and _LATIN_WORD.search(shown.text) is not None
