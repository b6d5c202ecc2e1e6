"""What all of physics rests on: archives from anywhere, files that are whole, a clock for kernels, machine code by name."""
