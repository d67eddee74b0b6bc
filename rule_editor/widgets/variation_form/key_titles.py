"""What people call the keys of appearance, content and noise, and the words that these take."""

from __future__ import annotations

from collector.model.i18n import N_

KEY_TITLES = {
    "theme": N_("Theme"), "text_scale": N_("Text scale"), "font": N_("Font"), "weight": N_("Weight"),
    "italic": N_("Italic"), "letter_spacing": N_("Letter spacing"), "spacing": N_("Spacing"),
    "saturation": N_("Saturation"), "mirrored": N_("Mirrored"), "icon_labels": N_("Icon labels"),
    "orientation": N_("Orientation"), "colours": N_("Colours"), "missing": N_("Missing"),
    "missing_inputs": N_("Inputs until there"), "late": N_("Late"), "late_seconds": N_("Seconds late"),
    "twice": N_("Twice"), "moving": N_("Moving"), "covered": N_("Covered"), "zoomed": N_("Zoomed"),
    "zoom": N_("Zoom"), "order": N_("Order of lists"), "only": N_("Only these ids"),
    "language": N_("Language"),
}  # fmt: skip
WORD_TITLES = {
    "light": N_("Light"), "dark": N_("Dark"), "sans": N_("Sans serif"), "serif": N_("Serif"),
    "mono": N_("Monospaced"), "display": N_("Display"), "thin": N_("Thin"), "normal": N_("Normal"),
    "bold": N_("Bold"), "portrait": N_("Portrait"), "landscape": N_("Landscape"), "as_is": N_("As it is"),
    "reversed": N_("Reversed"), "shuffled": N_("Shuffled"),
}  # fmt: skip
