"""Samples to train a judge with: windows that people labelled, as the judge itself is asked about them."""
