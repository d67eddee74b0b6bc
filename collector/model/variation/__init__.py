"""What a variation makes of a virtual phone, as frozen values, and how keys are merged."""
