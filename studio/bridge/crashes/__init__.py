"""Crash reports: what is kept of an error that nobody caught, or of a crash of the process."""
