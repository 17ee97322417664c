#!/usr/bin/env python3
"""docs/architecture.md and its picture say what the sources are; and it is seen when they do not."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs/draw_architecture.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPT.parent))
import draw_architecture  # noqa: E402


def check(root):
    command = [sys.executable, SCRIPT, "--check", "--root", root]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


class Page(unittest.TestCase):
    def test_is_up_to_date(self):
        self.assertEqual(check(ROOT), (0, ""))


class Controls(unittest.TestCase):
    """A checkout of which src, docs and README.md can be changed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for entry in ROOT.iterdir():
            if entry.name in ("src", "docs"):
                shutil.copytree(entry, self.root / entry.name)
            elif entry.name == "README.md":
                shutil.copy(entry, self.root)
            elif not entry.name.startswith("."):
                (self.root / entry.name).symlink_to(entry)

    def change(self, name, pattern, instead):
        path = self.root / name
        text, count = re.subn(pattern, instead, path.read_text(encoding="utf-8"), count=1)
        self.assertEqual(count, 1)
        path.write_text(text, encoding="utf-8")

    def assert_seen(self, message):
        status, said = check(self.root)
        self.assertEqual(status, 1)
        self.assertIn(message, said)

    def test_the_copy_is_good(self):
        self.assertEqual(check(self.root), (0, ""))

    def test_a_few_lines_more_are_left_alone(self):
        self.change("src/core/hash.hpp", "#pragma once", "#pragma once\n\n\n")
        self.assertEqual(check(self.root), (0, ""))

    def test_a_wrong_number(self):
        self.change("docs/architecture.md", r"\| `src/core` \| [\d,]+ \|", "| `src/core` | 99 |")
        self.assert_seen("it says 99 where the sources have")

    def test_a_new_folder(self):
        (self.root / "src/core/attic").mkdir()
        (self.root / "src/core/attic/box.hpp").write_text("#pragma once\n", encoding="utf-8")
        self.assert_seen("folders, or the order")

    def test_a_new_arrow(self):
        self.change("src/audit/audit.hpp", "#pragma once", '#pragma once\n#include "tissue/load.hpp"')
        self.assert_seen("modules or arrows are others")

    def test_a_circle(self):
        self.change("src/core/hash.hpp", "#pragma once", '#pragma once\n#include "engine/world.hpp"')
        self.assert_seen("in a circle")

    def test_a_path_that_is_not_there(self):
        self.change("README.md", "^", "`src/core/attic.hpp`\n")
        self.assert_seen("README.md: src/core/attic.hpp")


class Functions(unittest.TestCase):
    def test_lengths(self):
        text = """
        namespace a {
        template <class T = int>
        struct S : Base<T> {  // int not_one() {
        public:
            S() : m_x{1}, m_y(2) {}
            bool operator()(int n = 3) const {
                if (n) { return true; }
                return [] { return "{"; }() != nullptr;
            }
            int m_x{0};
        };
        const int table[] = {1, 2};
        const auto lambda = [](int) {
        };
        #define BRACE {
        double far(std::span<const double> values,
                   int n) {
            return n;
        }
        }
        """
        self.assertEqual(draw_architecture.function_lengths(text), [0, 3, 3])


if __name__ == "__main__":
    unittest.main()
