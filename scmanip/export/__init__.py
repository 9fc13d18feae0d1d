"""Programs as source text of other languages, to leave with. Knows no mechanics."""

from ._code import Code as Code
from ._code import code as code
from ._languages import LANGUAGES as LANGUAGES
from ._names import function_name as function_name
from ._names import is_plain as is_plain
