"""Text has enough contrast in both schemes."""

from __future__ import annotations

from itertools import product

from studio.theme.tokens import SCHEMES, parse_color, tokens
from tests.helpers.contrast import contrast, over

SURFACES = ("bg-0", "bg-1", "bg-2", "field")
TEXTS = ("text", "text-2", "text-3", "accent", "ok", "warn", "err", "info")
WEAK = {"accent-weak": "accent", "ok-weak": "ok", "warn-weak": "warn", "err-weak": "err", "info-weak": "info"}


def colors(scheme):
    return {name: parse_color(text) for name, text in tokens().colors(scheme).items()}


def weak_pairs(needed, texts, surface_of):
    """The pairs of colours, by scheme, between which there is less contrast than ``needed``."""
    pairs = list(texts)
    palettes = {scheme: colors(scheme) for scheme in SCHEMES}
    return [
        (scheme, text, surface)
        for scheme, palette in palettes.items()
        for text, surface in pairs
        if contrast(palette[text], surface_of(palette, surface)) < needed
    ]


def named(palette, surface):
    return palette[surface]


def test_text_reads_on_every_surface():
    assert weak_pairs(4.5, product(TEXTS, SURFACES), named) == []


def test_text_reads_on_hovered_and_pressed_rows():
    assert weak_pairs(4.5, product(("text", "text-2"), ("bg-3", "bg-4")), named) == []


def test_text_reads_on_weak_backgrounds():
    pairs = [*WEAK.items(), ("accent-weak", "text"), ("accent-weak", "text-2")]
    laid = [(text, (weak, surface)) for weak, text in pairs for surface in ("bg-1", "bg-2")]
    assert weak_pairs(4.5, laid, lambda palette, names: over(*(palette[name] for name in names))) == []


def test_text_reads_on_filled_buttons():
    assert weak_pairs(4.5, product(["on-fill"], ("accent-fill", "err-fill")), named) == []


def test_states_read_on_hovered_rows_and_code_on_its_field():
    states = product(("accent", "ok", "warn", "err", "info", "text-3"), ["bg-3"])
    code = product(("y-key", "y-str", "y-num", "y-com"), ("field", "bg-1"))
    assert weak_pairs(4.5, [*states, *code], named) == []


def test_controls_are_known_by_an_edge_that_is_seen():
    """Fields, check boxes, switches that are off, and the chosen segment; the focus ring; marks in icons."""
    edges = product(("edge", "accent"), ("bg-0", "bg-1", "bg-2", "field"))
    marks = product(["glyph"], ("ok", "warn-fill", "err", "info"))
    assert weak_pairs(3.0, [*edges, ("on-fill", "edge"), *marks], named) == []


def test_state_shapes_stand_out():
    shapes = ("ok", "warn-fill", "err", "info", "accent", "rec", "text-3")
    assert weak_pairs(3.0, product(shapes, ["bg-1"]), named) == []


def test_both_schemes_name_the_same_colours():
    assert set(tokens().colors("dark")) == set(tokens().colors("light")) == set(tokens().data["color_role"])


def test_colours_parse_with_and_without_alpha():
    assert parse_color("#7AA2FF") == (122, 162, 255, 255)
    assert parse_color("rgba(122,162,255,.16)") == (122, 162, 255, 41)
