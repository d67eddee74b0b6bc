"""Injection rules tried on the live phone: what would fire and why, what fired, what was held back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.injected_anomaly import InjectionStage
from collector.anomalies.injector import Injector
from collector.anomalies.rehearsal import RehearsalOutcome
from collector.hierarchy.parse import parse_tree
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.model import Rule
from collector.rules.grammar.rule_text import rule_text
from tests.helpers.rehearsing import PhoneRehearsal
from tests.helpers.shell_device import ShellDevice, injector_on, shell_device

BUILTIN = builtin_library().anomalies
RULES = """rules:
  - id: in-shop
    priority: 1
    conditions: {all: [{type: current_package_is, value: com.waymark.shop}]}
    actions: [{type: inject_interference, interference_id: battery_low_double_en, trigger_probability: PROB}]
  - id: elsewhere
    conditions: {all: [{type: current_package_is, value: org.other}]}
    actions: [{type: inject_interference, interference_id: wifi_off}]
  - id: unknown
    conditions: {all: [{type: min_step, value: 2}]}
    actions: [{type: inject_interference, interference_id: no_such_anomaly}]
"""


def rules(probability: str = "1.0") -> list[Rule]:
    return list(rule_text(RULES.replace("PROB", probability), "injection.yaml").file.rules)


@pytest.fixture
def device() -> Iterator[ShellDevice]:
    with shell_device("shop", "settings", "companion") as phone:
        yield phone


@pytest.fixture
def injector(device: ShellDevice, tmp_path: Path) -> Iterator[Injector]:
    with injector_on(device, tmp_path) as one:
        yield one


def view(device: ShellDevice, step: int) -> StateView:
    xml, focused = device.phone.hierarchy_xml(), device.phone.focused
    assert focused is not None
    return StateView(parse_tree(xml), xml, focused.package, focused.activity, step)


def test_a_dry_run_says_what_would_fire_and_because_of_what(device: ShellDevice, injector: Injector) -> None:
    rehearsal = PhoneRehearsal(rules(), BUILTIN)
    first, other, third = rehearsal.judge(view(device, 1))
    assert (first.rule.id, first.shown, first.anomaly) == (
        "in-shop",
        RehearsalOutcome.WOULD_FIRE,
        "battery_low_double_en",
    )
    assert "com.waymark.shop" in first.reason
    assert other.shown in (RehearsalOutcome.SILENT, RehearsalOutcome.NEAR)
    assert "com.waymark.shop" in other.reason  # what is there instead
    assert third.shown in (RehearsalOutcome.SILENT, RehearsalOutcome.NEAR)
    assert injector.injected == ()
    assert "adbsmarttest" not in str(device.phone.focused)


def test_a_rule_that_fires_injects_and_others_are_held_back_while_it_is_open(
    device: ShellDevice, injector: Injector
) -> None:
    rehearsal = PhoneRehearsal(rules(), BUILTIN, injector, most=3)
    shop = view(device, 1)
    first = rehearsal.judge(shop)[0]
    assert first.shown is RehearsalOutcome.FIRED
    assert first.injected is injector.open
    again = rehearsal.judge(shop)[0]
    assert (again.shown, again.reason) == (RehearsalOutcome.SUPPRESSED, "An injected dialog is still open")
    assert first.injected is not None
    device.press(first.injected, "deny")
    injector.look()
    after = rehearsal.judge(view(device, 3))
    assert (after[0].shown, after[0].reason) == (
        RehearsalOutcome.SUPPRESSED,
        "It fired before, and fires once",
    )
    assert (after[2].shown, after[2].reason) == (
        RehearsalOutcome.FAILED,
        "The library has no anomaly no_such_anomaly",
    )


def test_the_seed_decides_and_the_same_seed_decides_the_same(device: ShellDevice) -> None:
    shop = view(device, 1)

    def drawn(seed: int) -> list[tuple[RehearsalOutcome, float | None]]:
        rehearsal = PhoneRehearsal(rules("0.5"), BUILTIN, seed=seed, most=99)
        decisions = [rehearsal.judge(shop)[0] for _turn in range(8)]
        assert {decision.probability for decision in decisions} <= {0.5, None}
        return [(decision.shown, decision.draw) for decision in decisions]

    assert drawn(1) == drawn(1)
    assert any(drawn(1) != drawn(seed) for seed in range(2, 6))


def test_a_forced_rule_fires_whatever_the_screen_shows(device: ShellDevice, injector: Injector) -> None:
    rehearsal = PhoneRehearsal(rules("0.0"), BUILTIN, injector)
    moment = rehearsal.force(rules()[1])
    assert (moment.shown, moment.forced, moment.anomaly) == (RehearsalOutcome.FIRED, True, "wifi_off")
    assert moment.injected is not None
    assert moment.injected.stage is InjectionStage.ACTIVE
    assert device.phone.settings.get("global", "wifi_on") == "0"


def test_what_cannot_be_injected_is_told_and_the_rehearsal_goes_on(
    device: ShellDevice, injector: Injector
) -> None:
    device.shell("am start -n com.example.adbsmarttest/.LoginActivity")
    rehearsal = PhoneRehearsal(rules(), BUILTIN, injector)
    moment = rehearsal.force(rules()[0])
    assert moment.shown is RehearsalOutcome.FAILED
    assert "lies on top" in moment.reason


def test_a_dry_run_tells_a_rule_whose_anomaly_is_not_there(device: ShellDevice) -> None:
    rehearsal = PhoneRehearsal(rules()[2:], BUILTIN)
    rehearsal.judge(view(device, 1))
    third = rehearsal.judge(view(device, 2))[0]
    assert third.shown is RehearsalOutcome.FAILED
    assert "no anomaly no_such_anomaly" in third.reason
