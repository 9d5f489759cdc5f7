// The device through the MCP clients that others wrote for Node: connect, list, call, error, per-request profile.
//
// Usage: mcp_client.mjs URL PACKAGE MODE VERSION. PACKAGE is `sdk` or `client`; MODE (of `client`) is `legacy`, `auto` or a
// version; VERSION is what must be agreed on. SVC_NODE_DIR names the folder with `node_modules`.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";

const [url, packageName, mode, version] = process.argv.slice(2);
const require = createRequire(path.join(process.env.SVC_NODE_DIR, "x"));

let Client, Transport;
if (packageName === "sdk") {
  ({ Client } = require("@modelcontextprotocol/sdk/client/index.js"));
  ({ StreamableHTTPClientTransport: Transport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js"));
} else {
  ({ Client, StreamableHTTPClientTransport: Transport } = require("@modelcontextprotocol/client"));
}

async function connected(headers, work) {
  const pinned = mode === "legacy" || mode === "auto" ? mode : { pin: mode };
  const options = packageName === "sdk" ? {} : { versionNegotiation: { mode: pinned } };
  const client = new Client({ name: "test", version: "1" }, options);
  // What goes wrong beside a request must not be lost.
  client.onerror = (error) => {
    throw error;
  };
  const transport = new Transport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  await work(client, transport);
  await client.close();
}

const texts = (result) => result.content.map((item) => item.text);

await connected({}, async (client, transport) => {
  const agreed = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion;
  assert.equal(agreed, version);
  assert.equal(client.getServerVersion().name, "svc-device");
  assert.match(client.getInstructions(), /Call svc-connect first/);
  const tools = Object.fromEntries((await client.listTools()).tools.map((tool) => [tool.name, tool]));
  assert.ok("svc-connect" in tools && !("svc-live-api" in tools), Object.keys(tools).join());
  assert.equal(tools["svc-read-live-set"].annotations.readOnlyHint, true);
  assert.equal(tools["svc-delete"].annotations.destructiveHint, true);

  const first = await client.callTool({ name: "svc-connect", arguments: {} });
  assert.ok(!first.isError && first.content.length >= 3);
  assert.match(texts(first)[0], /^\{connected:true,/);
  const made = await client.callTool({
    name: "svc-create-clip",
    arguments: { path: "t0/s0", notes: "v100 n/4 C3 1|1,3" },
  });
  assert.ok(!made.isError, texts(made).join());
  const read = await client.callTool({ name: "svc-read-clip", arguments: { path: "t0/s0", include: ["notes"] } });
  assert.match(texts(read)[0], /C3/);
  assert.equal(read.structuredContent, undefined);

  const refused = await client.callTool({ name: "svc-read-track", arguments: { path: "t99" } });
  assert.ok(refused.isError && texts(refused)[0].includes("t99"));
  await assert.rejects(client.callTool({ name: "svc-nonsense", arguments: {} }), (error) => error.code === -32602);

  const uris = (await client.listResources()).resources.map((resource) => resource.uri);
  assert.ok(uris.includes("svc://live-set"), uris.join());
  const liveSet = await client.readResource({ uri: "svc://live-set" });
  assert.match(liveSet.contents[0].text, /"tempo":120/);
  const prompts = (await client.listPrompts()).prompts.map((prompt) => prompt.name);
  assert.ok(prompts.includes("build-a-beat"), prompts.join());
  const prompt = await client.getPrompt({ name: "build-a-beat", arguments: { style: "house" } });
  assert.match(prompt.messages[0].content.text, /house/);
});

const profile = {
  "x-svc-disabled-tools": "svc-delete",
  "x-svc-live-api": "true",
  "x-svc-notation": "midi-json",
  "x-svc-format": "json",
};
await connected(profile, async (client) => {
  const names = (await client.listTools()).tools.map((tool) => tool.name);
  assert.ok(!names.includes("svc-delete") && names.includes("svc-live-api"), names.join());
  const read = await client.callTool({ name: "svc-read-clip", arguments: { path: "t0/s0", include: ["notes"] } });
  assert.equal(read.structuredContent.notes[0].p, 60);
});

console.log("all well");
