"""A new variation has a name of its own, and a text that can be read."""

from __future__ import annotations

import pytest

from collector.variations.new_file import new_variation
from collector.variations.reader import read_variation


@pytest.mark.parametrize(
    ("extended", "taken", "name", "extends"),
    [
        ("dark_theme", (), "my_dark_theme", "dark_theme"),
        ("my_dark_theme", ("my_variation",), "my_variation_2", "my_dark_theme"),
        ("default", ("my_variation", "my_variation_2"), "my_variation_3", ""),
        ("", (), "my_variation", ""),
    ],
)
def test_the_file_extends_what_is_selected(extended, taken, name, extends) -> None:
    found, text = new_variation(extended, taken)
    read = read_variation(text)
    assert (found, read.extends, read.diagnostics) == (name, extends, ())
