"""The report of a check: one HTML page that loads nothing and holds nothing private, to be read again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from collector.device_check.result_names import ability_name, measurement_name, setting_name, workspace_name
from collector.device_check.results import CheckOutcome, CheckStepResult, DeviceCheckResults
from collector.device_check.results_document import results_as_dict, results_of_dict
from collector.device_check.results_text import measurement_value, outcome_text, step_title
from collector.model.errors import UserError
from collector.model.i18n import _, language
from collector.model.phone.quirks import known_quirks
from collector.model.resources import asset
from collector.sharing.page_frame import content_policy, filled_page, theme_style
from collector.sharing.page_json import json_for_script

_FOLDER = "check_page"
_DATA = re.compile(r'<script type="application/json" id="results">(.*?)</script>', re.DOTALL)
_MOST_BYTES = 8 << 20
_STATES = {CheckOutcome.PASSED: "ok", CheckOutcome.FAILED: "err", CheckOutcome.SKIPPED: "mute"}


def report_page(results: DeviceCheckResults) -> bytes:
    """The file in UTF-8, in the language in use."""
    style = f"{theme_style()}\n{asset(_FOLDER, 'page.css').read_text(encoding='utf-8')}"
    title = _("Check of {phone}", phone=results.phone.name)
    fields = {
        "language": escape(language()),
        "title": escape(title),
        "policy": content_policy(style),
        "style": style,
        "body": "\n".join(_body(title, results)),
        "data": json_for_script(results_as_dict(results)),
    }
    return filled_page(asset(_FOLDER, "page.html"), fields)


def read_report(path: Path) -> DeviceCheckResults:
    """The results in a report's file, or in what ``--json`` printed. Raises UserError."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UserError(_("{path} is too large for the report of a check", path=path.name))
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(_("{path} cannot be read", path=path), error.strerror or str(error)) from error
    found = _DATA.search(text)
    try:
        document = json.loads(found[1] if found else text)
    except (ValueError, RecursionError):
        raise UserError(
            _("{path} is no report of a checked phone", path=path.name),
            "",
            _("Make one with: waymark device check --report FILE.html"),
        ) from None
    return results_of_dict(document)


def _body(title: str, results: DeviceCheckResults) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    about = _(
        "Waymark Studio {version}, in {seconds:.0f} s", version=results.version, seconds=results.seconds
    )
    yield f'<p class="about">{escape(about)}</p>'
    holds = _(
        "This page holds the phone's model and Android version and what was measured on it. It holds no "
        "serial number, phone number, account, address of a network or path of a computer, and no text or "
        "picture of a screen."
    )
    yield f'<p class="holds">{escape(holds)}</p>'
    if results.end:
        yield f'<p class="about warn">{escape(results.end)}</p>'
    yield from _verdicts(results)
    yield from _restored(results)
    yield from _quirks(results)
    yield from _settings(results)
    yield f"<h2>{escape(_('What was tried'))}</h2>"
    for step in results.steps:
        yield from _step(step)


def _verdicts(results: DeviceCheckResults) -> Iterator[str]:
    if not results.verdicts:
        return
    yield f"<h2>{escape(_('What this phone is good for'))}</h2>"
    for verdict in results.verdicts:
        state = (_("works"), "ok") if verdict.works else (_("does not work"), "err")
        yield from _card(workspace_name(verdict.workspace), *state, _list(verdict.limits))


def _restored(results: DeviceCheckResults) -> Iterator[str]:
    yield f"<h2>{escape(_('Afterwards'))}</h2>"
    if not results.unrestored:
        yield f'<p class="ok">{escape(_("The phone is as it was before"))}</p>'
    yield from _list(results.unrestored)
    if results.changed_meanwhile:
        yield f'<p class="mute">{escape(_("Changed meanwhile, and not by the check:"))}</p>'
        yield from _list(results.changed_meanwhile)


def _quirks(results: DeviceCheckResults) -> Iterator[str]:
    """What such phones do otherwise, with what to do about it, and who reported it."""
    quirks = known_quirks(results.quirks)
    if quirks:
        yield f"<h2>{escape(_('Quirks'))}</h2>"
    for quirk in quirks:
        sources = " ".join(
            f'<a href="{escape(address)}" rel="noreferrer">{escape(address.partition("//")[2])}</a>'
            for address in quirk.sources
        )
        lines = [*_list((quirk.effect, quirk.mend)), f'<p class="mute">{sources}</p>']
        yield from _card(quirk.title, quirk.id, "mute", lines)


def _settings(results: DeviceCheckResults) -> Iterator[str]:
    if results.settings:
        yield f"<h2>{escape(_('Settings that suit it'))}</h2>"
        yield '<div class="card"><dl>'
        yield from (_pair(setting_name(name), value) for name, value in results.settings.items())
        yield "</dl></div>"


def _step(step: CheckStepResult) -> Iterator[str]:
    lines = []
    if step.measurements or step.abilities:
        pairs = [
            *(_pair(measurement_name(each.name), measurement_value(each)) for each in step.measurements),
            *(
                _pair(
                    ability_name(each.id),
                    _("works") if each.works else each.reason,
                    "ok" if each.works else "err",
                )
                for each in step.abilities
            ),
        ]
        lines = ["<dl>", *pairs, "</dl>"]
    yield from _card(step_title(step.step), outcome_text(step), _STATES[step.outcome], lines)


def _card(title: str, state: str, css: str, lines: Iterable[str]) -> Iterator[str]:
    yield f'<div class="card"><h3>{escape(title)}<span class="state {css}">{escape(state)}</span></h3>'
    yield from lines
    yield "</div>"


def _list(words: Iterable[str]) -> Iterator[str]:
    items = "".join(f"<li>{escape(each)}</li>" for each in words)
    if items:
        yield f"<ul>{items}</ul>"


def _pair(name: str, value: str, css: str = "") -> str:
    return f'<dt>{escape(name)}</dt><dd class="{css}">{escape(value)}</dd>'
