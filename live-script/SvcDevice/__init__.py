"""SVC Device's remote script: lets the device drive the Set that is open in Live.

Live imports this folder by its name and asks for an instance, at start and again after each Set that is loaded.
"""


def create_instance(c_instance):
    # Imported here, so that a file that cannot be read shows in Live's log under this script's name.
    from .control_surface import SvcDevice

    return SvcDevice(c_instance)
