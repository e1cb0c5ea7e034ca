"""Attacks releases, one command a line of docs/privacy-measurements.md.

  .deps/python/bin/python tests/privacy/measure.py coins --table adult --policy careful
  .deps/python/bin/python tests/privacy/measure.py acquaintance --mechanism plain --rows 6000
  .deps/python/bin/python tests/privacy/measure.py fair --table okcupid
  .deps/python/bin/python tests/privacy/measure.py life --line 2

--mechanism says who makes the releases: `product` (the command), `plain` (the fitted swap of plain_swap.py),
`circles` (one coin, uniform circles in prediction groups), `rungs` (one coin, circles on today's ladder: the
mutant that must be caught). Prints Markdown tables. Says so and ends well where data or programs are missing.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

import numpy as np

import acquaintance
import coin_attack
import fair
import life_attacks
import plain_swap
import product
import share_attacks
import tables

SKIPPED = 77  # what CTest takes for a test that was skipped
missed: list[str] = []  # figures above the limits of --check


def within(what: str, figure: float, limit: float) -> None:
    if figure > limit:
        missed.append(f"{what} is {figure:.4f}, above {limit}")


FAIR_LIMITS = {"heart2020": 0.07}
TABLES = ("okcupid", "adult", "census_income", "heart2020")


def policy_of(table: str, name: str) -> Path:
    folder = Path(os.environ.get("RANKVEIL_POLICIES", tables.HERE / "policies"))
    return folder / f"{table}-{name}.toml"


def ladder_of(people: tables.People, policy: Path) -> list[list[int]]:
    place = {name: j for j, name in enumerate(people.names)}
    return [[place[name] for name in step] for step in tables.read_policy(policy).get("ladder", [])]


class Maker:
    """Makes releases of people, one way."""

    def __init__(self, options, table: str, folder: Path):
        self.options, self.folder = options, folder
        self.policy = policy_of(table, options.policy)
        self.count = 0

    def __call__(self, people: tables.People, seed: int) -> plain_swap.Release:
        options = self.options
        if options.mechanism == "product":
            self.count += 1
            return product.release(
                people,
                self.policy,
                self.folder,
                f"r{self.count}",
                options.l,
                seed,
                *options.flag,
                builds=options.builds,
            )
        if options.mechanism == "plain":
            return plain_swap.fitted_swap(people, options.l, seed)
        if options.mechanism == "rungs":
            group = plain_swap.rung_groups(people, ladder_of(people, self.policy))
        else:
            group = plain_swap.prediction_groups(people)
        return plain_swap.uniform_circles(people, options.l, seed, group)


def releases(options, table: str, folder: Path):
    people = tables.load(table, policy_of(table, options.policy), seed=options.seed)
    if options.missing > 0:
        people = tables.with_missing(people, options.missing, options.seed)
    if options.words:
        people = tables.as_words(people)
    cut = tables.split(people, options.rows, options.practice, options.others)
    make = Maker(options, table, folder)
    target = make(cut.target, 1000 + options.seed)
    practice = [make(part, 2000 + i) for i, part in enumerate(cut.practice)]
    say(
        f"{table}: {cut.target.rows} rows, {len(practice)} practice releases, {cut.others.rows} other people"
    )
    return target, practice, make(cut.others, 3000)


def say(text: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def row(*cells) -> None:
    print("| " + " | ".join(map(cell, cells)) + " |", flush=True)


def cell(value) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:.4f}" if abs(value) >= 0.001 else f"{value:.6f}"


def head(*cells) -> None:
    row(*cells)
    print("|" + "---|" * len(cells), flush=True)


# ---- Lines 1 and 8: coins, and gains on single attributes ----


def coins(options, folder: Path) -> None:
    head(
        "table", "attacker", "bits a coin", "+-", "> .5", "> .7", "> .9", "right > .5", "rows > .5", "largest",
        "off in a tenth", "over R > p+.03", "over prior > p+.03", "over prior > p+.2",
        "of shown values: over R > p+.03", "over prior > p+.2",
    )  # fmt: skip
    for table in options.table:
        target, practice, others = releases(options, table, folder)
        attacker = coin_attack.Attacker(others, tuple(options.kinds))
        say("models of people are learned")
        here = coin_attack.pairs_of(attacker, target)
        learned = [coin_attack.pairs_of(attacker, r) for r in practice]
        for kind in (*options.kinds, None):
            columns = coin_attack.columns_of(here, kind)
            classifier = coin_attack.train(learned, columns)
            beliefs = coin_attack.belief(classifier, here, columns)
            coin_row(f"{table} {options.policy}", kind, beliefs, here, target)
        if options.blocks:
            block_rows(beliefs, here, target)


def coin_row(
    table: str, kind: str | None, beliefs: np.ndarray, pairs: coin_attack.Pairs, target
) -> None:
    f = coin_attack.coin_figures(beliefs, pairs, 1 / target.l)
    g = coin_attack.gains(beliefs, pairs, target, kind)
    kind = kind or "all together"
    within(f"{table}, {kind}: bits a coin", f.bits, 0.03)
    within(f"{table}, {kind}: pairs above .5", f.above[0.5], 0.02)
    within(f"{table}, {kind}: pairs above .7", f.above[0.7], 0.001)
    within(f"{table}, {kind}: pairs above .9", f.above[0.9], 0.0)
    within(f"{table}, {kind}: calibration", f.off, 0.03)
    within(f"{table}, {kind}: gains over R", g.over_moved, 0.01)
    row(
        table, kind, f.bits, f.margin, f.above[0.5], f.above[0.7], f.above[0.9], f.right[0.5], f.rows_above[0.5],
        f.largest, f.off, g.over_moved, g.over_prior, g.far_over_prior, g.shown_over_moved, g.shown_far_over_prior,
    )  # fmt: skip


def block_rows(beliefs: np.ndarray, pairs: coin_attack.Pairs, target) -> None:
    """Which blocks leak, and on what values: the way to what should be mended."""
    far = coin_attack.gains(beliefs, pairs, target).far_of
    tenths = coin_attack.coin_figures(beliefs, pairs, 1 / target.l).calibration
    say("  tenths: " + ", ".join(f"{n} believed {x:.3f}, kept {y:.3f}" for _, n, x, y in tenths))
    say("  (row, value) far over the prior: " + ", ".join(f"{c} {n}" for c, n in far.items() if n))
    for b, block in enumerate(target.blocks):
        lines = np.flatnonzero(pairs.block == b)
        part = coin_attack.Pairs(
            pairs.features[lines], [], pairs.kept[lines], pairs.row[lines], pairs.block[lines]
        )
        f = coin_attack.coin_figures(beliefs[lines], part, 1 / target.l)
        names = ", ".join(target.people.names[j] for j in block)
        top = lines[np.argsort(-beliefs[lines])[:40]]
        shown = [target.people.private.index(j) for j in block]
        values = [
            tuple(
                target.people.values[j][target.shown[pairs.row[t], i]] for j, i in zip(block, shown)
            )
            for t in top
        ]
        common = sorted(((values.count(v), v) for v in set(values)), reverse=True)[:4]
        say(
            f"  {names}: {f.bits:.4f} bits, > .5 {f.above[0.5]:.4f}, > .7 {f.above[0.7]:.4f}, "
            f"largest {f.largest:.2f}; top 40 kept {pairs.kept[top].mean():.2f}: "
            + ", ".join(f"{n} {'/'.join(v)}" for n, v in common)
        )


# ---- Line 7: acquaintances ----


def knows_one(options, folder: Path) -> None:
    head("table", "where", "gain > p+.2", "> .7", "> .9", "largest", "cases")
    for table in options.table:
        target, practice, others = releases(options, table, folder)
        attacker = acquaintance.Acquaintance(others)
        for where, f in acquaintance.figures(attacker, target, practice[:1]).items():
            if where == "other blocks":
                joined = any(len(block) > 1 for block in target.blocks)
                within(f"{table}: knows one, gain above .7", f[".7"], 0.002 if joined else 0.001)
            row(f"{table} {options.policy}", where, *f.values())


# ---- Line 1: what the audit's level `acquaintance` reports, beside the attack ----


def agreement(options, folder: Path) -> None:
    """Both count (row, known, wanted) over values of prior below 1/2. The audit learns from the same people,
    under a key of its own. Around 1/l nearly every gain lies that is a coin's alone: `> p-.01` and `> p+.01`
    say how many cases an error of a hundredth moves there."""
    head(
        "table", "scheme", "who", "gain > p", "> p+.03", "> p+.2", "> .7", "largest", "cases",
        "> p-.01", "> p+.01",
    )  # fmt: skip
    for table in options.table:
        target, practice, others = releases(options, table, folder)
        gain = acquaintance.Gain.joined(
            list(
                acquaintance.gains(acquaintance.Acquaintance(others), target, practice[:1]).values()
            )
        ).unlikely
        p, what = 1 / target.l, " ".join(map(str, options.flag)) or "swap"
        plain = [float((gain > limit).mean()) for limit in (p, p + 0.03, p + 0.2, 0.7)]
        near = [float((gain > p + off).mean()) for off in (-0.01, 0.01)]
        row(f"{table} {options.policy}", what, "attack", *plain, float(gain.max()), len(gain), *near)
        tables.write_csv(others.people, folder / "others.csv")
        told = product.audited(
            folder / "r1.rankveil", folder / "r1.csv", policy_of(table, options.policy),
            ["acquaintance"], "--population", folder / "others.csv",
        )["acquaintance"]["all"]  # fmt: skip
        shares = [count / told["cases"] for count in told["above"]]
        row(
            f"{table} {options.policy}",
            what,
            "audit",
            *shares,
            float(told["largest"]),
            told["cases"],
            "",
            "",
        )
        joined = any(len(block) > 1 for block in target.blocks)  # the page says what is open there
        limits = list(zip(("1/l", "1/l + .03", "1/l + .2", ".7"), plain, shares))
        for name, ours, theirs in limits[2:] if joined else limits:
            within(f"{table}: audit and attack, share above {name}", abs(ours - theirs), 0.02)


# ---- fair@10 ----


def fairness(options, folder: Path) -> None:
    head("table", "queries", "drop", "rr-mean", "swap", "uniform circles in 21s", "difference")
    for table in options.table:
        policy = policy_of(table, options.policy)
        people = tables.load(table, policy, seed=options.seed)
        rows = tables.split(people, options.rows, 1, 100).target
        (place := folder / table).mkdir()
        served = served_by_all(options, rows, policy, place)
        for kind in fair.KINDS:
            asked = fair.queries(rows, kind, options.queries, seed=7)
            found = {name: fair.fair(rows, made, asked) for name, made in served.items()}
            short = found["circles"] - found["swap"]
            within(
                f"{table}, {kind}: fair@10 short of circles", short, FAIR_LIMITS.get(table, 0.03)
            )
            row(f"{table} {options.policy}", kind, *found.values(), -short)
            if options.mechanism == "product":
                compared_row(f"{table} {options.policy}", kind, rows, asked, found, policy, place)


def compared_row(
    name: str, kind: str, rows, asked, found: dict, policy: Path, folder: Path
) -> None:
    """The same queries, as `compare` measures them under a key of its own."""
    workload = folder / f"{kind}.ndjson"
    fair.write_queries(rows, asked, workload)
    said = product.compared(folder / "fair.csv", policy, workload, ["drop", "rr-mean", "swap"])
    row(name, f"{kind}, by compare", said["drop"], said["rr-mean"], said["swap"], "", "")
    for scheme, figure in said.items():
        within(f"{name}, {kind}: compare on {scheme}", abs(figure - found[scheme]), 0.03)


def served_by_all(options, rows: tables.People, policy: Path, folder: Path) -> dict:
    group = plain_swap.prediction_groups(rows)
    circles = fair.strengths(plain_swap.uniform_circles(rows, options.l, 12, group))
    made = {"drop": fair.dropped(rows)}
    if options.mechanism != "product":
        made["rr-mean"] = fair.rr_mean(rows, options.l, 13, group)
        made["swap"] = fair.strengths(plain_swap.fitted_swap(rows, options.l, 11))
    else:
        table = folder / "fair.csv"
        tables.write_csv(rows, table)
        for scheme in ("rr-mean", "swap"):
            key = product.new_key(folder / f"fair-{scheme}.key", 11)
            index = folder / f"fair-{scheme}.rankveil"
            product.protect(table, policy, key, index, "--l", options.l, "--scheme", scheme)
            made[scheme] = product.profiles(rows, index)
    return made | {"circles": circles}


# ---- Lines 2 to 6, 8 and 9 ----


def life(options, folder: Path) -> None:
    head("line", "attack", "what came out")
    for line in options.line:
        module = share_attacks if line in (8, 9) else life_attacks
        for outcome in getattr(module, f"line{line}")(folder / f"line{line}", options.rows):
            row(line, outcome.attack, outcome.figure.replace(f"{folder}/", ""))
            if outcome.miss:
                missed.append(f"line {line}, {outcome.attack}: {outcome.miss}")


COMMANDS = {
    "coins": coins,
    "acquaintance": knows_one,
    "agreement": agreement,
    "fair": fairness,
    "life": life,
}


def arguments(parser: argparse.ArgumentParser) -> argparse.Namespace:
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("--table", nargs="+", default=list(TABLES))
    parser.add_argument("--policy", default="careful")
    parser.add_argument(
        "--mechanism", choices=("product", "plain", "circles", "rungs"), default="product"
    )
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--practice", type=int, default=2, help="the attacker's own releases")
    parser.add_argument("--others", type=int, default=18000, help="other people to learn from")
    parser.add_argument("--kinds", nargs="+", default=["regression", "forest", "neighbours"])
    parser.add_argument("--l", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--missing", type=float, default=0, help="share of private values to empty")
    parser.add_argument(
        "--words", action="store_true", help="numbers as words, without their order"
    )
    parser.add_argument("--builds", type=int, default=1, help="half of the rows come in later ones")
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--line", type=int, nargs="+", default=[2, 3, 4, 5, 6, 8, 9])
    parser.add_argument("--check", action="store_true", help="fail where a limit is passed")
    parser.add_argument("--blocks", action="store_true", help="say which blocks leak, on stderr")
    parser.add_argument(
        "--flag", nargs="*", default=[], help="more flags for protect, as --flag=--x"
    )
    return parser.parse_args()


def main() -> int:
    options = arguments(
        argparse.ArgumentParser(
            description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
    )
    if tables.data_folder() is None:
        say(
            "skipped: there are no real tables here; RANKVEIL_DATA names the folder that holds them"
        )
        return SKIPPED
    if options.mechanism == "product" and product.missing():
        say(f"skipped: {product.missing()}")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="rankveil-privacy-") as folder:
        COMMANDS[options.command](options, Path(folder))
    for miss in missed:
        say(f"missed: {miss}")
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
