"""Palette, style sheet, fonts and icons from the design tokens, in light and dark.

No other package holds colours: widgets call ``theme.color("accent")`` when they paint and
listen to ``theme.changed``.
"""

from studio.theme.theme import Theme, theme
from studio.theme.tokens import SCHEMES, Tokens, tokens

__all__ = ["SCHEMES", "Theme", "Tokens", "theme", "tokens"]
