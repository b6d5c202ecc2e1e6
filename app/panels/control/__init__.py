"""What moves actuators: sliders, signal generators and controller files."""
