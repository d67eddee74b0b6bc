"""Plots of metrics: points with intervals, paired comparisons, and both as PNG and SVG."""
