"""An anomaly library being edited: its entries, answers and follow-ups."""
