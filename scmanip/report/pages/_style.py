"""How the page looks."""

STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.45 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; border-bottom: 1px solid #ccc; }
.subtitle { color: #555; margin: 0.2rem 0 1rem; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; font-size: 0.9rem; }
a { color: #0b5394; }
table { border-collapse: collapse; width: 100%; margin: 0.8rem 0; font-size: 0.88rem; }
caption { text-align: left; color: #555; padding-bottom: 0.3rem; }
th, td { text-align: left; padding: 0.25rem 0.7rem 0.25rem 0; border-bottom: 1px solid #e3e3e3; vertical-align: top;
  overflow-wrap: break-word; font-variant-numeric: tabular-nums; }
th { border-bottom: 2px solid #999; overflow-wrap: normal; white-space: nowrap; }
#phases th, .many th { white-space: normal; } #designs th { overflow-wrap: anywhere; min-width: 5.5em; }
.many { font-size: 0.84rem; } .many th, .many td { padding-right: 0.45rem; } .short { white-space: nowrap; }
.good { color: #14692f; font-weight: 600; } .bad { color: #b00020; font-weight: 700; }
.open, .unasked { color: #8a5a00; font-weight: 600; }
header p.good, header p.bad, header p.open, header p.unasked { font-size: 1.05rem; padding: 0.5rem 0.8rem;
  border-left: 4px solid currentColor; background: #f6f6f6; }
main { overflow-x: auto; }
figure { margin: 1rem 0; } img { width: 100%; height: auto; }
.playback iframe { width: 100%; height: 34rem; border: 1px solid #ccc; box-sizing: border-box; }
pre { background: #f6f6f6; padding: 0.5rem 0.8rem; overflow-x: auto; font-size: 0.85rem; }
.formulas td { border: 0; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; } nav, .playback, .playback + p { display: none; }
  .many th, #designs th { overflow-wrap: anywhere; min-width: 0; }
  h2 { break-after: avoid; } figure, tr { break-inside: avoid; } thead { display: table-header-group; }
}
"""
