"""The parts of the phone besides its screen: battery, radios, sensors, position, calls and storage."""
