"""Read an export as MLflow's folder with its client: runs with their values, and the artifacts of each."""

import os
import sys

os.environ |= {"MLFLOW_ALLOW_FILE_STORE": "true", "MLFLOW_DISABLE_TELEMETRY": "true"}
os.chdir(sys.argv[1])

import mlflow  # noqa: E402 - it reads the environment when it is imported

client = mlflow.MlflowClient(tracking_uri="mlruns")
RUNS = VALUES = 0
for experiment in client.search_experiments():
    runs = client.search_runs([experiment.experiment_id], max_results=10_000)
    assert runs, experiment.name
    for run in runs:
        assert run.data.params["task"]
        assert run.data.metrics["steps"] >= 0
        names = {artifact.path for artifact in client.list_artifacts(run.info.run_id)}
        assert {"steps.jsonl", "trajectory.json"} <= names
        VALUES += len(run.data.params) + len(run.data.metrics) + len(run.data.tags)
    RUNS += len(runs)
assert RUNS
print(f"{RUNS} runs, {VALUES} parameters, metrics and tags")
