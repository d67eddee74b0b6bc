"""Quick fixes asked for by a key: those of the cursor's line, else the first there is."""

from __future__ import annotations

from collections.abc import Sequence

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import _
from rule_editor.widgets.yaml_view.editor import YamlEditor
from studio.widgets.toasts import Toasts


def offer_quick_fixes(yaml: YamlEditor, found: Sequence[Diagnostic], toasts: Toasts) -> None:
    """Open the menu of fixes at the cursor, or where the first of ``found`` has some."""
    if yaml.fixes_here():
        yaml.offer_fixes()
        return
    fixes = [one for one in found if one.fixes]
    if fixes:
        yaml.go_to(fixes[0].place.start)
        yaml.offer_fixes()
    else:
        toasts.show("info", _("There is nothing to mend that a click could do"))
