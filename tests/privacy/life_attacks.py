"""What becomes of a release: renames, new ids, second outputs, planted rows, the order of rows.

Each attack runs the command as an owner would, on the dating profiles, and reads what is served. A build
that refuses gives nothing away: its sentence is the figure.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import product
from tables import HERE, People, ids_of, load, write_csv

POLICY = HERE / "policies" / "okcupid-careful.toml"


@dataclass
class Outcome:
    attack: str
    figure: str


def people(rows: int) -> People:
    return load("okcupid", POLICY).pick(np.arange(rows))


class Place:
    """A folder with a table, its policy and a key; builds go beside each other."""

    def __init__(self, folder: Path, table: People, policy: str | None = None, seed: int = 5):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        self.folder, self.table = folder, table
        self.policy = folder / "policy.toml"
        self.policy.write_text(policy or POLICY.read_text())
        self.key = product.new_key(folder / "a.key", seed)

    def csv(self, rows: list[list[str]] | None = None, ids: list[str] | None = None) -> Path:
        path = self.folder / "table.csv"
        write_csv(self.table, path, ids)
        if rows is not None:
            write_rows(path, rows)
        return path

    def rows(self) -> list[list[str]]:
        return read_rows(self.csv())

    def build(
        self,
        name: str,
        *flags,
        rows=None,
        ids=None,
        key: Path | None = None,
        policy: Path | None = None,
    ):
        """(index, refusal): one of them is none."""
        index = self.folder / f"{name}.rankveil"
        done = product.protect(
            self.csv(rows, ids), policy or self.policy, key or self.key, index, *flags, check=False
        )
        return (
            (index, None) if done.returncode == 0 else (None, done.stderr.strip().splitlines()[-1])
        )


def read_rows(path: Path) -> list[list[str]]:
    with open(path, newline="") as file:
        return list(csv.reader(file))


def write_rows(path: Path, rows: list[list[str]]) -> None:
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows(rows)


def shown_by_id(index: Path, key: Path) -> dict[str, list[str]]:
    """What rows show, in the order of private columns; empty where nothing."""
    lines = product.run(product.release_lab(), index, key).stdout.splitlines()
    return {row[0]: row[3::2] for row in csv.reader(lines[1:])}


def changed(before: dict[str, list[str]], after: dict[str, list[str]]) -> set[str]:
    """Rows that showed something and show nothing in some column now: anybody with both indexes sees it."""
    return {
        name
        for name, old in before.items()
        if name in after and any(was and not now for was, now in zip(old, after[name]))
    }


# ---- Line 2: renamed and merged values, moved edges ----


def withdrawn_by(
    place: Place, edit, what: str, column: str, values: set[str], policy: str | None = None
) -> Outcome:
    index, refusal = place.build("a")
    if refusal:
        return Outcome(what, f"first build refused: {refusal}")
    before = shown_by_id(index, place.key)
    rows = place.rows()
    at = rows[0].index(column)
    holders = {row[0] for row in rows[1:] if row[at] in values}
    edited = [rows[0]] + [edit(list(row), at) for row in rows[1:]]
    if policy:
        place.policy.write_text(policy)
    index, refusal = place.build("a", rows=edited)
    if refusal:
        return Outcome(what, f"refused: {refusal}")
    gone = changed(before, shown_by_id(index, place.key))
    return Outcome(
        what,
        f"{len(gone & holders)} of {len(holders)} holders withdrawn, {len(gone - holders)} others",
    )


def rename(mapping: dict[str, str]):
    def edit(row, at):
        row[at] = mapping.get(row[at], row[at])
        return row

    return edit


def line2(folder: Path, rows: int) -> list[Outcome]:
    table, found = people(rows), []
    to = {"catholicism": "catholic"}
    found.append(
        withdrawn_by(Place(folder, table), rename(to), "renamed value", "religion", set(to))
    )
    declared = POLICY.read_text() + '\n[column.religion.renamed]\n"catholicism" = "catholic"\n'
    found.append(
        withdrawn_by(
            Place(folder, table), rename(to), "renamed, and declared", "religion", set(to), declared
        )
    )
    to = {"catholicism": "christian", "christianity": "christian"}
    found.append(
        withdrawn_by(Place(folder, table), rename(to), "merged values", "religion", set(to))
    )
    found.append(moved_edges(folder, table))
    return found


def moved_edges(folder: Path, table: People) -> Outcome:
    """Incomes as numbers, in bins whose edge moves from 45 to 35 thousand."""
    column = '[column.income]\nrole = "private"\n'
    edges = POLICY.read_text().replace(column, column + "bins = { edges = [25, 45, 90] }\n")
    place = Place(folder, table, edges)
    rows = place.rows()
    at = rows[0].index("income")

    def as_number(row, at):
        row[at] = row[at].removesuffix("k").replace("1m", "1000").replace("undisclosed", "5")
        return row

    numbers = [rows[0]] + [as_number(list(row), at) for row in rows[1:]]
    index, refusal = place.build("a", rows=numbers)
    if refusal:
        return Outcome("moved edge", f"first build refused: {refusal}")
    before = shown_by_id(index, place.key)
    holders = {row[0] for row in numbers[1:] if 35 <= float(row[at]) < 45}
    place.policy.write_text(edges.replace("25, 45, 90", "25, 35, 90"))
    index, refusal = place.build("a", rows=numbers)
    if refusal:
        return Outcome("moved edge", f"refused: {refusal}")
    gone = changed(before, shown_by_id(index, place.key))
    return Outcome(
        "moved edge",
        f"{len(gone & holders)} of {len(holders)} holders withdrawn, {len(gone - holders)} others",
    )


# ---- Lines 3 and 4: the same people twice ----


def agreement(place: Place, first: dict, second: dict, name_in_second: dict[str, str]) -> str:
    """Of (row, column) pairs that show the same in both, how many show their own; and of all others."""
    rows = place.rows()
    at = [rows[0].index(place.table.names[j]) for j in place.table.private]
    equal, other = [], []
    vectors = []
    for row in rows[1:]:
        a, b = first.get(row[0]), second.get(name_in_second[row[0]])
        if a is None or b is None or len(a) != len(b):
            continue
        own = [row[i] for i in at]
        for x, y, z in zip(a, b, own):
            if x and y:
                (equal if x == y else other).append(x == z)
        if all(a) and a == b:
            vectors.append(a == own)
    return (
        f"{len(equal)} pairs agree, own in {share(equal)}; {len(other)} differ, own in {share(other)}; "
        f"{len(vectors)} whole vectors agree, own in {share(vectors)}"
    )


def share(found: list[bool]) -> str:
    return f"{np.mean(found):.3f}" if found else "-"


def line3(folder: Path, rows: int) -> list[Outcome]:
    place = Place(folder, people(rows))
    index, refusal = place.build("a")
    if refusal:
        return [Outcome("new ids", f"first build refused: {refusal}")]
    first = shown_by_id(index, place.key)
    renamed = {name: f"q{name[1:][::-1]}" for name in ids_of(place.table)}
    index, refusal = place.build("a", ids=list(renamed.values()))
    if refusal:
        return [Outcome("new ids", f"refused: {refusal}")]
    return [Outcome("new ids", agreement(place, first, shown_by_id(index, place.key), renamed))]


def line4(folder: Path, rows: int) -> list[Outcome]:
    """The second output's sentence stands for a refusal. Few public columns, so that old groups differ."""
    place = Place(folder, people(rows), only_public("sex", "age", "job"))
    index, refusal = place.build("first")
    if refusal:
        return [Outcome("second output", f"first build refused: {refusal}")]
    first, same = shown_by_id(index, place.key), {name: name for name in ids_of(place.table)}
    found = [Outcome("once", agreement(place, first, first, same))]
    fewer, more = place.folder / "fewer.toml", place.folder / "more.toml"
    fewer.write_text(only_public("sex", "age"))
    more.write_text(only_public("sex", "age", "job", "edu_level"))
    other_key = product.new_key(place.folder / "b.key", 6)
    for what, flags, given in (
        ("monthly file name", (), {}),
        ("fewer public columns", (), {"policy": fewer}),
        ("one more public column", (), {"policy": more}),
        ("l = 5 beside 3", ("--l", 5), {}),
        ("l = 2 beside 3", ("--l", 2), {}),
        ("second key", (), {"key": other_key}),
    ):
        index, refusal = place.build(what.replace(" ", "-"), *flags, **given)
        if refusal:
            found.append(Outcome(what, f"refused: {refusal}"))
            continue
        second = shown_by_id(index, given.get("key", place.key))
        found.append(Outcome(what, agreement(place, first, second, same)))
    return found


def only_public(*names: str) -> str:
    """The careful policy with these public columns alone, and no ladder."""
    parts = POLICY.read_text().split("\n[column.")
    kept = [parts[0].split("ladder")[0] + "\n"]
    for part in parts[1:]:
        if 'role = "public"' not in part or part.split("]")[0] in names:
            kept.append(part)
    return "\n[column.".join(kept)


# ---- Line 5: planted rows ----


def line5(folder: Path, rows: int, victims: int = 60) -> list[Outcome]:
    found = []
    for around in (20, 110):
        for established in (False, True):
            found.append(planted(folder, people(rows), victims, around, established))
    return found + [
        steered(folder, people(rows), victims, established) for established in (False, True)
    ]


def planted(folder: Path, table: People, victims: int, around: int, established: bool) -> Outcome:
    """Around each victim rows with its public values and one known vector: whatever else these show, and is
    shown by nobody else they know, is the victim's."""
    what = f"{around} rows around {victims} victims" + (", established" if established else "")
    rule = 'established = { column = "known", is = "yes" }\n' if established else ""
    text = POLICY.read_text().replace("\n[column.id]", rule + "\n[column.id]", 1)
    text += '\n[column.known]\nrole = "ignored"\n'
    place = Place(folder, table, text)
    rows = [row + ["known" if i == 0 else "yes"] for i, row in enumerate(place.rows())]
    at = [rows[0].index(table.names[j]) for j in table.private]
    chosen = rows[1 : victims + 1]
    common = [
        max(set(column), key=column.count) for column in ([row[i] for row in rows[1:]] for i in at)
    ]
    plants: dict[str, list[str]] = {}
    for victim in chosen:
        plants[victim[0]] = []
        for n in range(around):
            row = list(victim)
            row[0], row[-1] = f"{victim[0]}-{n}", "no"
            for i, value in zip(at, common):
                row[i] = value
            rows.append(row)
            plants[victim[0]].append(row[0])
    index = place.folder / "a.rankveil"
    done = product.protect(place.csv(rows), place.policy, place.key, index, check=False)
    if done.returncode != 0:
        return Outcome(what, f"refused: {done.stderr.strip().splitlines()[-1]}")
    shown = shown_by_id(index, place.key)
    right: list[bool] = []
    itself: list[bool] = []  # for comparison: the victim shows the value
    for victim in chosen:
        for i, column in enumerate(at):
            if victim[column] == common[i]:
                continue
            itself.append(shown[victim[0]][i] == victim[column])
            told = stranger(
                [shown[name][i] for name in plants[victim[0]]], shown[victim[0]][i], common[i]
            )
            if told:
                right.append(told == victim[column])
    warned = "warned" if "plant" in done.stderr + done.stdout else "no warning"
    return Outcome(
        what,
        f"{sum(right)} right of {len(right)} told, {len(itself)} values; "
        f"shown by the victim itself: {share(itself)}; {warned}",
    )


def steered(folder: Path, table: People, victims: int, established: bool) -> Outcome:
    """Plants against the model: rows with a rare job of the victim's own, and one drink. Somebody who moved
    would show that drink; who shows another kept theirs."""
    what = f"60 rows with each of {victims} rare jobs" + (", established" if established else "")
    rule = 'established = { column = "known", is = "yes" }\n' if established else ""
    text = POLICY.read_text().replace("\n[column.id]", rule + "\n[column.id]", 1)
    place = Place(folder, table, text + '\n[column.known]\nrole = "ignored"\n')
    rows = [row + ["known" if i == 0 else "yes"] for i, row in enumerate(place.rows())]
    job, drinks = rows[0].index("job"), rows[0].index("drinks")
    chosen = [row for row in rows[1:] if row[drinks] != "very_often"][:victims]
    for n, victim in enumerate(chosen):
        victim[job] = f"rare-{n}"
        for plant in range(60):
            row = list(victim)
            row[0], row[drinks], row[-1] = f"{victim[0]}-{plant}", "very_often", "no"
            rows.append(row)
    index = place.folder / "a.rankveil"
    done = product.protect(place.csv(rows), place.policy, place.key, index, check=False)
    if done.returncode != 0:
        return Outcome(what, f"refused: {done.stderr.strip().splitlines()[-1]}")
    shown = shown_by_id(index, place.key)
    at = [table.names[j] for j in table.private].index("drinks")
    others = [
        shown[row[0]][at] == row[drinks]
        for row in chosen
        if shown[row[0]][at] not in ("", "very_often")
    ]
    usual = [
        shown[row[0]][at] == row[drinks]
        for row in rows[1:]
        if row[0] in shown and "-" not in row[0] and row[job][:5] != "rare-"
        if row[drinks] != "very_often" and shown[row[0]][at] not in ("", "very_often")
    ]
    return Outcome(
        what,
        f"{len(others)} show another drink, their own in {share(others)}; of people not surrounded {share(usual)}",
    )


def stranger(plants: list[str], victim: str, common: str) -> str | None:
    """The one value in the group that no plant brought: the victim's, if they only trade among each other."""
    if not any(plants):
        return None
    strange = [value for value in [*plants, victim] if value and value != common]
    return strange[0] if len(strange) == 1 else None


# ---- Line 6: the order of rows, and ids ----


def line6(folder: Path, rows: int) -> list[Outcome]:
    table = people(rows)
    religion = table.names.index("religion")
    table = table.pick(np.argsort(table.codes[:, religion], kind="stable"))
    shuffled = [f"z{n:06d}" for n in np.random.default_rng(3).permutation(rows)]
    found = []
    for what, ids in (
        ("table in order of religion", shuffled),
        ("ids in order of religion", ids_of(table)),
    ):
        place = Place(folder, table)
        index, refusal = place.build("a", ids=ids)
        if refusal:
            found.append(Outcome(what, f"refused: {refusal}"))
            continue
        served = list(shown_by_id(index, place.key))
        order = served if ids is shuffled else sorted(served)
        found.append(Outcome(what, order_gain(table, religion, ids, order)))
    return found


def order_gain(table: People, column: int, ids: list[str], order: list[str]) -> str:
    """Guesses by place, from counts alone: how often right beyond guessing the commonest value."""
    row_of = {name: i for i, name in enumerate(ids)}
    true = np.array([table.codes[row_of[name], column] for name in order])
    guess = np.sort(true)
    right, base = (guess == true).mean(), np.bincount(true).max() / len(true)
    return f"{right:.3f} right, {base:.3f} without; gain {(right - base) / (1 - base):.3f}"
