"""D-GARA's own rules and library, unmodified, against the live phone: each rule injects on its screen alone.

The screens are a stand-in's, which is told to show the words a rule asks for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from collector.anomalies.injector import Injector
from collector.anomalies.model import AnomalyLibrary
from collector.anomalies.reader import read_library
from collector.anomalies.rehearsal import RehearsalOutcome
from collector.anomalies.trust.trust import CommandGate
from collector.hierarchy.parse import parse_tree
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import DGARA, Rule
from collector.rules.grammar.rule_text import rule_text
from collector.virtual.apps import make_apps
from collector.virtual.apps.stand_in import stand_ins
from tests.helpers.rehearsing import PhoneRehearsal
from tests.helpers.shell_device import ShellDevice, injector_on, shell_device

DATA = Path(__file__).resolve().parents[4] / "shared" / "data" / "d-gara"
APP = "com.waymark.anywhere"


@cache
def rules() -> tuple[Rule, ...]:
    path = DATA / "rules.yaml"
    return rule_text(path.read_text("utf-8"), "rules.yaml").file.rules if path.exists() else ()


@cache
def library() -> AnomalyLibrary:
    return read_library((DATA / "interference_library.yaml").read_text("utf-8"))


pytestmark = pytest.mark.skipif(not rules(), reason="needs ../shared/data")


@pytest.fixture(scope="module")
def device() -> Iterator[ShellDevice]:
    with shell_device(apps=(*make_apps(("companion",)), *stand_ins([APP]))) as phone:
        yield phone


@pytest.fixture
def injector(device: ShellDevice, tmp_path: Path) -> Iterator[Injector]:
    with injector_on(device, tmp_path, CommandGate(lambda _command: True)) as one:
        yield one
        one.undo_all()


def show(device: ShellDevice, lines: list[str]) -> StateView:
    """Bring the app to the front with these lines on it."""
    device.shell(f"am force-stop com.example.adbsmarttest; am start -n {APP}/.MainActivity")
    written = json.dumps({"lines": lines}, ensure_ascii=False)
    device.shell(["sh", "-c", f"cat <<'END' | cmd waymark state set {APP}\n{written}\nEND\n"])
    xml = device.phone.hierarchy_xml()
    return StateView(parse_tree(xml), xml, APP, ".MainActivity")


def asked_for(rule: Rule) -> SemanticElementExists:
    """The one condition every rule of D-GARA's has."""
    (condition,) = rule.conditions.conditions
    assert isinstance(condition, SemanticElementExists)
    return condition


@pytest.mark.shared_threads("phone-ticker")
@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.id)
def test_each_rule_injects_its_anomaly_where_its_words_are_and_nowhere_else(
    device: ShellDevice, injector: Injector, rule: Rule
) -> None:
    words = list(asked_for(rule).keywords)
    elsewhere = PhoneRehearsal([rule], library().anomalies, injector, semantics=DGARA)
    (silent,) = elsewhere.judge(show(device, ["nothing of it"]))
    assert silent.shown in (RehearsalOutcome.SILENT, RehearsalOutcome.NEAR)

    rehearsal = PhoneRehearsal([rule], library().anomalies, injector, semantics=DGARA)
    (decision,) = rehearsal.judge(show(device, words))
    wanted = rule.actions[0].interference_id
    if library().get(wanted) is None:
        assert (decision.shown, decision.reason) == (
            RehearsalOutcome.FAILED,
            f"The library has no anomaly {wanted}",
        )
        return
    assert (decision.shown, decision.anomaly) == (RehearsalOutcome.FIRED, wanted)
    front = parse_tree(device.phone.hierarchy_xml())
    anomaly = library().get(wanted)
    assert anomaly is not None
    assert anomaly.value("param_title") in [node.text for node in front]
