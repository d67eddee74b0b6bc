"""Check every file of a project: recordings, tasks, rules, anomalies, and any other YAML or JSON"""
