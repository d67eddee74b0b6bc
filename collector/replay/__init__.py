"""Replays: guarded re-execution of what was recorded, and which tasks stay solvable under anomalies."""
