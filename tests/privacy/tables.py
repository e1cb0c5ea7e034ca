"""Tables of people as the attackers hold them: columns of codes, cut into rows of the release, rows of
other releases, and rows of other people to learn from."""

from __future__ import annotations

import csv
import gzip
import os
import tomllib
from bisect import bisect_right
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def data_folder() -> Path | None:
    """RANKVEIL_DATA, or ../shared/data beside the checkout."""
    named = os.environ.get("RANKVEIL_DATA")
    folders = [Path(named)] if named else []
    folders += [parent / "shared" / "data" for parent in HERE.parents]
    return next((folder for folder in folders if folder.is_dir()), None)


@dataclass
class People:
    """Rows of a table. `codes[i, j]` is row i's place in `values[j]`."""

    names: list[str]
    values: list[list[str]]
    codes: np.ndarray
    private: list[int]
    public: list[int]
    ordered: set[int]
    together: list[list[int]]

    @property
    def rows(self) -> int:
        return len(self.codes)

    def domain(self, column: int) -> int:
        return len(self.values[column])

    def pick(self, rows: np.ndarray) -> People:
        return People(
            self.names,
            self.values,
            self.codes[rows],
            self.private,
            self.public,
            self.ordered,
            self.together,
        )

    def blocks(self) -> list[list[int]]:
        """Private columns that share a coin; each column its own unless joined."""
        joined = {column for block in self.together for column in block}
        return [list(block) for block in self.together] + [
            [j] for j in self.private if j not in joined
        ]


def read_csv(path: Path) -> tuple[list[str], list[list[str]]]:
    opened = (
        gzip.open(path, "rt", encoding="utf-8", newline="")
        if path.suffix == ".gz"
        else open(path, newline="")
    )
    with opened as file:
        rows = csv.reader(file)
        header = next(rows)
        return header, list(rows)


def read_policy(path: Path) -> dict:
    with open(path, "rb") as file:
        return tomllib.load(file)


def roles(policy: dict, role: str) -> list[str]:
    return [name for name, column in policy["column"].items() if column["role"] == role]


def load(table: str, policy_path: Path, seed: int = 1) -> People:
    """The table with its rows in a random order, its columns as the policy has them."""
    folder = data_folder()
    if folder is None:
        raise FileNotFoundError("no real tables: set RANKVEIL_DATA to the folder that holds them")
    header, rows = read_csv(folder / table / f"{table}.csv.gz")
    ordered = ordered_columns(folder / table)
    if (folder / table / "ranges.csv").exists():
        ordered = cut_into_eighths(header, rows)
    order = np.random.default_rng(seed).permutation(len(rows))
    return encode(header, [rows[i] for i in order], read_policy(policy_path), ordered)


def cut_into_eighths(header: list[str], rows: list[list[str]]) -> set[str]:
    """Of a table of numbers: columns of more than 20 values become 1 to 8. Returns the columns of numbers."""
    numbers = set()
    for j, name in enumerate(header):
        try:
            column = np.array([float(row[j]) for row in rows])
        except ValueError:
            continue
        numbers.add(name)
        if len(np.unique(column)) > 20:
            edges = np.unique(np.quantile(column, np.arange(1, 8) / 8))
            for row, bin in zip(rows, np.searchsorted(edges, column, side="right")):
                row[j] = str(bin + 1)
    return numbers


def encode(header: list[str], rows: list[list[str]], policy: dict, ordered: set[str]) -> People:
    public, private = roles(policy, "public"), roles(policy, "private")
    names = public + private
    values: list[list[str]] = []
    codes = np.empty((len(rows), len(names)), dtype=np.int32)
    for j, name in enumerate(names):
        column = [row[header.index(name)] for row in rows]
        if "bins" in policy["column"][name]:
            column = binned(column, policy["column"][name]["bins"]["edges"])
        domain = sorted(set(column))
        place = {value: i for i, value in enumerate(domain)}
        values.append(domain)
        codes[:, j] = [place[value] for value in column]
    place_of = {name: j for j, name in enumerate(names)}
    together = [[place_of[name] for name in block] for block in policy.get("together", [])]
    return People(
        names,
        values,
        codes,
        list(range(len(public), len(names))),
        list(range(len(public))),
        {place_of[name] for name in ordered if name in place_of},
        together,
    )


def binned(column: list[str], edges: list[float]) -> list[str]:
    """The middle of each value's bin, so that the command puts it into the same one."""
    ends = [edges[0] - 2, *edges, edges[-1] + 2]
    return [
        f"{(ends[at := bisect_right(edges, float(value))] + ends[at + 1]) / 2:g}"
        for value in column
    ]


def ordered_columns(folder: Path) -> set[str]:
    schema = folder / "schema.csv"
    if not schema.exists():
        return set()
    with open(schema, newline="") as file:
        return {row["attribute"] for row in csv.DictReader(file) if row["ordinal"] == "yes"}


def as_words(people: People) -> People:
    """The same people; what are numbers are words now, whose order the owner's model does not see."""
    values = [
        [f"v{text}" for text in column] if all(map(is_number, column)) else column
        for column in people.values
    ]
    return replace(people, values=values)


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def with_missing(people: People, share: float, seed: int) -> People:
    """The same people; so many of their private values, picked at random, are missing: empty cells."""
    codes, values = people.codes.copy(), list(people.values)
    rng = np.random.default_rng(seed)
    for j in people.private:
        values[j] = values[j] + [""]
        codes[rng.random(people.rows) < share, j] = len(values[j]) - 1
    return replace(people, codes=codes, values=values)


@dataclass
class Split:
    """Disjoint rows: those of the release, those of the attacker's own releases, other people."""

    target: People
    practice: list[People]
    others: People


def split(people: People, rows: int, practice: int, others: int) -> Split:
    """Small tables shrink: the release keeps `rows`, the rest is shared out in proportion."""
    left = people.rows - rows
    if left < practice * rows + others:
        practice = max(1, min(practice, left // (2 * rows)))
        others = left - practice * rows
    cuts = [np.arange(rows * i, rows * (i + 1)) for i in range(practice + 1)]
    start = rows * (practice + 1)
    return Split(
        people.pick(cuts[0]),
        [people.pick(cut) for cut in cuts[1:]],
        people.pick(np.arange(start, start + others)),
    )


def write_csv(people: People, path: Path, ids: list[str] | None = None) -> None:
    """What the owner has: an id, then all columns of the policy."""
    ids = ids or [f"p{i:06d}" for i in range(people.rows)]
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id"] + people.names)
        for name, row in zip(ids, people.codes):
            writer.writerow([name] + [people.values[j][code] for j, code in enumerate(row)])


def ids_of(people: People) -> list[str]:
    return [f"p{i:06d}" for i in range(people.rows)]
