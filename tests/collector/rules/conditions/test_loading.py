"""Condition types of installed packages: whole ones take part, broken ones are left out."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from collector.rules.conditions.condition_type import ConditionType
from collector.rules.grammar.condition_registry import condition_specs, condition_types
from collector.rules.grammar.model import Unknown
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.condition_plugins import ELEMENT_COUNT, installed_condition_types
from tests.helpers.element_count import ElementCount, ElementCountType

BUILT_IN = list(condition_specs())
RULE = """
rules:
- id: r
  conditions: {all: [{type: element_count, selector: "text='Drive'", at_least: 3}]}
  actions: []
"""


class UnfinishedType(ConditionType[ElementCount]):
    """Lacks nearly everything."""

    condition = ElementCount


class TakenNameType(ElementCountType):
    """Comes after the type it is derived from, under the same name."""


def test_a_type_of_a_package_is_read_while_the_package_is_installed() -> None:
    with installed_condition_types(ELEMENT_COUNT):
        read = read_rules(RULE)
        assert read.diagnostics == ()
        assert read.rules[0].conditions.conditions[0] == ElementCount(selector="text='Drive'", least=3)
    gone = read_rules(RULE)
    assert isinstance(gone.rules[0].conditions.conditions[0], Unknown)


@pytest.mark.expected_log("was left out")
@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("no.such.module:Type", "ModuleNotFoundError: No module named 'no'"),
        ("tests.helpers.element_count:NoSuchType", "AttributeError"),
        ("tests.helpers.element_count:ElementCount", "TypeError"),
        ("pathlib:Path", "is no ConditionType"),
        (f"{__name__}:UnfinishedType", "abstract"),
        (f"{__name__}:TakenNameType", "taken"),
    ],
)
def test_a_broken_type_is_left_out_with_one_sentence(
    value: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), installed_condition_types(ELEMENT_COUNT, value):
        assert list(condition_specs()) == [*BUILT_IN, "element_count"]
        (problem,) = condition_types().problems
    assert why in str(problem)
    assert str(problem).startswith("The plug-in ")
    (record,) = caplog.records
    assert record.getMessage().startswith(f"the plug-in {value} was left out: ")
    assert why in record.getMessage()
    assert record.exc_info is None


def test_reading_rules_does_not_load_what_only_back_tests_need() -> None:
    code = (
        "import sys; from collector.rules.grammar.rule_reader import read_rules;"
        " read_rules('- {id: r, conditions: {all: [{type: min_step, value: 2}]}, actions: []}');"
        " print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
