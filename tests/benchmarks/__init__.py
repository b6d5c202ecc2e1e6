"""What is measured rather than asserted: `make bench` prints tables, and writes them to docs/performance.md with --write."""
