"""The tools of a smart home, which do not know the rules of the house."""

from palaestra.generators.tools.apps import equal, lister, reader, shown
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.records import RecordWorld
from palaestra.generators.tools.smart_home.house import FLOORS
from palaestra.generators.tools.smart_home.policy import RANGES
from palaestra.task import InvalidAnswer

TYPES = ("", *RANGES)


def _set_device(world: RecordWorld, arguments: Arguments) -> str:
    number, level = arguments.values()
    row = world.row("device", number)
    low, high = RANGES[row["type"]]
    if not low <= level <= high:
        raise InvalidAnswer(f"the level of a {row['type']} is from {low} to {high}")
    if not row["online"]:
        raise InvalidAnswer("the device is offline")
    world.update("device", number, level=level)
    return shown(number, world.row("device", number))


def _report_offline(world: RecordWorld, arguments: Arguments) -> str:
    number = arguments["device"]
    if world.row("device", number)["online"]:
        raise InvalidAnswer("the device is online")
    if any(row["device"] == number for _, row in world.rows("report")):
        raise InvalidAnswer("it is reported already")
    world.add("report", device=number)
    return "Somebody will look at the device."


def _decline(world: RecordWorld, arguments: Arguments) -> str:
    number = arguments["member"]
    name = world.row("member", number)["name"]
    world.add("refusal", member=number)
    return f"{name} knows that the request is declined."


def _time(text: str) -> str:
    """A time as it is stored. Raises :class:`InvalidAnswer` for what is none."""
    time = text.strip().rjust(5, "0")
    hours, _, minutes = time.partition(":")
    is_time = len(time) == 5 and time.isascii() and hours.isdecimal() and minutes.isdecimal()
    if not is_time or int(hours) > 23 or int(minutes) > 59:
        raise InvalidAnswer("a time is written as 06:30")
    return time


def _switch_schedule(world: RecordWorld, arguments: Arguments) -> str:
    world.update("schedule", arguments["schedule"], active=arguments["active"])
    return shown(arguments["schedule"], world.row("schedule", arguments["schedule"]))


def _move_schedule(world: RecordWorld, arguments: Arguments) -> str:
    world.update("schedule", arguments["schedule"], time=_time(arguments["time"]))
    return shown(arguments["schedule"], world.row("schedule", arguments["schedule"]))


TOOLS = (
    Tool(
        "list_rooms",
        "List the rooms, ten a page, with temperatures in tenths of a degree, whether a window is "
        "open, and the minutes since the last motion.",
        {"floor": ("", *FLOORS), "page": int},
        lister("room", equal("floor")),
        {"floor": "", "page": 1},
    ),
    Tool(
        "list_members", "List the members of the house with their roles and rooms, ten a page.",
        {"page": int}, lister("member"), {"page": 1},
    ),
    Tool(
        "list_devices", "List the devices of a room or of all rooms, of a type or all, ten a page.",
        {"room": str, "type": TYPES, "page": int}, lister("device", equal("room"), equal("type")),
        {"room": "", "type": "", "page": 1},
    ),
    Tool(
        "set_device", "Set the level of a device.", {"device": int, "level": int}, _set_device,
    ),
    Tool("report_offline", "Report a device that is offline.", {"device": int}, _report_offline),
    Tool(
        "list_schedules", "List the schedules of a device, or of all devices for 0, ten a page.",
        {"device": int, "page": int},
        lister("schedule", equal("device")),
        {"device": 0, "page": 1},
    ),
    Tool(
        "switch_schedule", "Turn a schedule on or off.", {"schedule": int, "active": bool},
        _switch_schedule,
    ),
    Tool(
        "move_schedule", "Give a schedule another time, such as 06:30.",
        {"schedule": int, "time": str}, _move_schedule,
    ),
    Tool(
        "list_scenes", "List the names of the scenes, ten a page.", {"page": int},
        lister("scene", left_out=["settings"]), {"page": 1},
    ),
    Tool("read_scene", "Give the settings of a scene.", {"scene": int}, reader("scene")),
    Tool("decline", "Decline the request of a member.", {"member": int}, _decline),
)  # fmt: skip
