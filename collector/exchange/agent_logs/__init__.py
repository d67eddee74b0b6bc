"""Logs of agents and their frameworks: what they saw, what they answered, and what was executed."""
