"""A table of numbers with their intervals drawn in the cells; every number can be selected."""
