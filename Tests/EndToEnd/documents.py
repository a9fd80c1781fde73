"""Holds what commands print against docs/schemas, and sees that the schemas would find it wrong otherwise."""
import copy
import functools
import json
import os

from harness import REPO, Absent, Failure, check

SCHEMAS = os.path.join(REPO, "docs", "schemas")
# Members that a document may have or not, as cli.md has it: of two kinds of answers one has it, or it is only there where
# it says something.
MAY_BE_ABSENT = {
    "backup verify": ("reason",), "controllers export": ("dryRun",), "controllers forget": ("dryRun",),
    "controllers import": ("dryRun",), "gamelist export": ("dryRun",), "gamelist import": ("dryRun",),
    "doctor": ("before", "failure", "steps"), "launch": ("unpacked",), "sticks list": ("reason", "games", "files", "bytes"),
    "system boot-check": ("notes", "mustRestart"), "system keyboard": ("notes",), "system locale": ("notes",),
    "system overclock": ("notes",), "system timezone": ("notes",),
}
# Members whose own members have names of people's choice.
MAPS = ("bindings", "environment", "set")


@functools.cache
def validator(name):
    try:
        import jsonschema
    except ImportError as error:
        raise Absent("the Python module jsonschema") from error
    path = os.path.join(SCHEMAS, name + ".json")
    check(os.path.exists(path), f"there is no docs/schemas/{name}.json")
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def valid(document, command, what):
    """Holds a document of a command against its schema, and sees that the schema would have found it wrong otherwise."""
    name = command.replace(" ", "-")
    errors = sorted(validator(name).iter_errors(document), key=lambda error: list(map(str, error.absolute_path)))
    if errors:
        place = "/".join(map(str, errors[0].absolute_path))
        raise Failure(f"{what}: not as docs/schemas/{name}.json says, at /{place}: {errors[0].message[:300]}")
    for how, mutant in mutants(document, command):
        check(not validator(name).is_valid(mutant), f"docs/schemas/{name}.json takes a document {how}")


def mutants(document, command):
    """Documents that are wrong: of another kind, a member missing, of another kind, or one that nobody knows."""
    yield "that is nothing", None
    yield "that is a text", {"no": "such"} if isinstance(document, str) else "no such"
    if isinstance(document, dict):
        yield "that is a list", [document]
        if command != "config list":
            yield "that is empty", {}

    def changed(path, change):
        copied = copy.deepcopy(document)
        place = copied
        for key in path[:-1]:
            place = place[key]
        change(place, path[-1])
        return copied

    def remove(place, key):
        del place[key]

    def replace(place, key):
        place[key] = [1, {"no": "such"}]

    def add(place, key):
        place[key]["noSuchMember"] = 1

    def walk(value, path):
        where = "/".join(map(str, path))
        if path:
            yield f"with another kind of value at {where}", changed(path, replace)
            name = path[-1]
            may = name in MAY_BE_ABSENT.get(command, ()) or path[-2:-1] and path[-2] in MAPS or command == "config list"
            if isinstance(name, str) and not (may and len(path) < 4) and not name.endswith("Bytes") or name == "ssidBytes":
                yield f"without {where}", changed(path, remove)
        if isinstance(value, dict):
            if path:
                yield f"with more in {where}", changed(path, add)
            else:
                yield "with more in it", {**value, "noSuchMember": 1}
            for key, inner in value.items():
                yield from walk(inner, [*path, key])
        elif isinstance(value, list):
            # The others of a list are of the same kind.
            for index, inner in enumerate(value[:1]):
                yield from walk(inner, [*path, index])

    yield from walk(document, [])


def documented(document, command):
    """The document, as its schema says: for tests of something else, which need no schemas."""
    try:
        valid(document, command, command)
    except Absent:
        pass
    return document
