"""The seed of whatever is random."""

from __future__ import annotations

DEFAULT_SEED = 1
"""Where no seed is given: of the content of apps, of draws, of agents, of samples, of generated tasks and of
the split of a data set. D-GARA's scripts seed their draws with 123."""
