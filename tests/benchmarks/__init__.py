"""Speed, operation counts and accuracy, measured beside Pinocchio and MuJoCo: `python -m tests.benchmarks`."""
