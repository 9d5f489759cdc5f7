"""The device through the MCP client that others wrote in Python (`mcp`): connect, list, call, error, per-request profile.

Usage: mcp_client.py URL MODE VERSION, or with PROGRAM:PORT for URL a program that is started (`svc-device mcp`). MODE is `legacy`, `auto` or a version; VERSION is what must be agreed on."""

import asyncio
import sys

import httpx2
from mcp import MCPError
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

URL, MODE, VERSION = sys.argv[1:]


def started(headers):
    """The device's program, which talks on stdin and stdout."""
    program, port = URL.rsplit(":", 1)
    chosen = [word for name, value in headers.items() for word in ("--header", f"{name}:{value}")]
    return stdio_client(StdioServerParameters(command=program, args=["mcp", "--port", port, *chosen]))


def texts(result):
    return [item.text for item in result.content]


async def main():
    stdio = not URL.startswith("http:")
    async with Client(started({}) if stdio else URL, mode=MODE) as client:
        assert client.protocol_version == VERSION, client.protocol_version
        # A client that is told the version asks the server nothing beforehand, so it knows nothing of it.
        if MODE != VERSION:
            assert client.server_info.name == "svc-device", client.server_info
            assert "Call svc-connect first" in client.instructions, client.instructions
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "svc-connect" in tools and "svc-live-api" not in tools, list(tools)
        assert tools["svc-read-live-set"].annotations.read_only_hint is True
        assert tools["svc-delete"].annotations.destructive_hint is True

        connected = await client.call_tool("svc-connect", {})
        assert not connected.is_error and len(connected.content) >= 3, connected
        assert texts(connected)[0].startswith("{connected:true,"), texts(connected)[0]

        made = await client.call_tool("svc-create-clip", {"path": "t0/s0", "notes": "v100 n/4 C3 1|1,3"})
        assert not made.is_error, made
        read = await client.call_tool("svc-read-clip", {"path": "t0/s0", "include": ["notes"]})
        assert "C3" in texts(read)[0] and read.structured_content is None, read

        refused = await client.call_tool("svc-read-track", {"path": "t99"})
        assert refused.is_error and "t99" in texts(refused)[0], refused
        try:
            await client.call_tool("svc-nonsense", {})
        except MCPError as error:
            assert error.code == -32602, error
        else:
            raise AssertionError("an unknown tool was called")

        uris = {str(resource.uri) for resource in (await client.list_resources()).resources}
        assert "svc://live-set" in uris, uris
        live_set = await client.read_resource("svc://live-set")
        assert '"tempo":120' in live_set.contents[0].text, live_set
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert "build-a-beat" in prompts, prompts
        prompt = await client.get_prompt("build-a-beat", {"style": "house"})
        assert "house" in prompt.messages[0].content.text, prompt

    headers = {
        "x-svc-disabled-tools": "svc-delete",
        "x-svc-live-api": "true",
        "x-svc-notation": "midi-json",
        "x-svc-format": "json",
    }
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = started(headers) if stdio else streamable_http_client(URL, http_client=http)
        async with Client(transport, mode=MODE, cache=None) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert "svc-delete" not in names and "svc-live-api" in names, names
            read = await client.call_tool("svc-read-clip", {"path": "t0/s0", "include": ["notes"]})
            assert read.structured_content["notes"][0]["p"] == 60, read


asyncio.run(main())
print("all well")
