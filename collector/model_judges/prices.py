"""The models that a judge asks, and whether it is known what they cost."""

from __future__ import annotations

from collections.abc import Iterator

from collector.judge.kinds import Judge
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model_judges.asked_model import AskedModel
from collector.model_judges.combined_judge import CombinedJudge
from collector.model_judges.model_judge import AsksModels, ModelJudge


def models_of(judge: Judge | AsksModels) -> Iterator[AskedModel]:
    """Every model that a judge asks, itself or by others."""
    if isinstance(judge, ModelJudge):
        yield judge.model
    elif isinstance(judge, CombinedJudge):
        for part in judge.judges:
            yield from models_of(part)


def require_prices(judge: Judge | AsksModels) -> None:
    """Raise UserError for a model without prices or a longest answer: no limit of money could be kept."""
    for model in models_of(judge):
        if model.endpoint.price_input is None or model.endpoint.price_output is None:
            raise UserError(
                _("The limit cannot be kept"),
                _("{judge} does not say what {model} costs", judge=model.judge, model=model.endpoint.model),
                _("Give price_input and price_output, 0 for a model of your own"),
            )
        if model.longest_answer is None and model.endpoint.price_output:
            raise UserError(
                _("The limit cannot be kept"),
                _("{judge} does not say how long an answer may be", judge=model.judge), _("Give max_tokens"),
            )  # fmt: skip
