"""Releases made by the command itself, as the attackers read them.

RANKVEIL_COMMAND and RANKVEIL_RELEASE_LAB name the programs; without them, those of build/dev.
"""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from pathlib import Path

import numpy as np

from plain_swap import Release
from tables import HERE, People, ids_of, write_csv

BUILD = HERE.parents[1] / "build" / "dev"


def command() -> Path:
    return Path(os.environ.get("RANKVEIL_COMMAND", BUILD / "cli" / "rankveil"))


def release_lab() -> Path:
    return Path(os.environ.get("RANKVEIL_RELEASE_LAB", BUILD / "tests" / "privacy" / "release_lab"))


def missing() -> str | None:
    """Why the product cannot be measured here; nothing: it can."""
    for program in (command(), release_lab()):
        if not program.exists():
            return f"{program} is missing; build it with: cmake --build --preset dev --target rankveil release_lab"
    return None


def run(*arguments, check: bool = True) -> subprocess.CompletedProcess:
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True)
    if check and done.returncode != 0:
        raise RuntimeError(
            f"{' '.join(map(str, arguments))}\nended with {done.returncode}: {done.stderr}"
        )
    return done


def new_key(path: Path, seed: int) -> Path:
    path.unlink(missing_ok=True)
    run(command(), "keygen", path, "--seed", seed)
    return path


def protect(table: Path, policy: Path, key: Path, index: Path, *flags, check: bool = True):
    return run(
        command(),
        "protect",
        table,
        "--policy",
        policy,
        "--key",
        key,
        "-o",
        index,
        *flags,
        check=check,
    )


def release(
    people: People,
    policy: Path,
    folder: Path,
    name: str,
    l: int,
    seed: int,
    *flags,
    builds: int = 1,
) -> Release:
    """`people` protected anew in `folder`: what rows show, and the coins behind it. Without rows that show
    nothing: they have no coin. With several builds the first has half of the rows, the others add to them.
    """
    table, index, key = folder / f"{name}.csv", folder / f"{name}.rankveil", folder / f"{name}.key"
    for old in set(folder.glob(f"{name}.*")):
        old.unlink()
    new_key(key, seed)
    for build in range(builds):
        here = (
            people.rows if builds == 1 else people.rows * (builds - 1 + build) // (2 * builds - 2)
        )
        write_csv(people.pick(np.arange(here)), table)
        protect(table, policy, key, index, "--l", l, "--threads", 1, *flags)
    return speaking(read_release(people, index, key, l))


def joined(people: People) -> list[str]:
    return [",".join(people.names[j] for j in block) for block in people.together]


def speaking(release: Release) -> Release:
    rows = np.flatnonzero((release.shown >= 0).all(axis=1))
    return Release(
        release.people.pick(rows),
        release.shown[rows],
        release.kept[rows],
        release.blocks,
        l=release.l,
    )


def read_release(people: People, index: Path, key: Path, l: int) -> Release:
    rows = list(csv.reader(io.StringIO(run(release_lab(), index, key, *joined(people)).stdout)))
    header, lines = rows[0], {row[0]: row for row in rows[1:]}
    at = {name: i for i, name in enumerate(header)}
    shown = np.empty((people.rows, len(people.private)), dtype=np.int32)
    coins = np.empty((people.rows, len(people.private)), dtype=bool)
    in_order = [lines[name] for name in ids_of(people)]
    for i, j in enumerate(people.private):
        code = {"": -1} | {value: c for c, value in enumerate(people.values[j])}
        shown[:, i] = [code[line[at[people.names[j]]]] for line in in_order]
        coins[:, i] = [line[at["coin " + people.names[j]]] == "1" for line in in_order]
    blocks = same_coins(people, coins)
    first = [people.private.index(block[0]) for block in blocks]
    true = people.codes[:, people.private]
    if np.any(coins & (shown >= 0) & (shown != true)):
        raise RuntimeError(
            f"{index}: rows that keep their own show others'; these are not its coins"
        )
    return Release(people, shown, coins[:, first], blocks, l=l)


def same_coins(people: People, coins: np.ndarray) -> list[list[int]]:
    """Columns whose coins agree in every row share them."""
    blocks: dict[bytes, list[int]] = {}
    for i, j in enumerate(people.private):
        blocks.setdefault(coins[:, i].tobytes(), []).append(j)
    return list(blocks.values())


def profiles(people: People, index: Path) -> dict[int, np.ndarray]:
    """What the index serves: for every private column, rows x values."""
    made = {j: np.zeros((people.rows, people.domain(j))) for j in people.private}
    row_of = {name: i for i, name in enumerate(ids_of(people))}
    column_of = {people.names[j]: j for j in people.private}
    code = {j: {value: c for c, value in enumerate(people.values[j])} for j in people.private}
    text = run(command(), "profiles", index, "--format", "csv").stdout
    lines = csv.reader(io.StringIO(text))
    next(lines)
    for row, attribute, value, strength in lines:
        j = column_of[attribute]
        made[j][row_of[row], code[j][value]] = float(strength)
    return made


def audited(index: Path, table: Path, policy: Path, levels: list[str], *flags) -> dict[str, dict]:
    """What the command's own audit counts of gains, by level and attribute."""
    report = run(
        command(), "audit", index, "--table", table, "--policy", policy,
        "--levels", ",".join(levels), "--victims", 1, "--threads", 1, "--json", *flags,
        check=False,
    ).stdout  # fmt: skip
    found: dict[str, dict] = {level: {} for level in levels}
    for finding in json.loads(report)["findings"]:
        if finding["level"] in found and finding["gains"]:
            found[finding["level"]][finding["attribute"]] = finding["gains"]
    return found


def compared(table: Path, policy: Path, workload: Path, schemes: list[str]) -> dict[str, float]:
    """fair@10 of the policy's l, by scheme."""
    report = run(
        command(), "compare", table, "--policy", policy, "--workload", workload, "--seed", 11,
        "--schemes", ",".join(schemes), "--l", 3, "--k", 10, "--threads", 1, "--json",
    ).stdout  # fmt: skip
    return {one["scheme"]: one["utility"]["fair"]["mean"] for one in json.loads(report)["compared"]}
