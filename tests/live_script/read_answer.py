"""The answer of a bulk read, object by object: what a device makes of its tables."""


class Read:
    """`get`, `count`, `children`, `notes`, `display` and `refused` of each object by its id, as far as they were read;
    and `objects`, the class and the path of each that is told of."""

    def __init__(self, answer):
        self.objects = {int(number): tuple(told) for number, told in answer["objects"].items()}
        self._of = {}
        # Child lists that stand in a column, by object and name.
        self._lists = {}
        for table in answer["tables"]:
            self._take(table)

    def of(self, number):
        return self._of.setdefault(number, {})

    def by_path(self):
        """Ids by the paths of their objects."""
        return {path: number for number, (_, path) in self.objects.items()}

    def everything(self):
        return {path: (name, self._of.get(number)) for number, (name, path) in self.objects.items()}

    def _take(self, table):
        numbers = table["of"]
        if isinstance(numbers, dict):
            lists = [self._lists[(number, numbers["name"])] for number in numbers["lists"]]
            numbers = sum(lists, [])[numbers["from"]:numbers["from"] + numbers["count"]]
        for part in ("get", "count", "children"):
            for name, column in table.get(part, {}).items():
                assert len(column) == len(numbers), (name, column, numbers)
                self._take_column(numbers, part, name, column, table.get("left_out", {}).get(name, {}))
        for name, tracks in table.get("rows", {}).items():
            for number in numbers:
                place = int(self.objects[number][1].split()[-1])
                row = [self.of(track)["children"][name][place] for track in tracks]
                self.of(number).setdefault("children", {})[name] = row
        for name, classes in table.get("places", {}).items():
            self._take_places(numbers, name, table["children"][name], classes)
        for name, whys in table.get("left_out", {}).items():
            for number, why in whys.items():
                if why is not None:
                    self.of(int(number)).setdefault("refused", {})[name] = why
        for part in ("notes", "display"):
            for number, one in zip(numbers, table.get(part, [])):
                if one is not None:
                    self.of(number)[part] = one

    def _take_column(self, numbers, part, name, column, left_out):
        for number, value in zip(numbers, column):
            if str(number) not in left_out:
                if part == "children" and isinstance(value, list):
                    self._lists[(number, name)] = value
                elif part == "children":
                    value = [value] if value else []
                self.of(number).setdefault(part, {})[name] = value

    def _take_places(self, numbers, name, column, classes):
        classes = iter(classes) if isinstance(classes, list) else None or _always(classes)
        for parent, children in zip(numbers, column):
            above = self.objects[parent][1]
            if isinstance(children, list):
                for at, child in enumerate(children):
                    self.objects[child] = (next(classes), "%s %s %d" % (above, name, at))
            elif children:
                self.objects[children] = (next(classes), "%s %s" % (above, name))


def _always(one):
    while True:
        yield one
