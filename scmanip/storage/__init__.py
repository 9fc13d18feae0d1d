"""Files that are there as a whole or not at all, in folders that nothing leads out of."""

from ._folder import Folder as Folder
from ._manifest import Manifest as Manifest
from ._place import EntryKind as EntryKind
from ._stage import is_stage as is_stage
