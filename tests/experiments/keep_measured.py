#!/usr/bin/env python3
"""Keeps what a full run measured, for verdicts_test, and writes the counts into the pages.

    ./plica reproduce --all
    python3 tests/experiments/keep_measured.py out/reproduce
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNTS = re.compile(r"<!-- counted -->.*?<!-- end -->", re.DOTALL)


def tally_text(claims):
    """As experiments/common/report.cpp says it."""
    hold = sum(c["verdict"] == "holds" for c in claims)
    rest = sum(c["verdict"] == "not comparable today" for c in claims)
    fail = len(claims) - hold - rest
    text = f"{hold} hold{'s' if hold == 1 else ''}, {fail} {'does' if fail == 1 else 'do'} not"
    return text + (f", {rest} {'is' if rest == 1 else 'are'} not comparable today" if rest else "")


def shortened(value):
    """Twelve digits are enough for any verdict."""
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, dict):
        return {key: shortened(each) for key, each in value.items()}
    return [shortened(each) for each in value] if isinstance(value, list) else value


def keep(result):
    if result["measured"]["quick"]:
        sys.exit(f"{result['name']}: a quick run is no basis for a verdict")
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(shortened(result["measured"]).items())]
    path = ROOT / "tests/experiments/measured" / f"{result['name']}.json"
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def write_counts(page, *claims):
    path = ROOT / page
    texts = iter([tally_text(each) for each in claims])
    text, found = COUNTS.subn(lambda _: f"<!-- counted -->{next(texts)}<!-- end -->", path.read_text())
    if found != len(claims):
        sys.exit(f"{page}: {found} counts found, {len(claims)} expected")
    path.write_text(text)


def main():
    folder = pathlib.Path(sys.argv[1])
    results = [json.loads(path.read_text()) for path in sorted(folder.glob("*/result.json"))]
    for result in results:
        keep(result)
    claims = [claim for result in results for claim in result["claims"]]
    papers = [claim for claim in claims if not claim["about_plica"]]
    for page in ("README.md", "docs/papers/verdicts.md"):
        write_counts(page, papers, [claim for claim in claims if claim["about_plica"]])
    for name in ("Raghupathi", "Johnsen", "Zhong"):
        write_counts(f"docs/papers/{name.lower()}.md", [c for c in papers if c["where"].startswith(name)])


main()
