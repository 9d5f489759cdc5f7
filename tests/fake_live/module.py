"""The package `Live` as scripts import it."""

import sys
import types

from .boost import Boost, Wrapper, label
from .conversions import FUNCTIONS
from .values import make_values


class LimitationError(Exception):
    pass


class Timer:
    """Live's timer: an exception in the callback stops it for good."""

    made = []

    def __init__(self, callback, interval, repeat=False, start=False):
        self.callback = callback
        self.interval = interval
        self.repeat = repeat
        self.running = False
        Timer.made.append(self)
        if start:
            self.start()

    def start(self):
        self.running = True

    def restart(self):
        self.running = True

    def stop(self):
        self.running = False


def install(world, surface, behaviours, without=(), with_timer=True):
    """Makes `Live` importable. `without` names members that this Live is too old for, such as
    `Song.Song.begin_undo_step`."""
    boost = world.boost = Boost(world, surface, behaviours, without)
    boost.values.update(make_values(boost))
    world.errors = {"LimitationError": LimitationError}
    live = types.ModuleType("Live")
    live.__path__ = []
    for module in sorted({name.split(".")[0] for name in list(surface["classes"]) + list(surface["functions"])}):
        made = types.ModuleType("Live." + module)
        setattr(live, module, made)
        sys.modules["Live." + module] = made
    for name in surface["classes"]:
        put(live, name, class_for(boost, name))
    for name, told in surface["functions"].items():
        put(live, name, function_for(boost, name, told))
    live.Base.LimitationError = LimitationError
    live.Application.get_application = lambda: boost.wrapper(world.app)
    if with_timer:
        live.Base.Timer = Timer
    else:
        del live.Base.Timer
    sys.modules["Live"] = live
    return live


def put(live, name, value):
    at = live
    words = name.split(".")
    for word in words[:-1]:
        at = getattr(at, word)
    # A type's attributes are set on the type itself, past what guards its instances.
    type.__setattr__(at, words[-1], value) if isinstance(at, type) else setattr(at, words[-1], value)


def class_for(boost, name):
    simple = name.rsplit(".", 1)[1]
    if name in boost.classes:
        return boost.classes[name]
    if simple in boost.enums:
        return boost.enums[simple]
    if simple in boost.values:
        return boost.values[simple]
    if simple.endswith("Vector"):
        return boost.vector_of(simple)
    return type(simple, (Wrapper,), {"__slots__": ()})


def function_for(boost, name, told):
    run = FUNCTIONS.get(name)

    def call(*args):
        if run is None:
            boost.world.not_modelled.append(name)
            raise RuntimeError("the fake does not model %s" % name)
        if len(args) != len(told["args"]):
            boost.mismatch(name, args)
        for (_, kind, _), value in zip(told["args"], args):
            boost.check(name, kind, value)
        if not name.rsplit(".", 1)[1].startswith("is_"):
            boost.world.changing()
            boost.world.police.wrote(name, label(boost.unwrap(args[0])))
        return boost.wrap(told["returns"], run(*[boost.unwrap(arg) for arg in args]))
    return call
