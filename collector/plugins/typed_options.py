"""Read the options of a kind as a person types them: texts as they are, other values as YAML."""

from __future__ import annotations

import shlex
from typing import Any

from collector.located_yaml.safe_load import YamlError, safe_load
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.plugins.options import PluginOption, type_name


def typed_value(option: PluginOption, text: str) -> Any:
    """The value of an option; a list may be typed as words with spaces. Raises UserError.

    An empty text is None, which stands for the default.
    """
    if not text.strip():
        return None
    if option.type is str:
        return text
    try:
        if option.type is list and not text.lstrip().startswith("["):
            return shlex.split(text)
        return safe_load(text, option.name)
    except (YamlError, ValueError) as error:
        kind, value = type_name(option), repr(text[:60])
        what = _("{name} is {type}, not {value}", name=option.name, type=kind, value=value)
        raise UserError(what, str(error)) from None
