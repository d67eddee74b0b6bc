"""Random conditions of any type, made from the kinds of value its keys have."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from collector.rules.grammar import specs
from collector.rules.grammar.specs import ConditionSpec
from tests.helpers.random_rules import CLASSES, IDS, NAMES, TEXTS

_PACKAGES = ("com.example.shop", "com.example.maps")
_SAMPLES: dict[str, Callable[[random.Random], Any]] = {
    specs.TEXT: lambda rng: rng.choice((*TEXTS, "true", "")),
    specs.TEXTS: lambda rng: rng.sample(TEXTS, 3),
    specs.WHOLE: lambda rng: rng.randrange(5),
    specs.SHARE: lambda rng: rng.random(),
    specs.NUMBER: lambda rng: rng.random(),
    specs.FLAG: lambda rng: rng.random() < 0.5,
    specs.SELECTOR: lambda rng: rng.choice(
        (f"text='{rng.choice(TEXTS)}'", f"class='{rng.choice(CLASSES)}'", f"resource-id*='{IDS[0][:4]}'",
         "//node[@checked='true']")
    ),
    specs.PATTERN: lambda rng: rng.choice(("[0-9]", "^D", "(", "o")),
    specs.ATTRIBUTE: lambda rng: rng.choice(NAMES),
    specs.ACTIVITY: lambda rng: rng.choice((".MainActivity", "a.b.C")),
    specs.PACKAGE: lambda rng: rng.choice(_PACKAGES),
    specs.ACTION: lambda rng: rng.choice(("tap", "type", "*")),
    specs.STATE_ID: lambda rng: rng.choice(("first", "second", "third")),
    specs.IMAGE: lambda _rng: "none.png",
    specs.REGION: lambda rng: [0, 0, rng.randrange(1, 9), 9],
    specs.METHOD: lambda rng: rng.choice(specs.METHODS),
    specs.COLLECTION: lambda rng: rng.choice(specs.WORDS[specs.COLLECTION]),
    specs.DATA_CHANGE: lambda rng: rng.choice(specs.WORDS[specs.DATA_CHANGE]),
    specs.RECORD: lambda rng: rng.choice(("title='Dentist'", "", "me='true' text*='o'")),
}  # fmt: skip


def sample_condition(rng: random.Random, spec: ConditionSpec) -> dict[str, Any]:
    """A condition as a rule file writes it; optional keys are there or not."""
    written = [field for field in spec.fields if field.required or rng.random() < 0.5]
    return {"type": spec.type, **{field.name: _SAMPLES[field.kind](rng) for field in written}}
