"""Tables and lists of a page, and tables as CSV."""

import csv
import io


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def csv_text(head, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def bullets(lines):
    return "\n".join(f"- {line}" for line in lines if line) + "\n"
