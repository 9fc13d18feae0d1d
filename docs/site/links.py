"""Look at all links of a built site without a network: `python docs/site/links.py build/site`.

Files and places within the site must be there; what leads outside is listed in `external-links.txt` beside it, not followed.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """Links and places of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names and where it leads."""
        for key, value in attrs:
            if key == "id" or (tag == "a" and key == "name"):
                self.places.add(value or "")
            elif key in {"href", "src"} and value and tag != "base":
                self.links.append(value)


def main(folder: str) -> int:
    """Return 1 where a link leads nowhere."""
    site = Path(folder).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html") if "_static" not in path.parts}
    wrong, outside, looked = [], set(), 0
    for path, page in pages.items():
        for link in set(page.links):
            parts = urlsplit(link)
            if parts.scheme in {"http", "https", "mailto"} or parts.netloc:
                outside.add(link)
                continue
            if parts.scheme:  # data
                continue
            looked += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                wrong.append(f"{path.relative_to(site)}: no file {link}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                wrong.append(f"{path.relative_to(site)}: no place {link}")
    (site / "external-links.txt").write_text("".join(f"{link}\n" for link in sorted(outside)), encoding="utf-8")
    sys.stdout.write(f"{len(pages)} pages, {looked} links within, {len(wrong)} wrong, {len(outside)} links outside\n")
    sys.stderr.write("".join(f"{line}\n" for line in sorted(wrong)))
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
