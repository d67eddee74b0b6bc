"""Design tokens made into one palette, one style sheet, fonts and icons; light and dark.

The only room that knows a colour. Everybody else asks ``theme.color("accent")``
at paint time and listens to ``theme.changed``.
"""

from studio.theme.theme import Theme, theme
from studio.theme.tokens import SCHEMES, Tokens, tokens

__all__ = ["SCHEMES", "Theme", "Tokens", "theme", "tokens"]
