"""Trajectory files, journal and recovery, versions and upgrades, project, catalogue."""
