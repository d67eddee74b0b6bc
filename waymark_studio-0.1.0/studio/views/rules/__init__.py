"""The Rules workspace: rules and anomalies as form and YAML, tried on recorded states and on the phone."""
