"""Draws a graph without circles as SVG: nodes in rows, all arrows downwards.

Rows, then the order in each row by the mean place of neighbours (Sugiyama et al. 1981), then places, then curves. An
arrow over several rows passes those between at a place of its own.
"""
import html
import math
import random

ROW_GAP, BOX_GAP, PORT_GAP = 46, 26, 16  # px
TITLE, NOTE, NOTE_LINE = 15, 11.5, 15  # px: sizes of text, and from one line of notes to the next
LETTER = 0.6  # width of a letter over its size, of the usual monospaced fonts
ARROW = "#8791a0"  # seen on white and on black
FONT = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"


class Box:
    """A node, or, without a title, the place at which an arrow passes a row."""

    def __init__(self, row, title="", notes=()):
        self.row, self.title, self.notes = row, title, notes
        self.x, self.up, self.down = 0.0, [], []  # middle; neighbours in the rows above and below
        letters = [TITLE * len(title), *(NOTE * len(note) for note in notes)]
        self.width = LETTER * max(letters) + 28 if title else 10
        self.height = 34 + NOTE_LINE * len(notes) if title else 0


def find_rows(graph):
    """{node: row}, 0 the lowest: above all it points to. What points to nothing is right below its users."""
    rows = {}
    while len(rows) < len(graph):
        ready = {node: to for node, to in graph.items() if node not in rows and rows.keys() >= set(to)}
        rows |= {node: 1 + max((rows[other] for other in to), default=-1) for node, to in ready.items()}
    for node, to in graph.items():
        users = [rows[other] for other in graph if node in graph[other]]
        if users and not to:
            rows[node] = min(users) - 1
    return rows


def lay_out(graph, notes):
    """Boxes by row, and each arrow as its boxes from the top down."""
    row_of = find_rows(graph)
    nodes = {node: Box(row_of[node], node, notes.get(node, ())) for node in graph}
    rows = [[nodes[node] for node in graph if row_of[node] == row] for row in range(max(row_of.values()) + 1)]
    arrows = []
    for node, to in graph.items():
        for other in to:
            passed = [Box(row) for row in range(row_of[node] - 1, row_of[other], -1)]
            for box in passed:
                rows[box.row].append(box)
            arrows.append([nodes[node], *passed, nodes[other]])
            for upper, lower in zip(arrows[-1], arrows[-1][1:]):
                upper.down.append(lower)
                lower.up.append(upper)
    for row in rows:
        tallest = max(box.height for box in row)
        for box in row:
            box.height = box.height or tallest  # arrows pass upright
    put_in_order(rows)
    for sweep in range(60):
        for row in rows if sweep % 2 else reversed(rows):
            place(row)
    return rows, arrows


def mean_x(boxes):
    return math.fsum(box.x for box in boxes) / len(boxes)  # the same bits from every Python


def put_in_order(rows):
    """Sorts rows by their neighbours, upwards and downwards in turns, from many orders; keeps the tidiest."""
    random_numbers = random.Random(1)
    least, best = (math.inf,), []
    for _ in range(60):
        for row in rows:
            row.sort(key=lambda _: random_numbers.random())
            space_evenly(row)
        for sweep in range(6):
            for row in rows if sweep % 2 else reversed(rows):
                row.sort(key=lambda box: mean_x((box.down if sweep % 2 else box.up) or box.up or box.down or [box]))
                space_evenly(row)
            found = measure_disorder(rows)
            if found < least:
                least, best = found, [list(row) for row in rows]
    for row, ordered in zip(rows, best):
        row[:] = ordered
        space_evenly(row)


def space_evenly(row):
    for i, box in enumerate(row):
        box.x = i - 0.5 * (len(row) - 1)


def measure_disorder(rows):
    """Crossings of arrows; then how far these go sideways."""
    ways = [[(box.x, lower.x) for box in row for lower in box.down] for row in rows]
    crossings = sum(a < c and b > d for row in ways for a, b in row for c, d in row)
    return crossings, sum(abs(a - b) for row in ways for a, b in row)


def place(row):
    """As near to the mean of their neighbours as order and gaps allow: boxes that meet go on as one block."""
    blocks = []  # where the first box goes; boxes; their places from the first one's
    for box in row:
        blocks.append((mean_x(box.up + box.down or [box]), [box], [0.0]))
        while len(blocks) > 1:
            (x, boxes, offsets), (next_x, next_boxes, next_offsets) = blocks[-2:]
            width = offsets[-1] + 0.5 * (boxes[-1].width + next_boxes[0].width) + BOX_GAP
            if x + width <= next_x:
                break
            x = (len(boxes) * x + len(next_boxes) * (next_x - width)) / (len(boxes) + len(next_boxes))
            blocks[-2:] = [(x, boxes + next_boxes, offsets + [width + each for each in next_offsets])]
    for x, boxes, offsets in blocks:
        for box, offset in zip(boxes, offsets):
            box.x = x + offset


def port(box, neighbours, neighbour):
    """Where on a box's side the arrow to one of its neighbours stands."""
    order = sorted(neighbours, key=lambda each: each.x)
    return box.x + PORT_GAP * (order.index(neighbour) - 0.5 * (len(order) - 1))


def draw_arrow(way, middle):
    path = ""
    for upper, lower in zip(way, way[1:]):
        x, y = port(upper, upper.down, lower), middle[upper.row] + 0.5 * upper.height
        to_x, to_y = port(lower, lower.up, upper), middle[lower.row] - 0.5 * lower.height
        half = 0.5 * (y + to_y)
        path += f"{'L' if path else 'M'}{x:.0f} {y:.0f}C{x:.0f} {half:.0f} {to_x:.0f} {half:.0f} {to_x:.0f} {to_y:.0f}"
    return f'<path d="{path}"/>'


def draw_box(box, middle, colours):
    dark, light = colours
    x, top = f"{box.x:.0f}", middle - 0.5 * box.height
    out = [f'<g fill="{dark}"><rect x="{box.x - 0.5 * box.width:.0f}" y="{top:.0f}" width="{box.width:.0f}" '
           f'height="{box.height:.0f}" rx="7" fill="{light}" stroke="{dark}" stroke-width="1.4"/>',
           f'<text x="{x}" y="{top + 22:.0f}" font-size="{TITLE}" font-weight="600">{html.escape(box.title)}</text>']
    for i, note in enumerate(box.notes):
        y = top + 38 + NOTE_LINE * i
        out.append(f'<text x="{x}" y="{y:.0f}" font-size="{NOTE}">{html.escape(note)}</text>')
    return "\n".join(out) + "</g>"


def draw(graph, notes, colours, title):
    """graph: {node: nodes that it points to}; notes: {node: lines below its name}; colours: node -> (dark, light)."""
    rows, arrows = lay_out(graph, notes)
    boxes = [box for row in rows for box in row]
    left = min(box.x - 0.5 * box.width for box in boxes) - 4
    width = max(box.x + 0.5 * box.width for box in boxes) + 4 - left
    middle, height = {}, 4  # of each row; down to the row
    for row in reversed(rows):
        tallest = max(box.height for box in row)
        middle[row[0].row] = height + 0.5 * tallest
        height += tallest + ROW_GAP
    height += 4 - ROW_GAP
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
           f'viewBox="{left:.0f} 0 {width:.0f} {height:.0f}" font-family="{FONT}" text-anchor="middle">',
           f"<title>{html.escape(title)}</title>",
           '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" orient="auto" '
           f'markerUnits="userSpaceOnUse"><path d="M0 0 8 4 0 8 2 4z" fill="{ARROW}"/></marker>',
           f'<g fill="none" stroke="{ARROW}" stroke-width="1.6" marker-end="url(#tip)">']
    out += [draw_arrow(way, middle) for way in arrows] + ["</g>"]
    out += [draw_box(box, middle[box.row], colours(box.title)) for box in boxes if box.title]
    return "\n".join([*out, "</svg>", ""])
