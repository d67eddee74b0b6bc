"""The tab Agreement: how far people and judges agree."""
