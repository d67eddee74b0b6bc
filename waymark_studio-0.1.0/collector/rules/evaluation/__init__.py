"""Evaluate rules on one state or along a trajectory, under either semantics, with proofs in words."""
