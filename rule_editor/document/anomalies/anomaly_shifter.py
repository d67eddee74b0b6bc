"""Shift the places of an anomaly that was parsed alone to where its entry is in the library."""

from __future__ import annotations

from dataclasses import replace

from collector.anomalies.model import (
    Anomaly,
    AnomalyParameter,
    DialogAnswer,
    FollowUp,
    NativeCommands,
    ShellCommand,
)
from rule_editor.document.entries.place_shifter import PlaceShifter


class AnomalyShifter(PlaceShifter):
    """Copies anomalies with shifted places."""

    def anomaly(self, one: Anomaly) -> Anomaly:
        """The anomaly with every place shifted."""
        return replace(
            one,
            parameters=tuple(map(self._parameter, one.parameters)),
            answers=tuple(map(self._answer, one.answers)),
            events={key: tuple(map(self._follow_up, listed)) for key, listed in one.events.items()},
            event_places={key: self.place(place) for key, place in one.event_places.items()},
            undo=tuple(map(self._command, one.undo)),
            native=tuple(map(self._native, one.native)),
            place=self.place(one.place),
            activity_place=self.place(one.activity_place),
        )

    def _command(self, one: ShellCommand) -> ShellCommand:
        return replace(one, place=self.place(one.place))

    def _parameter(self, one: AnomalyParameter) -> AnomalyParameter:
        return replace(one, place=self.place(one.place))

    def _answer(self, one: DialogAnswer) -> DialogAnswer:
        follow_ups = tuple(map(self._follow_up, one.follow_ups))
        return replace(one, follow_ups=follow_ups, place=self.place(one.place))

    def _follow_up(self, one: FollowUp) -> FollowUp:
        return replace(one, command=self._command(one.command)) if one.command is not None else one

    def _native(self, one: NativeCommands) -> NativeCommands:
        remember = {
            name: replace(each, command=self._command(each.command)) for name, each in one.remember.items()
        }
        return replace(
            one, apply=tuple(map(self._command, one.apply)), undo=tuple(map(self._command, one.undo)),
            remember=remember,
            verify=tuple(replace(each, command=self._command(each.command)) for each in one.verify),
        )  # fmt: skip
