#!/usr/bin/env python3
"""Draws docs/images/architecture.svg from the #include lines, and writes the sizes in docs/architecture.md.

With --check nothing is written: exits 1 when the picture has other modules or arrows than the sources, when the table
has other folders or a number that is more than a tenth off (small changes ask for no new page), or when any page of
the project names a path that is not there.
"""
import argparse
import math
import pathlib
import re
import sys
import textwrap

sys.dont_write_bytecode = True  # nothing is left beside the pages
import layered_graph  # noqa: E402

TOPS = ("src", "apps", "experiments", "bench", "include")
SPLIT = {"src", "apps", "include"}  # a module is a folder in these; the others are one module each
SOURCES = (".hpp", ".cpp", ".vert", ".frag", ".glsl")
BEGIN, END = "<!-- sizes: written by docs/draw_architecture.py -->", "<!-- end of sizes -->"
COLOURS = {"src": ("#2f5d8c", "#dbe9f7"), "apps": ("#8a4b2a", "#fbe6d8"), "include": ("#5b4a8a", "#e8e2f6")}
OTHER_COLOURS = ("#3d6b4c", "#dcefe1")
MEANING = """Lines are all lines of a file. A function is a body in braces behind a list of parameters, in a class
or not; its lines are those behind the one on which its head begins, down to the closing brace. Lambdas and
blocks belong to the function that they stand in."""


# ---------------------------------------------------------------- what the sources say

def find_files(root):
    files = [path.relative_to(root) for top in TOPS for path in (root / top).rglob("*") if path.suffix in SOURCES]
    return sorted(files, key=lambda path: (TOPS.index(path.parts[0]), path.parts))


def module_of(path):
    """Of a file or folder; "src" and the like are in none, and are called so themselves."""
    return "/".join(path.parts[:2] if set(path.parts[:1]) & SPLIT else path.parts[:1])


def find_includes(root, files):
    """Which modules each module sees: {module: set of modules}."""
    known = set(files)
    graph = {module_of(path): set() for path in files}
    for path in files:
        text = (root / path).read_text(encoding="utf-8")
        for name in re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', text, re.MULTILINE):
            for folder in (path.parent, *map(pathlib.Path, ("src", "include", "."))):
                if folder / name in known:
                    graph[module_of(path)].add(module_of(folder / name))
                    break
    return {module: seen - {module} for module, seen in graph.items()}


def drop_transitive(graph):
    """Leaves out a -> c where a -> b -> ... -> c. Raises ValueError where modules see each other in a circle."""
    reach = {}

    def reachable(module, way):
        if module in way:
            raise ValueError("modules include each other in a circle: " + " -> ".join((*way, module)))
        if module not in reach:
            reach[module] = set().union(*({next_} | reachable(next_, (*way, module)) for next_ in graph[module]))
        return reach[module]

    for module in sorted(graph):
        reachable(module, ())
    return {m: sorted(s for s in seen if not any(s in reach[o] for o in seen)) for m, seen in sorted(graph.items())}


def list_bottom_up(graph):
    """Modules of src, each behind all that it sees, then those of the other folders."""
    rows = layered_graph.find_rows(graph)
    return sorted(graph, key=lambda module: (TOPS.index(module.split("/")[0]), rows[module], module))


# ---------------------------------------------------------------- sizes

def blank(text):
    """The same lines without comments, literals and preprocessor lines."""
    literal = r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/'
    text = re.sub(literal, lambda found: "\n" * found.group().count("\n"), text, flags=re.DOTALL)
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda found: "\n" * found.group().count("\n"), text, flags=re.MULTILINE)


def without(text, pattern, instead):
    """All matches replaced, from the innermost outwards."""
    before = None
    while before != text:
        before, text = text, re.sub(pattern, instead, text)
    return text


def kind_of(head):
    """What the brace behind this text opens: a "scope" that may have functions, a "function" or a "value"."""
    head = without(re.sub(r"operator\s*(\(\)|[^\s\w(]+)", "operator", head), r"\([^()]*\)", "@")
    head = re.sub(r"^\s*template\b\s*", "", without(head, r"<[^<>]*>", "")).strip()
    if re.match(r"(namespace|class|struct|union|enum|extern)\b", head):
        return "scope"
    # A brace behind a name in a list of initialisers, T() : m_a{1}, m_b(2) {}, opens no body.
    initialiser = re.search(r"@[^:@]*(?<!:):(?!:).*\w$", head, re.DOTALL)
    return "value" if "@" not in head or "=" in head or initialiser else "function"


def function_lengths(text):
    """Of a C++ file, in lines."""
    lengths, line, began, head = [], 1, 1, ""
    braces = []  # open ones: kind, line on which the text before began, that text
    for piece in re.findall(r"[{};:\n]|[^{};:\n]+", blank(text)):
        outside = not braces or braces[-1][0] == "scope"
        line += piece == "\n"
        if piece == "{":
            braces.append((kind_of(head) if outside else "inner", began, head))
            head = ""
        elif piece == "}" and braces:
            kind, began, before = braces.pop()
            if kind == "function":
                lengths.append(line - began)
            head = before + "@" if kind == "value" else ""
        elif piece == ";" or piece == ":" and head.strip() in ("public", "private", "protected"):
            head = ""
        elif outside and (head or not piece.isspace()):
            began = began if head else line
            head += piece
    return lengths


def percentile(numbers, share):
    return sorted(numbers)[max(0, math.ceil(share * len(numbers)) - 1)]


def spread(numbers):
    return " | ".join(f"{percentile(numbers, share):,}" for share in (0.5, 0.9, 1.0))


def list_folders(files, modules):
    """Every folder with sources, modules in the given order, each before what is in it."""
    folders = {folder for path in files for folder in path.parents if module_of(folder) in modules}
    return sorted(folders, key=lambda folder: (modules.index(module_of(folder)), folder.parts))


def depth_in_module(folder):
    return len(folder.parts) - len(pathlib.Path(module_of(folder)).parts)


def write_sizes(root, files, modules):
    """The part of the page between the markers, and the markers."""
    texts = {path: (root / path).read_text(encoding="utf-8") for path in files}
    lines = {path: len(text.splitlines()) for path, text in texts.items()}
    rows = ["| folder | files | lines |", "|---|---:|---:|"]
    for folder in list_folders(files, modules):
        depth = depth_in_module(folder)
        name = "&nbsp;" * 4 * depth + f"`{folder.name if depth else folder}`"
        inside = [count for path, count in lines.items() if folder in path.parents]
        rows.append(f"| {name} | {len(inside):,} | {sum(inside):,} |")
    rows += ["", "| C++ | lines a file: median | 90 % | largest | lines a function: median | 90 % | largest |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    for name, tops in (("`src`", ["src"]), ("`src` and `apps`", ["src", "apps"])):
        measured = [path for path in files if path.parts[0] in tops and path.suffix in (".hpp", ".cpp")]
        functions = [length for path in measured for length in function_lengths(texts[path])]
        rows.append(f"| {name} | {spread([lines[path] for path in measured])} | {spread(functions)} |")
    return "\n".join([BEGIN, *rows, "", MEANING, END])


# ---------------------------------------------------------------- picture

def draw_modules(files, graph):
    notes = {}
    for folder in list_folders(files, list(graph)):
        if depth_in_module(folder) == 1:
            notes.setdefault(module_of(folder), []).append(folder.name)
    wrapped = {m: [line.replace(" ", " · ") for line in textwrap.wrap(" ".join(n), 24)] for m, n in notes.items()}
    return layered_graph.draw(graph, wrapped, lambda module: COLOURS.get(module.split("/")[0], OTHER_COLOURS),
                              "Which folder includes which")


# ---------------------------------------------------------------- command

def differences(old, new):
    """What is out of date between the markers; empty: nothing."""
    number = r"\d[\d,]*"
    if re.sub(number, "", old) != re.sub(number, "", new):
        return "folders, or the order in which they see each other, are others"
    for was, now in zip(old.splitlines(), new.splitlines()):
        for a, b in zip(re.findall(number, was), re.findall(number, now)):
            committed, counted = (int(each.replace(",", "")) for each in (a, b))
            if abs(committed - counted) > max(5, 0.1 * counted):
                return f"it says {a} where the sources have {b} in {was.replace('&nbsp;', '')}"
    return ""


def find_stale_paths(root):
    """"page: path" for what pages of the project name as a path from its root and is not there."""
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    path = rf"(?<![\w/.-])(?:{'|'.join(TOPS)}|tests|examples|scenes|docs)/[\w./*-]*\w"
    texts = {page: page.read_text(encoding="utf-8") for page in pages if page.exists()}
    named = [(page.relative_to(root), name) for page, text in texts.items() for name in re.findall(path, text)]
    return [f"{page}: {name}" for page, name in named if not any(root.glob(name))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 when something is out of date")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent,
                        help="of the checkout (default: the one that this script is in)")
    options = parser.parse_args()
    page, picture = options.root / "docs/architecture.md", options.root / "docs/images/architecture.svg"
    files = find_files(options.root)
    try:
        graph = drop_transitive(find_includes(options.root, files))
    except ValueError as error:
        return str(error)
    svg = draw_modules(files, graph)
    text = page.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        return f"{page}: expected the lines {BEGIN} and {END}, each once"
    begin, end = text.index(BEGIN), text.index(END) + len(END)
    sizes = write_sizes(options.root, files, list_bottom_up(graph))
    if not options.check:
        picture.write_text(svg, encoding="utf-8")
        page.write_text(text[:begin] + sizes + text[end:], encoding="utf-8")
        return 0
    stale = differences(text[begin:end], sizes)
    if stale:
        return f"{page} is out of date: {stale}. Run docs/draw_architecture.py"
    if not picture.exists() or picture.read_text(encoding="utf-8") != svg:
        return f"{picture} is out of date: modules or arrows are others. Run docs/draw_architecture.py"
    gone = find_stale_paths(options.root)
    return "Paths that are not there:\n" + "\n".join(gone) if gone else 0


if __name__ == "__main__":
    sys.exit(main())
