"""A pool of threads for compiled code: atomic counters, semaphores, and sharing islands out."""
