// A device of its own and a page in headless Chromium, for the tests and the pictures.
//
// `SVC_DEVICE` is the program, `SVC_CHROMIUM` the browser. With `SVC_PAGE_DIST` the page comes from `web/dist` instead
// of the program: a change of the page is tried without building the device.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const TYPES = { "index.html": "text/html", "app.js": "text/javascript", "app.css": "text/css" };

function needed(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run \`cargo xtask test\``);
  return value;
}

export class Device {
  static async start(port = 0, { token, environment = {} } = {}) {
    const device = new Device();
    device.environment = environment;
    device.folder = await mkdtemp(join(tmpdir(), "svc-page-"));
    device.token = token;
    if (token) await writeFile(join(device.folder, "the-token"), token, { mode: 0o600 });
    await device.run(port);
    return device;
  }

  /** Starts the program, or starts it again on its port and with its Set; with `null` on the port that it has saved. */
  async run(port = this.port) {
    const token = this.token ? ["--token-file", join(this.folder, "the-token")] : [];
    const face = this.environment.DISPLAY ? [] : ["--headless"];
    const place = [...face, "--data-dir", this.folder, ...(port === null ? [] : ["--port", String(port)])];
    this.child = spawn(needed("SVC_DEVICE"), [...place, ...token], {
      stdio: ["ignore", "pipe", "ignore"],
      // Nothing of the user who tests is read or written.
      env: { ...process.env, HOME: this.folder, ...this.environment },
    });
    this.port = await new Promise((resolve, reject) => {
      let text = "";
      this.child.stdout.on("data", (data) => {
        text += data;
        const match = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text);
        if (match) resolve(Number(match[1]));
      });
      this.child.on("exit", (code) => reject(new Error(`the device ended with ${code}`)));
    });
    this.origin = `http://127.0.0.1:${this.port}`;
  }

  /** Ends the program as a user does, with its Set saved. */
  async end() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGTERM");
    await ended;
  }

  /** Ends it as a crash does. */
  async kill() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await ended;
  }

  async stop() {
    await this.end();
    await rm(this.folder, { recursive: true, force: true });
  }

  async call(tool, args, client) {
    const response = await fetch(`${this.origin}/api/tools/${tool}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(client && { "x-svc-client": client }),
        ...(this.token && { Authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify(args),
    });
    const envelope = await response.json();
    if (envelope.isError !== false) throw new Error(`${tool}: ${JSON.stringify(envelope)}`);
    return envelope.result;
  }

  async get(path) {
    return (await fetch(this.origin + path)).json();
  }

  async settings(change) {
    return (await fetch(`${this.origin}/config`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(change),
    })).json();
  }
}

export async function openBrowser() {
  return chromium.launch({ executablePath: needed("SVC_CHROMIUM"), args: ["--no-sandbox"] });
}

/** A page of the device; what it says on its console that is not well is in `complaints`. */
export async function openPage(browser, device, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await openUnconnected(context, device, "", false);
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${device.origin}/`);
  await page.locator(".link-open").waitFor();
  return { page, context, complaints };
}

/** A page that may not reach what it wants; with `goes` it is opened at the part of the address behind `#`. */
export async function openUnconnected(context, device, hash, goes = true) {
  if (process.env.SVC_PAGE_DIST) await serveDist(context);
  const page = await context.newPage();
  if (goes) await page.goto(`${device.origin}/${hash}`);
  return page;
}

async function serveDist(context) {
  await context.route(
    (url) => url.pathname === "/" || url.pathname.startsWith("/assets/"),
    async (route) => {
      const path = new URL(route.request().url()).pathname;
      const file = path === "/" ? "index.html" : path.slice("/assets/".length);
      const headers = {
        "Content-Security-Policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'",
      };
      await route.fulfill({ body: await readFile(DIST + file), contentType: TYPES[file], headers });
    },
  );
}

/** A small Set: drums, bass, keys; two scenes. */
export async function smallSet(device) {
  const clip = (path, name, color, notes) => ({ path, name, color, notes });
  for (const [path, name, color] of [["t0", "Drums", "#FF94A6"], ["t1", "Bass", "#FFA529"]]) {
    await device.call("svc-update-track", { path, name, color });
  }
  await device.call("svc-create-track", { path: "t2", name: "Keys", color: "#8BC5FF" });
  for (const made of [
    clip("t0/s0", "Beat", "#FF94A6", "v110 n/16 C1 1|1,3 D1 1|2,4 v70 F#1 1|1x8@n/8"),
    clip("t0/s1", "Break", "#FF94A6", "v90 n/8 F#1 1|1x8@n/8"),
    clip("t1/s0", "Sub", "#FFA529", "v100 n/4 C1 1|1 G1 1|3"),
    clip("t2/s1", "Chords", "#8BC5FF", "v80 n/1 C3 1|1 E3 1|1 G3 1|1"),
  ]) {
    await device.call("svc-create-clip", made);
  }
}
