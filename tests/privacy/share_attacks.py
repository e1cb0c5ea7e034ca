"""What shares of groups tell by themselves: against a model of people, in a homogeneous group, as sets."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

import plain_swap
import product
from life_attacks import CHANCE, Outcome, Place, refused, without_known
from people_models import Regression
from tables import HERE, People, load, split


def population_prior(others: People, rows: People, column: int) -> np.ndarray:
    """What a model of other people gives every value of the column."""
    ordered = {at for at, j in enumerate(others.public) if j in others.ordered}
    domains = [others.domain(j) for j in others.public]
    model = Regression().learn(
        others.codes[:, others.public],
        domains,
        ordered,
        others.codes[:, column],
        others.domain(column),
    )
    return model.probabilities(rows.codes[:, rows.public])


# ---- Line 8: shares of base groups ----


def line8(folder: Path, rows: int) -> list[Outcome]:
    found = []
    for table in ("adult", "okcupid"):
        policy = HERE / "policies" / f"{table}-careful.toml"
        cut = split(load(table, policy), rows, 1, 18000)
        place = Place(folder, cut.target, policy.read_text())
        index, refusal = place.build("a")
        if refusal:
            found.append(refused(f"shares, {table}", refusal))
            continue
        release = product.read_release(cut.target, index, place.key, 3)
        served = product.profiles(cut.target, index)
        found.append(
            Outcome(f"shares, {table}", share_gains(cut.target, cut.others, release, served))
        )
    return found + [clinic(folder, rows)]


def share_gains(people: People, others: People, release: plain_swap.Release, served: dict) -> str:
    alone, signal = [], []
    for i, j in enumerate(people.private):
        prior = population_prior(others, people, j)
        shown = np.zeros_like(prior)
        has = release.shown[:, i] >= 0
        shown[np.flatnonzero(has), release.shown[has, i]] = 1
        p = has[:, None] / release.l
        base = (served[j] - p * shown) / (1 - p)
        low = prior < 0.5
        alone.append(((base - prior) / (1 - prior))[low])
        signal.append(((served[j] - prior) / (1 - prior))[low])
    alone, signal = np.concatenate(alone), np.concatenate(signal)
    return (
        f"gain of shares alone > 1/3 for {np.mean(alone > 1 / 3):.4f} of (row, value), largest "
        f"{alone.max():.2f}; with the signal > .5 for {np.mean(signal > 0.5):.4f}"
    )


def clinic(folder: Path, rows: int) -> Outcome:
    """25 people of a public place where all have kidney disease, which few others have."""
    parts = (HERE / "policies" / "heart2020-careful.toml").read_text().split("\n[column.")
    private = [part for part in parts[1:] if 'role = "public"' not in part]
    head = parts[0].split("ladder")[0] + "\n"
    (folder := Path(folder)).mkdir(parents=True, exist_ok=True)
    people = load("heart2020", HERE / "policies" / "heart2020-careful.toml").pick(np.arange(rows))
    policy = "\n[column.".join([head, *private, 'clinic]\nrole = "public"\n'])
    place = Place(folder, people, policy)
    lines = place.rows()
    at = lines[0].index("kidney_disease")
    ill = [line for line in lines[1:] if line[at] == "yes"]
    inside = {line[0] for line in ill[:25]}
    lines = [
        line + ["clinic" if i == 0 else "here" if line[0] in inside else "none"]
        for i, line in enumerate(lines)
    ]
    index, refusal = place.build("a", rows=lines)
    if refusal:
        return refused("clinic of 25", refusal)
    kidney = people.names.index("kidney_disease")
    served = product.profiles(people, index)[kidney][:, people.values[kidney].index("yes")]
    mine = [int(name[1:]) for name in inside]
    release = product.read_release(people, index, place.key, 3)
    yes = release.shown[:, people.private.index(kidney)] == people.values[kidney].index("yes")
    base = np.mean([(served[r] - yes[r] / 3) / (2 / 3) for r in mine])
    told = re.search(r"rows with clinic=here, [0-9]+ show kidney_disease=yes", place.said)
    return Outcome(
        "clinic of 25",
        f"share {base:.2f} where {len(ill) / people.rows:.2f} have it; {'named' if told else 'no word of it'}",
        "" if told and base < 1 / 3 else "no word of it, or a share that tells",
    )


# ---- Line 9: sets of values under cluster ----

SETS = {
    "occupation": "craft-repair machine-op-inspct transport-moving handlers-cleaners farming-fishing".split(),
    "native_country": "mexico philippines germany puerto-rico canada el-salvador india cuba china".split(),
}


def line9(folder: Path, rows: int) -> list[Outcome]:
    """Two private columns, few public ones: clusters are small, and hold several values of a set."""
    text = (HERE / "policies" / "adult-careful.toml").read_text()
    parts = without_known(text).split("\n[column.")
    chosen = ("id", "age", "sex", *SETS)
    policy = "\n[column.".join(
        [parts[0], *(part for part in parts[1:] if part.split("]")[0] in chosen)]
    )
    declared = policy
    for name, values in SETS.items():
        line = f'[column.{name}]\nrole = "private"\n'
        declared = declared.replace(line, line + f"sensitive_sets = [{values}]\n".replace("'", '"'))
    (folder := Path(folder)).mkdir(parents=True, exist_ok=True)
    (folder / "policy.toml").write_text(policy)
    people = load("adult", folder / "policy.toml").pick(np.arange(rows))
    return [
        sets_under_cluster(Place(folder, people, policy), "sets, cluster"),
        sets_under_cluster(Place(folder, people, declared), "sets, cluster, declared"),
    ]


def sets_under_cluster(place: Place, what: str) -> Outcome:
    """For declared sets also what the audit's level `sets` says of the same index."""
    index, refusal = place.build("a", "--scheme", "cluster")
    if refusal:
        return refused(what, refusal)
    gains = set_gains(place, index)
    above = float(np.mean(gains > 1 / 3 + 1e-9))
    figure = f"gain > 1/3 for {above:.3f}, largest {gains.max():.2f}"
    if not what.endswith("declared"):
        return Outcome(what, figure)
    table = place.folder / "table.csv"
    told = product.audited(index, table, place.policy, ["sets"])["sets"].values()
    reported = sum(one["above"][0] for one in told) / sum(one["cases"] for one in told)
    largest = max(one["largest"] for one in told)
    figure += f"; the audit says {reported:.3f}, largest {largest:.2f}"
    if abs(reported - above) > 0.02 or abs(largest - gains.max()) > 0.02:
        return Outcome(what, figure, "the audit says something else")
    return Outcome(what, figure, "sets gain more" if gains.max() > 1 / 3 + CHANCE else "")


def set_gains(place: Place, index: Path) -> np.ndarray:
    """Over shares of rows alike in public, of whether a row has any value of the set."""
    people, gains = place.table, []
    served = product.profiles(people, index)
    at = {name: j for j, name in enumerate(people.names)}
    group = plain_swap.rung_groups(people, [[at["age"], at["sex"]], [at["age"]]])
    for name, values in SETS.items():
        inside = np.isin(np.array(people.values[at[name]]), values)
        has = inside[people.codes[:, at[name]]]
        prior = (np.bincount(group, weights=has) / np.bincount(group))[group]
        after = served[at[name]][:, inside].sum(axis=1)
        gains.append((after - prior) / np.maximum(1 - prior, 1e-9))
    return np.concatenate(gains)
