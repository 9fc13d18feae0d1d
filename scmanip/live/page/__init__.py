"""The page: who may open it, what it draws, and what its switches do."""
