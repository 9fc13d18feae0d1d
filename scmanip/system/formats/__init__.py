"""System files of other tools: what each kind of file says, as the tables of a system file with the place of each."""
