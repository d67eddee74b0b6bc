"""Whether tasks can be done on a phone while anomalies happen: a check's plan, trials and report."""
