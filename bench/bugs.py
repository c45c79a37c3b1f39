#!/usr/bin/env python3
"""Runs the models of bench/models/{puzzles,shapes,bugs} with a fairhold binary, and prints a table.

A puzzle has a goal that is reached, a shape leads some search astray, and a bug has a Promela twin in
bench/spin/bugs. Every assertion is a run of its own, with -j 1 and with -j 2, so that `seconds` and `peak_mb`
belong to it alone; the notions of fairness that its expectation lists share that run. A twin goes through
`spin -a`, `cc -O2` and `pan`, with partial order reduction, as people run SPIN.

    bench/bugs.py target/release/fairhold                    everything; takes a while
    bench/bugs.py target/release/fairhold peg shapes/        names that contain one of these
    bench/bugs.py old new --repeat 3 counters                two binaries by turns, the least time of three
    bench/bugs.py --list

The sign (!) marks a verdict that is not the expected one, `unknown` included. The exit status is 1 if there is
any, if a twin finds no bug, or if a program breaks down.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

BENCH = pathlib.Path(__file__).resolve().parent
FOLDERS = ("puzzles", "shapes", "bugs")
# Nothing is wrong with these, and their states never end: `unknown` is what there is to say.
ENDLESS = {"shapes/queue_lock_mended"}
# A limit is per assertion; over it a run has this many seconds to say so and to end.
GRACE = 60
COLUMNS = ("model", "assertion", "fairness", "program", "verdict", "", "seconds", "states", "peak_mb", "note")
WIDTHS = (27, 38, 8, 13, 8, 3, 9, 12, 9, 0)
RIGHT = {"seconds", "states", "peak_mb"}


def models(wanted):
    """The models whose name, such as `puzzles/hanoi`, contains one of `wanted`; all of them if that is empty."""
    for folder in FOLDERS:
        for path in sorted((BENCH / "models" / folder).glob("*.csp")):
            name = f"{folder}/{path.stem}"
            if not wanted or any(part in name for part in wanted):
                yield name, path


def assertions(path):
    """How many assertions a model has."""
    return len(re.findall(r"^#assert\b", path.read_text(), re.MULTILINE))


def run(command, limit, directory=None):
    """Runs a command; returns its output, its exit status (None if it had to be killed) and the seconds it took."""
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, cwd=directory)
        return done.stdout, done.stderr, done.returncode, time.monotonic() - start
    except subprocess.TimeoutExpired:
        return "", "killed", None, time.monotonic() - start


def broken(status, errors):
    """The one row of a run that gave no answer."""
    last = errors.strip().splitlines()[-1:] or [""]
    return [{"verdict": "broken", "note": f"exit status {status}: {last[0]}"}]


def fairhold(binary, path, index, threads, options):
    """What `fairhold check` says on one assertion: a row for each notion of fairness."""
    command = [binary, "check", str(path), "-a", str(index), "-j", str(threads), "--format", "json",
               "--trace", "none", "--timeout", str(options.timeout), "--max-memory", options.memory,
               *options.argument]
    # The notions share an exploration, but some answers take a search of their own.
    output, errors, status, _ = run(command, 6 * options.timeout + GRACE)
    try:
        results = json.loads(output)["results"]
    except (ValueError, KeyError):
        results = []
    if not results or status not in (0, 1, 3):
        return broken(status, errors)
    return [{
        "assertion": result["assertion"],
        "fairness": result["fairness"] or "",
        "verdict": result["verdict"],
        "expected": result["expected"],
        "seconds": result["seconds"],
        "states": result["states"],
        "peak_mb": result["peak_mb"],
        "note": result["reason"] or "" if result["verdict"] in ("unknown", "error") else "",
    } for result in results]


def spin(path, options):
    """What SPIN says on a twin; the seconds are those of `pan`, and the note has those of `spin -a` and `cc`."""
    text = path.read_text()
    depth = re.search(r"\./pan .*-m(\d+)", text)
    claim = ["-a"] if re.search(r"^ltl\b", text, re.MULTILINE) else []
    with tempfile.TemporaryDirectory() as directory:
        built = 0.0
        for command in (["spin", "-a", str(path)], ["cc", "-O2", "-w", "-DMEMLIM=4096", "-o", "pan", "pan.c"]):
            output, errors, status, seconds = run(command, GRACE, directory)
            built += seconds
            if status != 0:
                return broken(status, errors or output)
        command = ["./pan", *claim, f"-m{depth.group(1) if depth else 1000000}"]
        output, errors, status, seconds = run(command, options.timeout, directory)
    found = re.search(r"errors: (\d+)", output)
    if not found:
        return [{"verdict": "unknown", "seconds": seconds, "note": "out of time"}] if status is None \
            else broken(status, errors or output)
    whole = "max search depth too small" not in output and "Search not completed" not in output
    verdict = "fails" if int(found.group(1)) > 0 else "holds" if whole else "unknown"
    memory = re.search(r"([\d.]+)\s+total actual memory usage", output)
    return [{
        "assertion": "(the twin)",
        "verdict": verdict,
        "expected": "fails",
        "seconds": seconds,
        "states": int(float(re.search(r"([\d.e+]+) states, stored", output).group(1))),
        "peak_mb": float(memory.group(1)) if memory else None,
        "note": f"{built:.1f} s to build",
    }]


def least(runs):
    """Of several runs of the same, that with the least time; rows are told apart by their place."""
    return min(runs, key=lambda rows: sum(row.get("seconds") or 0.0 for row in rows))


def line(values):
    """One line of the table."""
    cells = []
    for column, width, value in zip(COLUMNS, WIDTHS, values):
        if width and len(value) > width:
            value = value[:width - 2] + ".."
        cells.append(value.rjust(width) if column in RIGHT else value.ljust(width))
    return "  ".join(cells).rstrip()


def show(name, program, row):
    """Prints a row; returns whether its verdict is as it should be."""
    verdict, expected = row["verdict"], row.get("expected")
    right = [expected] if expected else ["unknown"] if name in ENDLESS else ["holds", "fails"]
    well = verdict in right
    seconds, states, peak = row.get("seconds"), row.get("states"), row.get("peak_mb")
    print(line((
        name, row.get("assertion", ""), row.get("fairness", ""), program, verdict, "" if well else "(!)",
        "" if seconds is None else f"{seconds:.3f}", "" if states is None else f"{states:,}",
        "" if peak is None else f"{peak:.0f}", row.get("note", ""))), flush=True)
    return well


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="BINARY | NAME",
                        help="one or two files that are fairhold binaries, then parts of names of models")
    parser.add_argument("--list", action="store_true", help="list the models and end")
    parser.add_argument("-j", "--threads", default="1,2", help="numbers of threads (default: 1,2)")
    parser.add_argument("--timeout", type=int, default=60, metavar="S", help="limit of an assertion (default: 60)")
    parser.add_argument("--memory", default="4G", metavar="SIZE", help="limit of an assertion (default: 4G)")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="run each N times, keep the least time")
    parser.add_argument("--argument", action="append", default=[], metavar="ARG",
                        help="passed on to fairhold, such as --argument=--compact; may be repeated")
    parser.add_argument("--no-spin", action="store_true", help="leave the Promela twins out")
    parser.add_argument("--json", metavar="FILE", help="write the rows there as well")
    options = parser.parse_args()

    binaries = []
    names = list(options.what)
    while names and len(binaries) < 2 and pathlib.Path(names[0]).is_file():
        binaries.append(str(pathlib.Path(names.pop(0)).resolve()))
    chosen = list(models(names))
    if not chosen:
        parser.error("no model has such a name; see --list")
    if options.list:
        for name, path in chosen:
            print(f"{name}  ({assertions(path)})")
        return 0
    if not binaries:
        parser.error("no fairhold binary is given")
    labels = ("A", "B") if len(binaries) == 2 else ("fairhold",)
    for label, binary in zip(labels, binaries):
        print(f"{label}: {binary}")

    well, rows = True, []

    def report(name, program, results):
        nonlocal well
        for row in results:
            well &= show(name, program, row)
            rows.append({"model": name, "program": program, **row})

    print(line(COLUMNS))
    for name, path in chosen:
        for index in range(assertions(path)):
            for threads in options.threads.split(","):
                runs = {label: [] for label in labels}
                for _ in range(options.repeat):
                    for label, binary in zip(labels, binaries):
                        runs[label].append(fairhold(binary, path, index, threads, options))
                best = {label: least(runs[label]) for label in labels}
                for label in labels:
                    report(name, f"{label} -j {threads}", best[label])
                if len(labels) == 2:
                    ours, theirs = (sum(row.get("seconds") or 0.0 for row in best[label]) for label in labels)
                    if min(ours, theirs) > 0.0:
                        print(f"    B takes {theirs / ours:.2f} times the time of A", flush=True)
        twin = BENCH / "spin" / "bugs" / f"{path.stem}.pml"
        if name.startswith("bugs/") and twin.exists() and not options.no_spin:
            report(name, "spin", least([spin(twin, options) for _ in range(options.repeat)]))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
