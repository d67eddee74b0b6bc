"""Ask agents the steps of golden trajectories offline, and compare their answers with what was done there."""
