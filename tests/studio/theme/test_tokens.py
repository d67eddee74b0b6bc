"""Text has enough contrast in both schemes."""

from __future__ import annotations

import pytest

from studio.theme.tokens import SCHEMES, parse_color, tokens
from tests.helpers.contrast import contrast, over

SURFACES = ("bg-0", "bg-1", "bg-2", "field")
TEXTS = ("text", "text-2", "text-3", "accent", "ok", "warn", "err", "info")
WEAK = {"accent-weak": "accent", "ok-weak": "ok", "warn-weak": "warn", "err-weak": "err", "info-weak": "info"}


def colors(scheme):
    return {name: parse_color(text) for name, text in tokens().colors(scheme).items()}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("text", TEXTS)
def test_text_reads_on_every_surface(scheme, surface, text):
    palette = colors(scheme)
    assert contrast(palette[text], palette[surface]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("text", ["text", "text-2"])
def test_text_reads_on_hovered_and_pressed_rows(scheme, text):
    palette = colors(scheme)
    assert contrast(palette[text], palette["bg-3"]) >= 4.5
    assert contrast(palette[text], palette["bg-4"]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("surface", ["bg-1", "bg-2"])
@pytest.mark.parametrize(
    ("weak", "text"), [*WEAK.items(), ("accent-weak", "text"), ("accent-weak", "text-2")]
)
def test_text_reads_on_weak_backgrounds(scheme, surface, weak, text):
    palette = colors(scheme)
    assert contrast(palette[text], over(palette[weak], palette[surface])) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("fill", ["accent-fill", "err-fill"])
def test_text_reads_on_filled_buttons(scheme, fill):
    palette = colors(scheme)
    assert contrast(palette["on-fill"], palette[fill]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("shape", ["ok", "warn-fill", "err", "info", "accent", "rec", "text-3"])
def test_state_shapes_stand_out(scheme, shape):
    palette = colors(scheme)
    assert contrast(palette[shape], palette["bg-1"]) >= 3.0


def test_both_schemes_name_the_same_colours():
    assert set(tokens().colors("dark")) == set(tokens().colors("light")) == set(tokens().data["color_role"])


def test_colours_parse_with_and_without_alpha():
    assert parse_color("#7AA2FF") == (122, 162, 255, 255)
    assert parse_color("rgba(122,162,255,.16)") == (122, 162, 255, 41)
