"""Agents: what they answer, in the dialects of published models, as actions of the action space."""
