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

    def anomaly(self, anomaly: Anomaly) -> Anomaly:
        """The anomaly with every place shifted."""
        return replace(
            anomaly,
            parameters=tuple(map(self._parameter, anomaly.parameters)),
            answers=tuple(map(self._answer, anomaly.answers)),
            events={key: tuple(map(self._follow_up, listed)) for key, listed in anomaly.events.items()},
            event_places={key: self.place(place) for key, place in anomaly.event_places.items()},
            undo=tuple(map(self._command, anomaly.undo)),
            native=tuple(map(self._native, anomaly.native)),
            place=self.place(anomaly.place),
            activity_place=self.place(anomaly.activity_place),
        )

    def _command(self, command: ShellCommand) -> ShellCommand:
        return replace(command, place=self.place(command.place))

    def _parameter(self, parameter: AnomalyParameter) -> AnomalyParameter:
        return replace(parameter, place=self.place(parameter.place))

    def _answer(self, answer: DialogAnswer) -> DialogAnswer:
        follow_ups = tuple(map(self._follow_up, answer.follow_ups))
        return replace(answer, follow_ups=follow_ups, place=self.place(answer.place))

    def _follow_up(self, follow_up: FollowUp) -> FollowUp:
        if follow_up.command is None:
            return follow_up
        return replace(follow_up, command=self._command(follow_up.command))

    def _native(self, native: NativeCommands) -> NativeCommands:
        remember = {
            name: replace(value, command=self._command(value.command))
            for name, value in native.remember.items()
        }
        return replace(
            native, remember=remember,
            apply=tuple(map(self._command, native.apply)), undo=tuple(map(self._command, native.undo)),
            verify=tuple(replace(check, command=self._command(check.command)) for check in native.verify),
        )  # fmt: skip
