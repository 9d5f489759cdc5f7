"""The children of objects: ids of whole lists at once, as large reads need them.

A list that was read before and that no listener has marked since is the same: then its length and its two ends are all
that is looked at.
"""

from .ids import Listing
from .places import is_place


NOTHING = Listing([], [], [])


def of_list(visit, parent, parent_id, info, name):
    """The ids of a child list, in its order."""
    if is_place(info, name):
        return listed(visit, parent, parent_id, info, name).numbers
    return routed(visit, parent, name)


def routed(visit, parent, name):
    """The ids of a list of objects that have their place elsewhere."""
    return [visit.number_of(child) for child in getattr(parent, name)]


def listed(visit, parent, parent_id, info, name):
    """A child list in its place."""
    table = visit.table
    found = list(getattr(parent, name))
    listing = table.listing(parent_id, name)
    if listing is None or not _is_same(visit, found, listing):
        visit.watch.place(parent, info.name, parent_id, name)
        listing = _read(visit, found, parent_id, name)
        if visit.watch.tells_of(parent_id, name):
            table.keep_listing(parent_id, name, listing)
    visit.take_list(parent_id, name, listing.numbers, found)
    return listing


def _is_same(visit, found, listing):
    pointers = listing.pointers
    if len(found) != len(pointers) or not visit.trusts_marks():
        return False
    return not found or found[0]._live_ptr == pointers[0] and found[-1]._live_ptr == pointers[-1]


def _read(visit, found, parent_id, name):
    pointers = [child._live_ptr for child in found]
    classes = [visit.class_of(child).name for child in found]
    place = visit.table.placed
    numbers = [place(pointer, class_name, parent_id, name, at)
               for at, (pointer, class_name) in enumerate(zip(pointers, classes))]
    return Listing(numbers, pointers, classes)


def is_row(visit, scene, scene_id, columns):
    """Whether the slots of a scene are its row in those of all tracks; its ends are looked at."""
    entry = visit.table.entry(scene_id)
    at = entry.index
    scenes = visit.table.listing(entry.parent, "scenes")
    if scenes is None or scenes.numbers[at] != scene_id:
        return False
    found = scene.clip_slots
    if len(found) != len(columns) or at >= len(columns[0].numbers):
        return False
    ends = ((found[0], columns[0]), (found[-1], columns[-1]))
    return all(slot._live_ptr == column.pointers[at] for slot, column in ends)


def columns_of_slots(visit):
    """The ids of all tracks and their lists of slots, where those are known and of one length; else two empty lists."""
    table = visit.table
    tracks = table.listing(visit.number_of(visit.song), "tracks")
    if tracks is None or not visit.trusts_marks():
        return [], []
    columns = [table.listing(track, "clip_slots") for track in tracks.numbers]
    if None in columns or len(set(len(column.numbers) for column in columns)) != 1:
        return [], []
    return tracks.numbers, columns


def of_singles(visit, parents, parent_ids, info, name):
    """For each parent the id of its single child of that name, 0 where there is none."""
    if not is_place(info, name):
        found = [getattr(parent, name) for parent in parents]
        return [visit.number_of(child) if child is not None and child != None else 0 for child in found]  # noqa: E711
    visit.watch.places(parents, info.name, parent_ids, name)
    seen = visit.watch.seen(info.name, name)
    if seen is not None:
        return _of_seen(visit, parents, parent_ids, name, seen)
    return [_single(visit, parent, number, name)[1] for parent, number in zip(parents, parent_ids)]


def _single(visit, parent, parent_id, name):
    """The pointer and the id of a single child, 0 where there is none."""
    child = getattr(parent, name)
    if child is None or child == None:  # noqa: E711
        return 0, 0
    pointer = child._live_ptr
    number = visit.table.placed(pointer, visit.class_of(child).name, parent_id, name, None)
    visit.take(number, child)
    return pointer, number


def _of_seen(visit, parents, parent_ids, name, seen):
    """Of those that were seen and not marked since, an empty one is not looked into, and of another one the pointer is
    looked at."""
    numbers = [0] * len(parents)
    trusts, entry = visit.trusts_marks(), visit.table.entry
    if trusts:
        looked_at = [at for at, number in enumerate(parent_ids) if seen.get(number, seen) is not None]
    else:
        looked_at = range(len(parents))
    for at in looked_at:
        parent_id = parent_ids[at]
        known = seen.get(parent_id) if trusts else None
        if known is not None:
            child = getattr(parents[at], name)
            if child is not None and child._live_ptr == known[0] and entry(known[1]) is not None:
                numbers[at] = known[1]
                visit.take(known[1], child)
                continue
        pointer, numbers[at] = _single(visit, parents[at], parent_id, name)
        if visit.watch.tells_of(parent_id, name):
            seen[parent_id] = (pointer, numbers[at]) if numbers[at] else None
    return numbers
