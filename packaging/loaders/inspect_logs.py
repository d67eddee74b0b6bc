"""Read an export as Inspect logs with `inspect_ai.log`: headers, summaries, samples, and their scores."""

import sys
from pathlib import Path

from inspect_ai.log import read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries

SAMPLES = PICTURES = 0
for path in sorted(Path(sys.argv[1]).rglob("*.eval")):
    log = read_eval_log(str(path))
    summaries = read_eval_log_sample_summaries(str(path))
    assert (log.version, log.status) == (2, "success")
    assert len(log.samples) == len(summaries) == log.results.total_samples
    for summary in summaries:
        sample = read_eval_log_sample(str(path), summary.id, summary.epoch)
        assert {name: score.value for name, score in sample.scores.items()} == {
            name: score.value for name, score in summary.scores.items()
        }
        shown = [message.content for message in sample.messages if not isinstance(message.content, str)]
        PICTURES += sum(part.type == "image" for content in shown for part in content)
    SAMPLES += len(summaries)
assert SAMPLES
assert PICTURES
print(f"{SAMPLES} samples, {PICTURES} pictures")
