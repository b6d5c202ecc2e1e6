"""Looking at a step without changing it: taps, samples, recorded solves, solving again, forks."""
