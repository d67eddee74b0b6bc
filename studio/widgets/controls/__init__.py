"""Primitive controls: buttons, labels, tabs, switches, segmented controls, empty states."""

from studio.widgets.controls.busy_bar import BusyBar
from studio.widgets.controls.button import Button
from studio.widgets.controls.button_grid import ButtonGrid
from studio.widgets.controls.empty_state import EmptyState
from studio.widgets.controls.label import Label, divider, header_row, surface
from studio.widgets.controls.segmented_control import SegmentedControl
from studio.widgets.controls.switch import Switch
from studio.widgets.controls.tabs import Tabs

__all__ = [
    "BusyBar",
    "Button",
    "ButtonGrid",
    "EmptyState",
    "Label",
    "SegmentedControl",
    "Switch",
    "Tabs",
    "divider",
    "header_row",
    "surface",
]
