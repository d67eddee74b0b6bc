"""Shift the places of an anomaly that was parsed alone to where its entry is in the library."""

from __future__ import annotations

from dataclasses import replace

from collector.anomalies.model import (
    Anomaly,
    AnomalyParameter,
    ChangeCheck,
    DialogAnswer,
    FollowUp,
    NativeCommands,
    RememberedValue,
    ShellCommand,
)
from rule_editor.document.entries.place_shifter import PlaceShifter


class AnomalyShifter(PlaceShifter):
    """Copies anomalies with shifted places.

    Of what there are hundreds the constructor is called: ``dataclasses.replace`` takes three times as long.
    """

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
        return ShellCommand(command.text, self.place(command.place))

    def _parameter(self, parameter: AnomalyParameter) -> AnomalyParameter:
        return AnomalyParameter(
            parameter.name, parameter.type, parameter.value, parameter.lowest, parameter.highest,
            parameter.description, self.place(parameter.place),
        )  # fmt: skip

    def _answer(self, answer: DialogAnswer) -> DialogAnswer:
        follow_ups = tuple(map(self._follow_up, answer.follow_ups))
        return DialogAnswer(answer.name, answer.button, answer.event, follow_ups, self.place(answer.place))

    def _follow_up(self, follow_up: FollowUp) -> FollowUp:
        if follow_up.command is None:
            return follow_up
        command = self._command(follow_up.command)
        return FollowUp(follow_up.type, command, follow_up.message, follow_up.description)

    def _native(self, native: NativeCommands) -> NativeCommands:
        remember = {
            name: RememberedValue(self._command(value.command), value.pattern)
            for name, value in native.remember.items()
        }
        return NativeCommands(
            native.versions, tuple(map(self._command, native.apply)), tuple(map(self._command, native.undo)),
            remember, tuple(map(self._check, native.verify)),
        )  # fmt: skip

    def _check(self, check: ChangeCheck) -> ChangeCheck:
        return ChangeCheck(self._command(check.command), check.expect, check.once)
