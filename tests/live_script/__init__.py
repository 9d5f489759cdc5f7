"""The script of `live-script/` in a fake Live, spoken to as a device speaks to it."""
