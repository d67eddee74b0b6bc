"""Contrast of two colours as WCAG 2 defines it."""

from __future__ import annotations

Color = tuple[int, int, int, int]


def over(top: Color, below: Color) -> Color:
    """Blend ``top`` with its alpha over an opaque colour."""
    alpha = top[3] / 255
    mixed = [round(a * alpha + b * (1 - alpha)) for a, b in zip(top[:3], below[:3], strict=True)]
    return mixed[0], mixed[1], mixed[2], 255


def _luminance(color: Color) -> float:
    parts = []
    for value in color[:3]:
        share = value / 255
        parts.append(share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(first: Color, second: Color) -> float:
    """Contrast ratio from 1 (equal) to 21 (black on white)."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
