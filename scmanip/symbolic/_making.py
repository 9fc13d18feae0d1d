"""One at a time records and compiles programs, and nobody forks meanwhile."""

from __future__ import annotations

import os
import sys
import threading

# One for the whole process: LLVM has a lock of its own, which a process forked in the middle would find closed for ever.
MAKING = threading.RLock()

if sys.platform != "win32":  # which has no fork
    os.register_at_fork(before=MAKING.acquire, after_in_parent=MAKING.release, after_in_child=MAKING.release)
