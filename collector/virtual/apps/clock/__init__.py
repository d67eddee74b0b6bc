"""The clock: alarms, the time of cities, timers and a stopwatch."""
