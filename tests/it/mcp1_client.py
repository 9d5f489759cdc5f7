"""The device through the first generation of Python's MCP client (`mcp` 1.x): connect, list, call, error, per-request profile.

Usage: mcp1_client.py URL"""

import asyncio
import sys

from mcp import ClientSession, McpError
from mcp.client.streamable_http import streamablehttp_client

URL = sys.argv[1]
PROFILE = {
    "x-svc-disabled-tools": "svc-delete",
    "x-svc-live-api": "true",
    "x-svc-notation": "midi-json",
    "x-svc-format": "json",
}


async def connected(headers, work):
    async with streamablehttp_client(URL, headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            await work(session, await session.initialize())


async def plain(session, server):
    assert server.protocolVersion == "2025-11-25", server
    assert server.serverInfo.name == "svc-device" and "Call svc-connect first" in server.instructions, server
    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert "svc-connect" in tools and "svc-live-api" not in tools, list(tools)
    assert tools["svc-read-live-set"].annotations.readOnlyHint is True
    made = await session.call_tool("svc-create-clip", {"path": "t0/s0", "notes": "v100 n/4 C3 1|1,3"})
    assert not made.isError, made
    read = await session.call_tool("svc-read-clip", {"path": "t0/s0", "include": ["notes", "image"]})
    assert "C3" in read.content[0].text and read.structuredContent is None, read
    assert read.content[1].type == "image" and read.content[1].mimeType == "image/png", read
    refused = await session.call_tool("svc-read-track", {"path": "t99"})
    assert refused.isError and "t99" in refused.content[0].text, refused
    try:
        await session.call_tool("svc-nonsense", {})
    except McpError as error:
        assert error.error.code == -32602, error
    else:
        raise AssertionError("an unknown tool was called")
    live_set = await session.read_resource("svc://live-set")
    assert '"tempo":120' in live_set.contents[0].text, live_set
    prompt = await session.get_prompt("build-a-beat", {"style": "house"})
    assert "house" in prompt.messages[0].content.text, prompt


async def chosen(session, _):
    names = [tool.name for tool in (await session.list_tools()).tools]
    assert "svc-delete" not in names and "svc-live-api" in names, names
    read = await session.call_tool("svc-read-clip", {"path": "t0/s0", "include": ["notes"]})
    assert read.structuredContent["notes"][0]["p"] == 60, read


async def main():
    await connected({}, plain)
    await connected(PROFILE, chosen)


asyncio.run(main())
print("all well")
