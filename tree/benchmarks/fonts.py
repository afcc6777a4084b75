"""Makes the fonts of the pages: STIX Two Text and STIX Two Math, cut down to what European mathematics needs.

The fonts come from the npm registry. fonttools and brotli are needed here only; the pages use the files that this
script has written.

    npm pack @fontsource/stix-two-text @fontsource/stix-two-math   # then unpack both archives
    python benchmarks/fonts.py TEXT_PACKAGE MATH_PACKAGE src/naturalproofs/data/fonts
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter, load_font, save_font

FACES = {"400-normal": "", "400-italic": "-italic", "600-normal": "-bold"}
SCRIPTS = ("latin", "latin-ext", "greek", "cyrillic")
EXTENDED = range(0x100, 0x180)
"""Of Latin Extended, the letters of European languages."""
MATHEMATICS = (
    (0x20, 0x7E), (0xA0, 0xFF), (0x131, 0x131), (0x237, 0x237), (0x2C6, 0x2DD), (0x300, 0x338), (0x391, 0x3F6),
    (0x2010, 0x2057), (0x20D0, 0x20EF), (0x2100, 0x214F), (0x2190, 0x22FF), (0x2300, 0x2335), (0x239B, 0x23BF),
    (0x23D0, 0x23E1), (0x25A0, 0x25FF), (0x2605, 0x2606), (0x2660, 0x266F), (0x2713, 0x2720), (0x27C0, 0x27FF),
    (0x2900, 0x297F), (0x2980, 0x29FF), (0x2A00, 0x2AFF), (0x2B00, 0x2B11), (0x1D400, 0x1D7FF),
)  # fmt: skip
LEFT_OUT = ("aalt", "ss", "cv", "salt", "onum", "pnum", "tnum", "smcp", "c2sc", "case", "frac", "numr", "dnom", "sups")
"""Features of the maths font that no formula of the pages asks for."""


def cut(source: Path, target: Path, points: set[int] | None, *, maths: bool = False) -> None:
    """Write a font with these characters; all that it has if None."""
    options = Options()
    options.flavor, options.hinting, options.drop_tables = "woff2", False, [*options.drop_tables, "DSIG"]
    options.layout_features = ["*"]
    font = load_font(str(source), options)
    if maths:
        found = {
            record.FeatureTag for name in ("GSUB", "GPOS") for record in font[name].table.FeatureList.FeatureRecord
        }
        options.layout_features = sorted(tag for tag in found if not tag.startswith(LEFT_OUT))
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=points if points is not None else set(font.getBestCmap()))
    subsetter.subset(font)
    if maths and "MATH" not in font:
        raise SystemExit("the maths font has lost its table MATH")
    save_font(font, str(target), options)
    print(f"{target.name:34}{target.stat().st_size:>9,}")


def main(text: Path, maths: Path, folder: Path) -> None:
    """Write all fonts, and the style sheet that names them."""
    ranges = json.loads((text / "unicode.json").read_text())
    rules = []
    for face, ending in FACES.items():
        weight, style = face.split("-")
        for script in SCRIPTS:
            name = f"stix-text{ending}-{script}.woff2"
            points = set(EXTENDED) if script == "latin-ext" else None
            cut(text / "files" / f"stix-two-text-{script}-{face}.woff2", folder / name, points)
            covered = "U+0100-017F" if script == "latin-ext" else ranges[script]
            weights = "600 700" if weight == "600" else weight
            rules.append(
                f'@font-face {{ font-family: "STIX Two Text"; font-style: {style}; font-weight: {weights}; '
                f'font-display: swap; src: url("{name}") format("woff2"); unicode-range: {covered}; }}\n'
            )
    points = {point for first, last in MATHEMATICS for point in range(first, last + 1)}
    cut(maths / "files" / "stix-two-math-latin-400-normal.woff2", folder / "stix-math.woff2", points, maths=True)
    rules.append(
        '@font-face { font-family: "STIX Two Math"; font-display: swap; '
        'src: url("stix-math.woff2") format("woff2"); }\n'
    )
    (folder / "fonts.css").write_text("".join(rules))
    print(f"{'together':34}{sum(file.stat().st_size for file in folder.glob('*.woff2')):>9,}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
