"""What journeys quote of README and guide stands there: known at once, without playing the journeys."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.helpers.guide import quote
from tests.helpers.scripts import ROOT


def _names(tree: ast.Module) -> dict[str, str]:
    """The pages that a file names in its constants."""
    names = {}
    for each in tree.body:
        if isinstance(each, ast.Assign):
            for target in each.targets:
                parts = target.elts if isinstance(target, ast.Tuple) else [target]
                values = each.value.elts if isinstance(each.value, ast.Tuple) else [each.value]
                for part, value in zip(parts, values, strict=False):
                    if isinstance(part, ast.Name) and isinstance(value, ast.Constant):
                        names[part.id] = value.value
    return names


def _quotations() -> Iterator[tuple[str, str]]:
    for file in sorted((ROOT / "tests").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "from tests.helpers.guide import quote" not in text:
            continue
        tree = ast.parse(text)
        names = _names(tree)
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or ast.unparse(call.func) != "quote":
                continue
            page, sentence = call.args
            if isinstance(sentence, ast.Constant):
                yield names[page.id] if isinstance(page, ast.Name) else ast.literal_eval(page), sentence.value


def test_what_journeys_quote_stands_in_readme_and_guide() -> None:
    quotations = list(_quotations())
    assert len(quotations) > 10
    for page, sentence in quotations:
        quote(page, sentence)
