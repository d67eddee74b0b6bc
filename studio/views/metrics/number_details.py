"""What the panel of a number says of it: its figure, what it is of, and how it is counted."""

from __future__ import annotations

import numpy as np

from collector.metrics.episode_columns import RECORDED, Ints
from collector.metrics.measure import Counting, Unit
from collector.metrics.sample_advice import enough_for
from collector.metrics.value_text import counted_text, counting_text
from collector.model.i18n import _, ngettext, paragraph
from studio.views.metrics.report_layout import interval_words, number_text
from studio.views.metrics.session import ShownNumber


def how_text(number: ShownNumber, judge: str) -> str:
    """The interval, the judge, how the number is counted, and what its values need said."""
    cell = number.cell
    interval = interval_words(cell, number.unit)
    sentences = [cell.how or number.how, cell.note]
    if not number.subjects:  # those about judges compare several
        judged_by = _("as recorded") if judge == RECORDED else judge
        sentences.insert(0, _("Judge: {judge}.", judge=judged_by))
    is_of_verdicts = number.counting is Counting.VERDICTS and cell.hits is not None
    if is_of_verdicts and len(behind(number)) < cell.count:
        sentences.append(_("Verdicts that are hidden until you submit your review are counted, not listed."))
    if interval and cell.hits is not None:
        sentences.insert(0, _("Wilson interval, {interval}.", interval=interval))
    elif interval:
        sentences.insert(0, _("95 % interval, {interval}.", interval=interval))
    if (enough := enough_for(cell)) is not None:
        things = counting_text(number.counting, enough)
        sentences.append(
            _("The sample is small: {things} would bring the interval within 10 points.", things=things)
        )
    return paragraph(*sentences)


def figure(number: ShownNumber) -> str:
    """The number in large: of a share, how many it counts."""
    if number.cell.hits is not None and number.cell.value is not None:
        return str(number.cell.hits)
    if number.unit is Unit.COUNT and number.cell.value is not None:
        return str(round(number.cell.value))
    return number_text(number.cell, number.unit)


def figure_note(number: ShownNumber) -> str:
    """What the figure is of."""
    cell = number.cell
    if cell.hits is not None and cell.value is not None:
        return _("of {things}", things=counting_text(number.counting, cell.count))
    if number.unit is Unit.COUNT and cell.value == cell.count:
        if number.subjects:
            return ngettext("verdict", "verdicts", cell.count)
        return ngettext("episode", "episodes", cell.count)
    return counted_text(cell, number.counting)


def behind(number: ShownNumber) -> Ints:
    """What the number counts: episodes, or places of its subjects."""
    found = number.cell.behind
    return found if found is not None else np.empty(0, np.int64)
