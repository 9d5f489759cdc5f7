"""The children of objects: ids of whole lists at once, as large reads need them.

A list that was read before and that no listener has marked since is the same: then its length and its two ends are all
that is looked at.
"""

from .ids import Listing
from .places import is_place


def of_list(visit, parent, parent_id, info, name):
    """The ids of a child list, in its order."""
    if is_place(info, name):
        return listed(visit, parent, parent_id, info, name).numbers
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
    if scenes is None or scenes.numbers[at] != scene_id or at >= min(len(column.numbers) for column in columns):
        return False
    found = scene.clip_slots
    if len(found) != len(columns):
        return False
    ends = ((found[0], columns[0]), (found[-1], columns[-1]))
    return all(slot._live_ptr == column.pointers[at] for slot, column in ends)


def columns_of_slots(visit):
    """The ids of all tracks and their lists of slots, where those are known; else two empty lists."""
    table = visit.table
    tracks = table.listing(visit.number_of(visit.song), "tracks")
    if tracks is None or not visit.trusts_marks():
        return [], []
    columns = [table.listing(track, "clip_slots") for track in tracks.numbers]
    return ([], []) if None in columns else (tracks.numbers, columns)


def of_singles(visit, parents, parent_ids, info, name):
    """For each parent the id of its single child of that name, 0 where there is none."""
    numbers = [0] * len(parents)
    is_placed = is_place(info, name)
    if is_placed:
        visit.watch.places(parents, info.name, parent_ids, name)
    vacant = visit.watch.vacant(info.name, name)
    looked_at = range(len(parents))
    if vacant is not None and visit.trusts_marks():
        looked_at = [at for at in looked_at if parent_ids[at] not in vacant]
    for at in looked_at:
        child = getattr(parents[at], name)
        if child is None or child == None:  # noqa: E711
            if vacant is not None and visit.watch.tells_of(parent_ids[at], name):
                vacant.add(parent_ids[at])
        elif is_placed:
            numbers[at] = visit.table.placed(child._live_ptr, visit.class_of(child).name, parent_ids[at], name, None)
            visit.take(numbers[at], child)
        else:
            numbers[at] = visit.number_of(child)
    return numbers
