"""Requests that depend on what files contain: filing notes, changing settings, reporting orders."""

from random import Random
from shlex import quote

from palaestra.generators.tools.shell.trees import Entry
from palaestra.generators.tools.shell_session.family import (
    WORDS,
    Draft,
    Family,
    Names,
    Terms,
    Use,
    awk,
    quoted,
    roles,
    sentence,
)

STATUSES = ("open", "closed", "waiting", "rejected")
OWNERS = ("Vera Lind", "Omar Said", "Ines Roth", "Paul Berg", "Yuki Mori", "Nora Falk")

# Filing notes


def draw_notes(rng: Random, area: str, size: int, odd: bool) -> Draft:
    """Notes with a header, of which those of a project with a status are to be moved."""
    names = Names(rng, odd)
    folders = names.folders(area, 2 + size // 6)
    project, other = (word.title() for word in rng.sample(WORDS, 2))
    status = rng.choice(STATUSES)
    target = f"{rng.choice([area, 'filed'])}/{project.lower()}-{status}"
    tree: dict[str, Entry] = {}
    wanted: dict[str, Entry] = {}
    traps = ("body", "longer", "suffix", "status")
    for role in roles(rng, size, 2, traps, "other"):
        name = names.stem() + (rng.choice([".txt.bak", ".md"]) if role == "suffix" else ".txt")
        path = f"{rng.choice(folders)}/{name}"
        entry = Entry("file", _note(rng, role, project, other, status))
        tree[path] = entry
        wanted[f"{target}/{name}" if role == "right" else path] = entry
    return Draft(tree, wanted, {"project": project, "status": status, "target": target})


def _note(rng: Random, role: str, project: str, other: str, status: str) -> str:
    others = [each for each in STATUSES if each != status]
    heading = {"longer": f"{project} {rng.choice(('North', 'South'))}", "other": other}
    named = heading.get(role, other if role == "body" else project)
    state = rng.choice(others) if role in {"status", "body"} else status
    if role == "other":
        named, state = rng.choice([(other, state), (other, rng.choice(others))])
    header = [f"Project: {named}", f"Status: {state}", f"Owner: {rng.choice(OWNERS)}"]
    rng.shuffle(header)
    body = [sentence(rng) for _ in range(rng.randint(1, 3))]
    if role == "body":
        body += [f"Project: {project}", f"Status: {status}"]
    if role == "right" and rng.random() < 0.5:
        body += [f"Project: {other}", f"Status: {rng.choice(others)}"]
    return "\n".join([*header, "", *body]) + "\n"


def file_notes(use: Use, area: str, terms: Terms) -> None:
    """Read a note, list those whose header fits, and move them."""
    use(f"ls {quote(area)}; find {quote(area)} -name '*.txt' | sort | head -n 1 | tr '\\n' '\\0' "
        "| xargs -0 cat")  # fmt: skip
    program = (
        "FNR == 1 { header = 1; fit = 0 } "
        f'header && $0 == "Project: {terms["project"]}" {{ fit++ }} '
        f'header && $0 == "Status: {terms["status"]}" {{ fit++ }} '
        'header && $0 == "" { header = 0; if (fit == 2) print FILENAME }'
    )
    paths = use(awk(area, "*.txt", program))
    target = quote(terms["target"])
    use(f"mkdir -p {target}\nmv -n -t {target} -- {quoted(paths)}\nls {target}")


def careless_notes(area: str, terms: Terms) -> str:
    """Move all files that name the project."""
    target = quote(terms["target"])
    return (
        f"mkdir -p {target}; grep -rlZ 'Project: {terms['project']}' {quote(area)} "
        f"| xargs -0 mv -t {target}"
    )


NOTES = Family(
    ("notes", "papers", "cases", "tickets", "dossiers"),
    (
        "Move the notes of project {project} with status {status} from {area} to {target}.",
        (
            "In {area} there are notes. Those with status {status} of project {project} belong in "
            "{target}; move them there."
        ),
        (
            "{target} is to hold all notes below {area} whose project is {project} and whose "
            "status is "
            "{status}. Move them."
        ),
        (
            "Please file notes: status {status}, project {project}, from anywhere below {area}, "
            "into "
            "the directory {target}."
        ),
        (
            "Below {area}, find the notes whose status is {status}. Move the ones of project "
            "{project} "
            "into {target}."
        ),
    ),
    "A note is a .txt file anywhere below {area}; its project and status are in its header, which "
    "ends at the first empty line. Project and status match in full. File names stay the same.",
    draw_notes,
    file_notes,
    careless_notes,
)

# Changing settings

REGIONS = ("eu-west", "eu-north", "us-east", "us-west", "ap-south")


def draw_settings(rng: Random, area: str, size: int, odd: bool) -> Draft:
    """Configuration files in sections, of which some get another host in one section."""
    names = Names(rng, odd)
    folders = names.folders(area, 2 + size // 6)
    section, rest = rng.choice(
        [("database", "cache"), ("queue", "database"), ("cache", "storage"), ("storage", "queue")]
    )
    word, successor = rng.sample(WORDS, 2)
    number = rng.randint(1, 9)
    old, new = f"{word}{number}.internal", f"{successor}{rng.randint(1, 9)}.internal"
    near = f"{word}{number}{rng.randint(0, 9)}.internal"
    region, elsewhere = rng.sample(REGIONS, 2)
    tree: dict[str, Entry] = {}
    wanted: dict[str, Entry] = {}
    traps = ("region", "section", "near", "suffix", "comment")
    for role in roles(rng, size, 2, traps, "region"):
        name = names.stem() + (
            rng.choice([".conf.old", ".conf.bak"]) if role == "suffix" else ".conf"
        )
        path = f"{rng.choice(folders)}/{name}"
        host = {"near": near, "section": f"{successor}.internal", "comment": near}.get(role, old)
        first = [
            "[service]",
            f"region = {elsewhere if role == 'region' else region}",
            f"port = {rng.randint(8000, 8999)}",
        ]
        main = [f"[{section}]", f"host = {host}", f"port = {rng.randint(5000, 5999)}"]
        if role == "comment" or rng.random() < 0.3:
            main.insert(1, f"# host = {old}")
        if rng.random() < 0.5:
            main.append(f"replica_host = {old}")
        other = [f"[{rest}]", f"host = {rng.choice([old, near]) if role != 'section' else old}"]
        parts = [first, main, other]
        rng.shuffle(parts)
        text = "\n\n".join("\n".join(part) for part in parts) + "\n"
        tree[path] = wanted[path] = Entry("file", text)
        if role == "right":
            main[main.index(f"host = {old}")] = f"host = {new}"
            text = "\n\n".join("\n".join(part) for part in parts) + "\n"
            wanted[path] = Entry("file", text)
    terms = {"section": section, "old": old, "new": new, "region": region}
    return Draft(tree, wanted, terms)


def change_settings(use: Use, area: str, terms: Terms) -> None:
    """Read a file, list those that fit, and edit them."""
    use(f"find {quote(area)} -name '*.conf' | sort | head -n 1 | tr '\\n' '\\0' | xargs -0 cat")
    program = (
        'FNR == 1 { section = ""; region = 0; host = 0 } /^\\[/ { section = $0 } '
        f'section == "[service]" && $0 == "region = {terms["region"]}" {{ region = 1 }} '
        f'section == "[{terms["section"]}]" && $0 == "host = {terms["old"]}" {{ host = 1 }} '
        "region && host { print FILENAME; nextfile }"
    )
    paths = use(awk(area, "*.conf", program))
    old, new = terms["old"].replace(".", "\\."), terms["new"]
    edit = f"/^\\[{terms['section']}\\]$/,/^\\[/ s/^host = {old}$/host = {new}/"
    use(f"sed -i {quote(edit)} -- {quoted(paths)}\ngrep -n {quote(new)} -- {quoted(paths)}")


def careless_settings(area: str, terms: Terms) -> str:
    """Replace the host wherever it is named."""
    edit = f"s/{terms['old']}/{terms['new']}/"
    return f"grep -rlZ {quote(terms['old'])} {quote(area)} | xargs -0 sed -i {quote(edit)}"


SETTINGS = Family(
    ("services", "config", "etc", "daemons", "settings"),
    (
        (
            "The {section} of region {region} has moved from host {old} to {new}: adapt the "
            "configuration files below {area}."
        ),
        (
            "Below {area}, set the host in section [{section}] to {new} where it is {old}, for all "
            "services in region {region}."
        ),
        (
            "Services in region {region} that use {old} as their {section} must use {new}. Their "
            "configuration is in {area}."
        ),
        (
            "Replace the {section} host {old} by {new} in the configuration in {area}, but only "
            "for "
            "region {region}."
        ),
        (
            "{new} replaces {old} as the {section} host. Change the files in {area} of the "
            "services "
            "whose region is {region}."
        ),
    ),
    "Configuration files have names that end in .conf and may be anywhere below {area}. The region "
    "is in section [service]; change the key host in section [{section}] alone, and only where its "
    "value is exactly {old}. Leave all other keys, sections, comments and files as they are.",
    draw_settings,
    change_settings,
    careless_settings,
)

# Reporting orders

CITIES = ("Lima", "Oslo", "Bonn", "Kobe", "Turin", "Porto", "Quito", "Dakar")
STATES = ("paid", "due", "void", "held")
COLUMNS = ("id", "customer", "city", "state", "amount")


def draw_orders(rng: Random, area: str, size: int, odd: bool) -> Draft:
    """Tables of orders whose columns are in different orders, and the report on some of them."""
    names = Names(rng, odd)
    folders = names.folders(area, 2 + size // 6)
    city, other = rng.sample(CITIES, 2)
    state, second = rng.sample(STATES, 2)
    numbers = rng.sample(range(100, 12_000), size * 3)
    tables = max(2, size // 3)
    tree: dict[str, Entry] = {}
    chosen: list[tuple[int, int]] = []
    traps = ("customer", "longer", "state", "city")
    rows = list(zip(numbers, roles(rng, len(numbers), 3, traps, "city")))
    for n in range(tables + 1):
        is_old = n == tables
        columns = rng.sample(COLUMNS, len(COLUMNS))
        lines = [",".join(columns)]
        for number, role in rows[:3] if is_old else rows[n::tables]:
            row = {
                "id": str(number),
                "customer": f"{rng.choice([city, *CITIES]) if role != 'customer' else city} "
                f"{rng.choice(('Traders', 'Stores', 'Foods'))}",
                "city": {"longer": f"{city} Norte", "city": other, "customer": other}.get(
                    role, city
                ),
                "state": second if role == "state" else state,
                "amount": str(rng.randint(5, 990)),
            }
            lines.append(",".join(row[column] for column in columns))
            if role == "right" and not is_old:
                chosen.append((number, int(row["amount"])))
        name = names.stem() + (".csv.old" if is_old else ".csv")
        tree[f"{rng.choice(folders)}/{name}"] = Entry("file", "\n".join(lines) + "\n")
    target = f"reports/{city.lower()}-{state}-{rng.randint(1, 99)}.csv"
    lines = [f"{number},{amount}" for number, amount in sorted(chosen)]
    lines.append(f"total,{sum(amount for _, amount in chosen)}")
    report = Entry("file", "\n".join(lines) + "\n")
    return Draft(tree, {**tree, target: report}, {"city": city, "state": state, "target": target})


def report_orders(use: Use, area: str, terms: Terms) -> None:
    """Read a table, list the orders that fit by the columns of each table, and write the report."""
    use(f"find {quote(area)} -name '*.csv' | sort | head -n 1 | tr '\\n' '\\0' | xargs -0 cat")
    program = (
        'BEGIN { FS = "," } FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } '
        f'$at["city"] == "{terms["city"]}" && $at["state"] == "{terms["state"]}" '
        '{ print $at["id"] "," $at["amount"] }'
    )
    orders = [line.split(",") for line in use(awk(area, "*.csv", program))]
    orders.sort(key=lambda order: int(order[0]))
    lines = [",".join(order) for order in orders]
    lines.append(f"total,{sum(int(amount) for _, amount in orders)}")
    report = "\n".join(lines)
    target = quote(terms["target"])
    use(f"mkdir -p $(dirname {target})\ncat > {target} <<'END'\n{report}\nEND")


def careless_orders(area: str, terms: Terms) -> str:
    """Write all lines that name the city and the state."""
    target = quote(terms["target"])
    return (
        f"mkdir -p $(dirname {target}); grep -rh {terms['city']} {quote(area)} "
        f"| grep {terms['state']} | sort -n > {target}"
    )


ORDERS = Family(
    ("orders", "sales", "exports", "tables", "accounts"),
    (
        (
            "Write a report to {target} on the orders from {city} that are {state}; the tables "
            "are in "
            "{area}."
        ),
        (
            "Of all orders in the tables below {area}, list those with state {state} and city "
            "{city} in "
            "the new file {target}."
        ),
        "We need {target}: the orders in {area} whose city is {city} and whose state is {state}.",
        "Extract the orders with state {state} from {area}, city {city} only, to {target}.",
        "{city}, state {state}: make a list of these orders in {target} from the tables in {area}.",
    ),
    "The tables are the .csv files anywhere below {area}; their columns have names and are in "
    "different orders. City and state match in full. The report has a line id,amount for each "
    "order, by ascending id, and then a last line total,SUM with the sum of the amounts, no header "
    "and no spaces.",
    draw_orders,
    report_orders,
    careless_orders,
)
