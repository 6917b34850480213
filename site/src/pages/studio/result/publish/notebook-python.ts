// Python that every notebook has, whatever its model: it draws, and it predicts a file.

/** Draws FOUND, which ./notebook.ts writes above it, as SVG; the standard library is enough. */
export const drawing = String.raw`from html import escape


class Drawing:
    """A picture in SVG. A notebook shows it; save("found.svg") keeps it."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def text(x, y, words, size=14, anchor="start", fill="#1c2b2d", most=36):
    words = "".join(c for c in " ".join(words.split()) if c.isprintable())
    if len(words) > most:
        words = words[: most - 1] + "…"
    return (
        f'<text x="{x}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{fill}">{escape(words)}</text>'
    )


def draw(parts, most):
    """Bars of the differences, at most so many a part, around one zero a part."""
    left, right, width, step, soft = 270, 550, 720, 40, "#4d5c5e"
    out, y = [], 0
    for part in parts:
        rows = part["rows"][:most]
        low = min([0.0] + [row[2] for row in rows])
        high = max([0.0] + [row[2] for row in rows])
        room = 0.18 * max(high - low, 1e-12)
        low, high = low - room, high + room

        def at(value):
            share = (min(max(value, low), high) - low) / (high - low)
            return left + share * (right - left)

        if part["of"]:
            y += 34
            out.append(text(12, y, part["of"], 16, most=80))
        y += 26
        out.append(text(left, y, "less", 12, fill=soft))
        out.append(text(right, y, "more", 12, "end", soft))
        out.append(text(width - 12, y, part["scale"], 12, "end", soft, 22))
        y += 8
        zero = at(0.0)
        out.append(f'<path d="M{zero:.1f},{y}v{step * len(rows)}" stroke="{soft}"/>')
        for column, between, value, reach, shown, words, whole in rows:
            middle, x, end = y + step / 2, min(zero, at(value)), max(zero, at(value))
            fill = "#1b5e59" if value >= 0 else "#a8501a"
            look = f'fill="{fill}"' if shown else f'fill="none" stroke="{soft}" stroke-dasharray="3 2"'
            out.append(
                f'<rect x="{x:.1f}" y="{middle - 7}" width="{max(end - x, 0.75):.1f}" height="14" {look}>'
                f"<title>{escape(words)}</title></rect>"
                f'<path d="M{at(value - reach):.1f},{middle}H{at(value + reach):.1f}" stroke="{soft}"/>'
            )
            out.append(text(12, middle - 2, column))
            out.append(text(12, middle + 14, between, 12, fill=soft, most=40))
            out.append(text(width - 12, middle - 2, words, anchor="end", most=20))
            small = whole if shown else "this could be noise"
            out.append(text(width - 12, middle + 14, small, 12, "end", soft, 24))
            y += step
        if len(part["rows"]) > most:
            y += 20
            out.append(text(12, y, f"and {len(part['rows']) - most} smaller ones", 12, fill=soft))
    y += 16
    return Drawing(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" width="{width}" height="{y}" '
        'font-family="system-ui, sans-serif" role="img" aria-label="What the model found">'
        f'<rect width="{width}" height="{y}" fill="#fffefb"/>{"".join(out)}</svg>'
    )`;

/** Every row of a CSV file, by the program's predict. */
export const rows = `import csv


def predict_file(path):
    """Every record of a CSV file with its answer, or with the reason why there is none."""
    answers = []
    with open(path, newline="", encoding="utf-8-sig") as file:
        for record in csv.DictReader(file):
            try:
                answers.append((record, predict(record)))
            except ValueError as problem:
                answers.append((record, {"problem": str(problem)}))
    return answers


# predict_file("new-people.csv")`;
