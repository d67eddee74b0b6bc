"""Anomalies that interrupt a task: their library, injection, dialogs, follow-ups, undo and rehearsal."""
