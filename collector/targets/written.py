"""A target as YAML that a person reads and writes."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import yaml

from collector.located_yaml.safe_load import YamlError, safe_load
from collector.model.app_data.target import TaskTarget
from collector.model.i18n import join_sentences
from collector.targets.reader import TargetError, read_target


def target_text(source: object) -> str:
    """The value of a target: a line for each key, and for each innermost list and mapping; empty for none."""
    if source is None:
        return ""
    value = dict(source) if isinstance(source, Mapping) else source
    dumper = yaml.SafeDumper(io.StringIO(), default_flow_style=None, sort_keys=False)
    node = dumper.represent_data(value)
    if isinstance(node, yaml.MappingNode):
        node.flow_style = False
    return yaml.serialize(node, Dumper=yaml.SafeDumper, allow_unicode=True, width=110)


def target_of(text: str) -> TaskTarget | None:
    """The target that a text says; None for an empty one. Raises ValueError with what is wrong, and where."""
    try:
        value: Any = safe_load(text, "target")
    except YamlError as error:
        raise ValueError(error.why or error.what) from None
    if value is None:
        return None
    try:
        return read_target(value)
    except TargetError as error:
        problem = error.problems[0]
        place = ".".join(map(str, problem.path))
        said = join_sentences(problem.what, problem.to_do)
        raise ValueError(f"{place}: {said}" if place else said) from None
