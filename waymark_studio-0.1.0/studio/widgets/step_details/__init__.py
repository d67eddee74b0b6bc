"""The details of a step: what was recorded, what an agent said, and what judges say of it."""
