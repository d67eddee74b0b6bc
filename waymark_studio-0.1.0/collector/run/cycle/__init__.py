"""The cycle of an episode: observe, inject, act, settle, follow up, validate."""
