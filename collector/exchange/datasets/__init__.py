"""Published data sets of demonstrations and benchmarks, as their authors lay them out."""
