"""The phone's widget toolkit: one laid-out tree gives the pixels, the hierarchy XML and the hit test."""
