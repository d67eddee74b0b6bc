"""What people call the keys of a variation, and the words that these take."""

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
    "language": N_("Language"), "id": N_("Name"), "title": N_("Title"), "message": N_("Message"),
    "icon": N_("Icon"), "position": N_("Position"), "cancelable": N_("Can be dismissed"),
    "buttons": N_("Buttons"), "text": N_("Text"), "does": N_("Does"), "app": N_("App"), "mark": N_("Mark"),
    "sender": N_("Sender"), "types": N_("Obeys by typing"), "taps": N_("Obeys by touching"),
    "says": N_("Obeys by answering"),
}  # fmt: skip
WORD_TITLES = {
    "light": N_("Light"), "dark": N_("Dark"), "sans": N_("Sans serif"), "serif": N_("Serif"),
    "mono": N_("Monospaced"), "display": N_("Display"), "thin": N_("Thin"), "normal": N_("Normal"),
    "bold": N_("Bold"), "portrait": N_("Portrait"), "landscape": N_("Landscape"), "as_is": N_("As it is"),
    "reversed": N_("Reversed"), "shuffled": N_("Shuffled"), "top": N_("Top"), "center": N_("Center"),
    "bottom": N_("Bottom"), "known": N_("Known"), "unknown": N_("Unknown"),
}  # fmt: skip
