"""Do tasks that have a target, by a search over the apps of the virtual phone: proofs, and an agent."""
