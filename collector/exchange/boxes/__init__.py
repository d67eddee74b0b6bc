"""Nodes of recorded trees as boxes on their pictures, for detectors and for grounding."""
