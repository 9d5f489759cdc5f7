"""Reads the type stubs of Live's Python API (`ableton-live-stubs` of PyPI, MIT) into one table.

The stubs have no behaviour. They say which classes there are, what can be read, written, called and listened to, and
what the signatures are. `surface.json` is that table; a test makes it anew and compares.

`python tests/fake_live/stubs.py` writes it.
"""

import ast
import importlib.metadata
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
SURFACE = os.path.join(HERE, "surface.json")
PACKAGE = "ableton-live-stubs"


def stub_files():
    """The stub files of the installed package, by module name."""
    found = {}
    for path in importlib.metadata.files(PACKAGE) or []:
        if path.suffix == ".pyi" and path.stem != "__init__":
            found[path.stem] = str(path.locate())
    return found


def read_stubs():
    """The table of the installed stubs."""
    classes, functions = {}, {}
    for module, path in sorted(stub_files().items()):
        with open(path, encoding="utf-8") as file:
            body = ast.parse(file.read()).body
        for node in body:
            if isinstance(node, ast.FunctionDef):
                functions[module + "." + node.name] = signature(node, skip_self=False)
        read_classes(body, module, classes)
    return {"stubs": importlib.metadata.version(PACKAGE), "classes": classes, "functions": functions}


def read_classes(body, prefix, into):
    for node in body:
        if isinstance(node, ast.ClassDef):
            name = prefix + "." + node.name
            into[name] = read_class(node)
            read_classes(node.body, name, into)


def read_class(node):
    read = {"bases": [ast.unparse(base) for base in node.bases], "properties": {}, "functions": {}, "listen": []}
    values = {}
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and item.value is not None:
            values[item.target.id] = ast.literal_eval(item.value)
        if not isinstance(item, ast.FunctionDef):
            continue
        marks = [ast.unparse(mark) for mark in item.decorator_list]
        if "property" in marks:
            known = read["properties"].get(item.name, {})
            read["properties"][item.name] = {"type": text_of(item.returns), "settable": known.get("settable", False)}
        elif item.name + ".setter" in marks:
            read["properties"][item.name]["settable"] = True
        elif item.name == "__init__":
            read["init"] = signature(item)["args"]
        elif item.name.startswith("__"):
            continue
        elif item.name.startswith("add_") and item.name.endswith("_listener"):
            read["listen"].append(item.name[len("add_"):-len("_listener")])
        elif item.name.endswith("_has_listener") or is_removal(item.name):
            continue
        else:
            read["functions"][item.name] = signature(item)
    if values:
        read["values"] = values
    return read


def is_removal(name):
    return name.startswith("remove_") and name.endswith("_listener")


def signature(node, skip_self=True):
    """`args` as [name, type, whether it may be left out], and the type that is given back."""
    plain = (node.args.posonlyargs + node.args.args)[1 if skip_self else 0:]
    optional = len(plain) - len(node.args.defaults)
    args = [[arg.arg, text_of(arg.annotation), at >= optional] for at, arg in enumerate(plain)]
    return {"args": args, "returns": text_of(node.returns)}


def text_of(annotation):
    return "object" if annotation is None else ast.unparse(annotation)


def surface():
    """The table that is checked in."""
    with open(SURFACE, encoding="utf-8") as file:
        return json.load(file)


def as_text(table):
    """The table as text: a line for each class, so that a change of the stubs reads as one."""
    lines = ['{"stubs": %s,' % json.dumps(table["stubs"]), '"classes": {']
    lines.append(",\n".join("%s: %s" % (json.dumps(k), json.dumps(v, sort_keys=True)) for k, v in
                            sorted(table["classes"].items())))
    lines.append('},\n"functions": {')
    lines.append(",\n".join("%s: %s" % (json.dumps(k), json.dumps(v, sort_keys=True)) for k, v in
                            sorted(table["functions"].items())))
    lines.append("}}\n")
    return "\n".join(lines)


if __name__ == "__main__":
    with open(SURFACE, "w", encoding="utf-8") as out:
        out.write(as_text(read_stubs()))
