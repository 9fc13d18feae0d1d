"""What cells of a notebook show: tables of what things hold, and what is waited for."""

from ._table import cards as cards
from ._table import html_table as html_table
from ._waiting import waiting as waiting
