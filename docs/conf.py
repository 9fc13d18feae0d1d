"""The documentation site: `sphinx-build -W --keep-going -b html docs build/site`, without a network."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "site"))

import scmanip

project = "scmanip"
author = copyright = "The scmanip developers"
release = version = scmanip.__version__

extensions = ["myst_nb", "sphinx_design", "sphinx_copybutton", "made_at_build", "mathml"]
exclude_patterns = ["site"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_inline"]
myst_dmath_allow_digits = myst_dmath_allow_space = False
myst_heading_anchors = 4
nb_execution_mode = "off"  # notebooks are stored executed
nb_ipywidgets_js = {}
nb_merge_streams = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
python_use_unqualified_type_names = True
toc_object_entries = False
html_math_renderer = "mathml"

html_theme = "pydata_sphinx_theme"
html_title = "scmanip"
html_static_path = ["site/static"]
html_css_files = ["scmanip.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"generated/gallery": [], "validation": []}
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
}
