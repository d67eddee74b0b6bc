"""The card of a data set can be read by hubs, whatever its licence is called."""

from __future__ import annotations

import pytest
import yaml

from collector.trainer_files.card import card_text


@pytest.mark.parametrize(
    ("licence", "read"),
    [
        ("cc-by-4.0", "cc-by-4.0"), ("", "unknown"), ("x: [y", "x: [y"), ("no", "no"), ("1.0", "1.0"),
        ("CC BY 4.0\nevil: 1", "CC BY 4.0\nevil: 1"), ("仅供研究 # 勿传", "仅供研究 # 勿传"),
    ],
)  # fmt: skip
def test_the_head_of_a_card_names_the_licence_as_it_was_given(licence: str, read: str) -> None:
    card = card_text("Windows", ["Text"], licence=licence)
    head = card.split("---\n")[1]
    assert yaml.safe_load(head) == {"license": read, "task_categories": ["image-text-to-text"]}
