"""What becomes of a release: renames, new ids, second outputs, planted rows, the order of rows.

Each attack runs the command as an owner would, on the dating profiles, and reads what is served. A build
that refuses gives nothing away: its sentence is the figure. A refusal for another reason than the attack's
is a miss, for then nothing was tried.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import product
from tables import HERE, People, ids_of, load, write_csv

POLICY = HERE / "policies" / "okcupid-careful.toml"

CHANCE = 0.03  # by how much shares may differ where nothing was learned


@dataclass
class Outcome:
    attack: str
    figure: str
    miss: str = ""  # what must not be, if it is


def refused(what: str, refusal: str, because: str | None = None) -> Outcome:
    """`because`: words of the refusal that this attack should meet."""
    expected = because is not None and because in refusal
    return Outcome(what, f"refused: {refusal}", "" if expected else "the attack was not tried")


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
        index, policy = self.folder / f"{name}.rankveil", policy or self.policy
        table = self.csv(rows, ids)
        for _ in range(5):
            done = product.protect(table, policy, key or self.key, index, *flags, check=False)
            if not accept_what_is_known(policy, done.stderr):
                break
        self.said = done.stdout + done.stderr
        if done.returncode == 0:
            self.said += product.run(product.command(), "inspect", index, "--json").stdout
        return (index, None) if done.returncode == 0 else (None, refusal_of(done))


def accept_what_is_known(policy: Path, said: str) -> bool:
    """Public columns that tell private ones are refused. No attack here is about that, so the policy accepts
    them, in the words of the refusal; whether there were any."""
    if "tell private ones before any ranking" not in said or "known_from = " not in said:
        return False
    text = policy.read_text()
    for column, line in re.findall(r"\[column\.(\w+)\] (known_from = \[.*?\])", said):
        head = f"[column.{column}]\n"
        own = re.compile(re.escape(head) + r"((?:(?!\[column\.)(?!known_from).*\n)*)known_from = .*\n")
        text = own.sub(head + r"\1", text).replace(head, f"{head}{line}\n")
    if text == policy.read_text():
        return False
    policy.write_text(text)
    return True


def refusal_of(done) -> str:
    return done.stderr.strip().splitlines()[-1].split(": ", 1)[-1][:190]


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
        return refused(f"{what}, first build", refusal)
    before = shown_by_id(index, place.key)
    rows = place.rows()
    at = rows[0].index(column)
    holders = {row[0] for row in rows[1:] if row[at] in values}
    edited = [rows[0]] + [edit(list(row), at) for row in rows[1:]]
    if policy:
        place.policy.write_text(policy)
    index, refusal = place.build("a", rows=edited)
    if refusal:
        return refused(what, refusal, None if policy else "all that had it now have")
    return withdrawn(what, changed(before, shown_by_id(index, place.key)), holders)


def withdrawn(what: str, gone: set[str], holders: set[str]) -> Outcome:
    others = len(gone - holders)
    figure = f"{len(gone & holders)} of {len(holders)} holders withdrawn, {others} others"
    return Outcome(what, figure, "holders were withdrawn" if gone & holders else "")


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
        return refused("moved edge, first build", refusal)
    before = shown_by_id(index, place.key)
    holders = {row[0] for row in numbers[1:] if 35 <= float(row[at]) < 45}
    place.policy.write_text(edges.replace("25, 45, 90", "25, 35, 90"))
    index, refusal = place.build("a", rows=numbers)
    if refusal:
        return refused("moved edge", refusal, "have other edges than in the last build")
    return withdrawn("moved edge", changed(before, shown_by_id(index, place.key)), holders)


# ---- Lines 3 and 4: the same people twice ----


@dataclass
class Agreement:
    """Of (row, column) pairs, and whole vectors, that show the same in two outputs: how many show their own
    in the first. Where nothing is learned, those that agree are own as often as the first output says of the
    values that they show: common values come back more often, and agree more often, too."""

    equal: list[bool]
    other: list[bool]
    vectors: list[bool]
    once: list[float]  # of pairs that agree: how often who shows this value in the first has it

    def __str__(self) -> str:
        return (
            f"{len(self.equal)} pairs agree, own in {share(self.equal)} ({share(self.once)} by the first "
            f"alone); {len(self.other)} differ, own in "
            f"{share(self.other)}; {len(self.vectors)} whole vectors agree, own in {share(self.vectors)}"
        )

    def miss(self) -> str:
        more = np.mean(self.equal) - np.mean(self.once)
        return "who agrees shows the own more often" if more > CHANCE else ""


def agreement(place: Place, first: dict, second: dict, name_in_second: dict[str, str]) -> Agreement:
    rows = place.rows()
    at = [rows[0].index(place.table.names[j]) for j in place.table.private]
    found = Agreement([], [], [], [])
    own_of = own_by_value(rows, at, first)
    for row in rows[1:]:
        a, b = first.get(row[0]), second.get(name_in_second[row[0]])
        if a is None or b is None or len(a) != len(b):
            continue
        own = [row[i] for i in at]
        for j, (x, y, z) in enumerate(zip(a, b, own)):
            if x and y:
                (found.equal if x == y else found.other).append(x == z)
            if x and x == y:
                found.once.append(own_of[j, x])
        if all(a) and a == b:
            found.vectors.append(a == own)
    return found


def own_by_value(rows, at: list[int], first: dict) -> dict[tuple[int, str], float]:
    """How often a value that is shown in a column is the row's own."""
    told: dict[tuple[int, str], list[bool]] = {}
    for row in rows[1:]:
        for j, shown in enumerate(first.get(row[0], ())):
            told.setdefault((j, shown), []).append(shown == row[at[j]])
    return {key: float(np.mean(own)) for key, own in told.items()}


def share(found) -> str:
    return f"{np.mean(found):.3f}" if found else "-"


def line3(folder: Path, rows: int) -> list[Outcome]:
    place = Place(folder, people(rows))
    index, refusal = place.build("a")
    if refusal:
        return [refused("new ids, first build", refusal)]
    first = shown_by_id(index, place.key)
    renamed = {name: f"q{name[1:][::-1]}" for name in ids_of(place.table)}
    index, refusal = place.build("a", ids=list(renamed.values()))
    if refusal:
        return [refused("new ids", refusal, "they are the same people")]
    found = agreement(place, first, shown_by_id(index, place.key), renamed)
    return [Outcome("new ids", str(found), found.miss())]


def line4(folder: Path, rows: int) -> list[Outcome]:
    """The second output's sentence stands for a refusal. Few public columns, so that old groups differ."""
    place = Place(folder, people(rows), only_public("sex", "age", "job"))
    index, refusal = place.build("first")
    if refusal:
        return [refused("second output, first build", refusal)]
    first, same = shown_by_id(index, place.key), {name: name for name in ids_of(place.table)}
    once = agreement(place, first, first, same)
    found = [Outcome("once", str(once))]
    fewer, more = place.folder / "fewer.toml", place.folder / "more.toml"
    fewer.write_text(only_public("sex", "age"))
    more.write_text(only_public("sex", "age", "job", "edu_level"))
    other_key = product.new_key(place.folder / "b.key", 6)
    for what, flags, given, because in (
        ("monthly file name", (), {}, None),
        ("fewer public columns", (), {"policy": fewer}, None),
        ("one more public column", (), {"policy": more}, "what rows show does not rest on it"),
        ("l = 5 beside 3", ("--l", 5), {}, None),
        ("l = 2 beside 3", ("--l", 2), {}, "rows cannot keep what they show"),
        ("second key", (), {"key": other_key}, "has the same people under another key"),
    ):
        index, refusal = place.build(what.replace(" ", "-"), *flags, **given)
        if refusal:
            found.append(refused(what, refusal, because))
            continue
        second = shown_by_id(index, given.get("key", place.key))
        both = agreement(place, first, second, same)
        found.append(Outcome(what, str(both), both.miss()))
    return [*found, corrected(folder, people(rows))]


def corrected(folder: Path, table: People) -> Outcome:
    """A fifth of the rows have somebody else's public values at first, and their own in the next build. What
    was traded fits the former, what is the own fits the latter: how likely a value is shown by either is
    learned from the rows that nothing happened to, by sex and age."""
    place = Place(folder, table, only_public("sex", "age", "job"))
    right = place.rows()
    at = [right[0].index(name) for name in ("sex", "age", "job")]
    lot = np.random.default_rng(9)
    victims = lot.choice(np.arange(1, len(right)), len(right) // 5, replace=False)
    wrong = [list(row) for row in right]
    for i, other in zip(victims, lot.permutation(victims)):
        for j in at:
            wrong[i][j] = right[other][j]
    index, refusal = place.build("a", rows=wrong)
    if refusal:
        return refused("public values corrected, first build", refusal)
    coins, first = coins_by_id(index, place.key), shown_by_id(index, place.key)
    index, refusal = place.build("a", rows=right)
    if refusal:
        return refused("public values corrected", refusal)
    second = shown_by_id(index, place.key)
    untouched = [row for i, row in enumerate(right) if i and i not in set(victims)]
    likely = chances(untouched, at[:2], first)
    found: dict[bool, list[bool]] = {False: [], True: []}
    for i in victims:
        name = right[i][0]
        for j, value in enumerate(first[name]):
            if not value:
                continue
            ratio = likely(right[i], j, value) / likely(wrong[i], j, value)
            if ratio / (ratio + 2) > 0.7:
                found[bool(second[name][j])].append(coins[name][j])
    return Outcome(
        "public values corrected",
        f"by old and new ones {len(found[True]) + len(found[False])} of "
        f"{len(victims) * len(at_private(first))} coins are believed above 0.7, kept in "
        f"{share(found[True] + found[False])}; {len(found[True])} of them still show their value, kept in "
        f"{share(found[True])}",
    )


def at_private(shown: dict[str, list[str]]) -> list[str]:
    return next(iter(shown.values()))


def coins_by_id(index: Path, key: Path) -> dict[str, list[bool]]:
    lines = product.run(product.release_lab(), index, key).stdout.splitlines()
    return {row[0]: [coin == "1" for coin in row[2::2]] for row in csv.reader(lines[1:])}


def chances(rows: list[list[str]], at: list[int], shown: dict[str, list[str]]):
    """How often rows with these values of some columns show a value, with 20 rows of the table mixed in."""
    counts: dict[tuple, dict[str, int]] = {}
    for row in rows:
        for j, value in enumerate(shown[row[0]]):
            for kind in (tuple(row[i] for i in at), ()):
                of_kind = counts.setdefault((j, *kind), {})
                of_kind[value] = of_kind.get(value, 0) + 1

    def likely(row: list[str], j: int, value: str) -> float:
        table, here = counts[j,], counts.get((j, *(row[i] for i in at)), {})
        mixed = 20 * (table.get(value, 0) + 0.5) / (sum(table.values()) + 1)
        return (here.get(value, 0) + mixed) / (sum(here.values()) + 20)

    return likely


def only_public(*names: str) -> str:
    """The careful policy with these public columns alone, and no ladder."""
    parts = POLICY.read_text().split("\n[column.")
    kept = [parts[0].split("ladder")[0] + "\n"]
    for part in parts[1:]:
        if 'role = "public"' not in part or part.split("]")[0] in names:
            kept.append(part)
    return without_known("\n[column.".join(kept))


def without_known(policy: str) -> str:
    """What its public columns tell was said of others than these."""
    return re.sub(r"known_from = .*\n", "", policy)


# ---- Line 5: planted rows ----


def line5(folder: Path, rows: int, victims: int = 60) -> list[Outcome]:
    found = []
    for established in (False, True):
        for around in (20, 110):
            found.append(planted(folder, people(rows), victims, around, established))
        found.append(day_by_day(folder, people(rows), established))
        found.append(steered(folder, people(rows), victims, established))
    return found


@dataclass
class Crowd:
    """A table to which somebody adds rows; of each it says whether it is known to be a person. Ids are by
    lot: nobody is told by them."""

    place: Place
    rows: list[list[str]]  # the header first
    names: list[str]  # ids for rows to come
    vector: dict[
        int, str
    ]  # what planted rows have, by place of a private column: the commonest value

    @staticmethod
    def of(folder: Path, table: People, established: bool) -> Crowd:
        rule = 'established = { column = "known", is = "yes" }\n' if established else ""
        text = POLICY.read_text().replace("\n[column.id]", rule + "\n[column.id]", 1)
        place = Place(folder, table, text + '\n[column.known]\nrole = "ignored"\n')
        header, *rows = place.rows()
        names = [f"p{n}" for n in np.random.default_rng(4).permutation(np.arange(100000, 999999))]
        rows = [[names.pop(), *row[1:], "yes"] for row in rows]
        return Crowd(place, [[*header, "known"], *rows], names, commonest(table, header, rows))

    def beside(self, victim: list[str], count: int, vector: dict[int, str]) -> list[list[str]]:
        """Rows with the victim's public values and one vector."""
        return [
            [self.names.pop()]
            + [vector.get(i, value) for i, value in enumerate(victim[:-1])][1:]
            + ["no"]
            for _ in range(count)
        ]

    def build(self, rows: list[list[str]]):
        """In an order by lot; (index, refusal)."""
        order = np.random.default_rng(len(rows)).permutation(len(rows) - 1) + 1
        return self.place.build("a", rows=[rows[0], *(rows[at] for at in order)])


def commonest(table: People, header: list[str], rows: list[list[str]]) -> dict[int, str]:
    found = {}
    for j in table.private:
        at = header.index(table.names[j])
        column = [row[at] for row in rows]
        found[at] = max(set(column), key=column.count)
    return found


@dataclass
class Told:
    """What planted rows tell about people: values that nobody else in their company brought."""

    right: list[bool]
    itself: list[bool]  # for comparison: the victim shows the own value

    def add(
        self, victim: list[str], plants: list[str], shown: dict, vector: dict[int, str]
    ) -> None:
        for i, (column, usual) in enumerate(vector.items()):
            if victim[column] == usual:
                continue
            own = shown.get(victim[0], [""] * len(vector))[i]
            self.itself.append(own == victim[column])
            told = stranger([shown[name][i] for name in plants], own, usual)
            if told:
                self.right.append(told == victim[column])

    def outcome(self, what: str, said: str, established: bool) -> Outcome:
        warned = all(
            sentence in " ".join(said.split())
            for sentence in (
                "nothing is promised against who can add rows",
                "no promise against planted rows",
            )
        )
        figure = (
            f"{sum(self.right)} right of {len(self.right)} told, {len(self.itself)} values; "
            f"shown by the victim itself: {share(self.itself)}"
        )
        if established:
            return Outcome(what, figure, "values were told" if any(self.right) else "")
        said = "warned" if warned else "no warning"
        return Outcome(what, f"{figure}; {said}", "" if warned else said)


def planted(folder: Path, table: People, victims: int, around: int, established: bool) -> Outcome:
    """Around each victim rows with its public values and one known vector: whatever else these show, and is
    shown by nobody else they know, is the victim's."""
    what = f"{around} rows around {victims} victims" + (", established" if established else "")
    crowd = Crowd.of(folder, table, established)
    rows, plants = list(crowd.rows), {}
    for victim in crowd.rows[1 : victims + 1]:
        beside = crowd.beside(victim, around, crowd.vector)
        plants[victim[0]] = [row[0] for row in beside]
        rows += beside
    index, refusal = crowd.build(rows)
    if refusal:
        return refused(what, refusal)
    shown, told = shown_by_id(index, crowd.place.key), Told([], [])
    for victim in crowd.rows[1 : victims + 1]:
        told.add(victim, plants[victim[0]], shown, crowd.vector)
    return told.outcome(what, crowd.place.said, established)


def day_by_day(
    folder: Path, table: People, established: bool, days: int = 10, around: int = 120
) -> Outcome:
    """A person a day joins a released table, together with planted rows: who else could trade with them?"""
    what = f"a newcomer a day beside {around} rows" + (", established" if established else "")
    crowd = Crowd.of(folder, table, established)
    now, told, said = crowd.rows[:-days], Told([], []), ""
    index, refusal = crowd.build(now)
    for victim in crowd.rows[-days:] if not refusal else []:
        beside = crowd.beside(victim, around, crowd.vector)
        now = now + [victim] + beside
        index, refusal = crowd.build(now)
        if refusal:
            break
        said += crowd.place.said
        shown = shown_by_id(index, crowd.place.key)
        told.add(victim, [row[0] for row in beside], shown, crowd.vector)
    if refusal:
        return refused(what, refusal)
    return told.outcome(what, said, established)


def steered(folder: Path, table: People, victims: int, established: bool) -> Outcome:
    """Plants against the model: rows with a rare job of the victim's own, and one drink. Somebody who moved
    would show that drink; who shows another kept theirs."""
    what = f"60 rows with each of {victims} rare jobs" + (", established" if established else "")
    crowd = Crowd.of(folder, table, established)
    rows = list(crowd.rows)
    job, drinks = rows[0].index("job"), rows[0].index("drinks")
    people = [row for row in rows[1:] if row[drinks] != "very_often"]
    chosen, others = people[:victims], people[victims:]
    for n, victim in enumerate(chosen):
        victim[job] = f"rare-{n}"
        rows += crowd.beside(victim, 60, {drinks: "very_often"})
    index, refusal = crowd.build(rows)
    if refusal:
        return refused(what, refusal)
    shown = shown_by_id(index, crowd.place.key)
    at = [table.names[j] for j in table.private].index("drinks")

    def own_drinks(whose: list[list[str]]) -> list[bool]:
        """Of those who show another drink than the planted one: whether it is theirs."""
        served = [(row[drinks], shown[row[0]][at]) for row in whose if row[0] in shown]
        return [own == it for own, it in served if it not in ("", "very_often")]

    back, usual = own_drinks(chosen), own_drinks(others)
    figure = (
        f"{len(back)} show another drink, their own in {share(back)}; of people not surrounded "
        f"{share(usual)}"
    )
    # Two standard errors of so few people.
    beyond = established and back and np.mean(back) > np.mean(usual) + 1 / len(back) ** 0.5
    return Outcome(what, figure, "own drinks come back" if beyond else "")


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
            found.append(refused(what, refusal, "ids would tell private values"))
            continue
        served = list(shown_by_id(index, place.key))
        order = served if ids is shuffled else sorted(served)
        found.append(order_gain(what, table, religion, ids, order))
    return found


def order_gain(what: str, table: People, column: int, ids: list[str], order: list[str]) -> Outcome:
    """Guesses by place, from counts alone: how often right beyond guessing the commonest value."""
    row_of = {name: i for i, name in enumerate(ids)}
    true = np.array([table.codes[row_of[name], column] for name in order])
    guess = np.sort(true)
    right, base = (guess == true).mean(), np.bincount(true).max() / len(true)
    gain = (right - base) / (1 - base)
    figure = f"{right:.3f} right, {base:.3f} without; gain {gain:.3f}"
    return Outcome(what, figure, "the order tells" if gain > 1 / 3 + CHANCE else "")
