// A Set of 200 tracks by 200 scenes: what is out of sight is not in the page, and scrolling it keeps up.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Device, openBrowser, openPage } from "./device.mjs";

const SIDE = 200;

async function largeSet(device) {
  const view = await device.get("/api/view");
  const tracks = view.tracks.filter(({ path }) => /^t\d/.test(path)).length;
  // A call makes at most a hundred.
  const make = async (tool, path, count) => {
    for (let left = count; left > 0; left -= 100) {
      await device.call(tool, { path: Array(Math.min(left, 100)).fill(path).join(",") });
    }
  };
  await make("svc-create-track", "t+", SIDE - tracks);
  await make("svc-create-scene", "s+", SIDE - view.scenes.length);
  const midi = (await device.get("/api/view")).tracks.filter(({ kind }) => kind === "midi").map(({ path }) => path);
  for (let scene = 0; scene < SIDE; scene += 4) {
    const paths = midi.map((path, at) => `${path}/s${scene + (at % 4)}`);
    await device.call("svc-create-clip", { path: paths.join(","), name: "Clip", notes: "C3 1|1" });
  }
}

/** Tells what the page's own thread has done so far, in seconds of a core. */
async function metricsOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
}

test("200 tracks by 200 scenes scroll", { timeout: 150_000 }, async (context) => {
  const device = await Device.start();
  const browser = await openBrowser();
  try {
    await largeSet(device);
    const { page, complaints } = await openPage(browser, device);
    const grid = page.getByRole("grid", { name: "Clips" });
    await grid.waitFor();
    assert.equal(await grid.getAttribute("aria-rowcount"), String(SIDE + 1));
    const cells = await page.getByRole("gridcell").count();
    assert.ok(cells < 1000, `${cells} cells are in the page`);
    const metrics = await metricsOf(page);
    const work = await metrics();
    const frames = await page.evaluate(async () => {
      const scroller = document.querySelector(".session .scroller");
      const times = [];
      let last = performance.now();
      for (let frame = 0; frame < 180; frame += 1) {
        scroller.scrollTop += frame < 90 ? 60 : 0;
        scroller.scrollLeft += frame < 90 ? 0 : 120;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        times.push(now - last);
        last = now;
      }
      return times.sort((a, b) => a - b);
    });
    const at = (share) => frames[Math.floor(frames.length * share)].toFixed(1);
    context.diagnostic(`frame times: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(0.999)} ms`);
    const done = await metrics();
    const each = (name) => `${(((done[name] - work[name]) * 1000) / frames.length).toFixed(1)} ms`;
    context.diagnostic(`of a frame: script ${each("ScriptDuration")}, style ${each("RecalcStyleDuration")}, layout ${each("LayoutDuration")}`);
    // The cells that are now in sight are those of where it was scrolled to; the first is kept for the keys.
    const shown = await page.locator(".slot").last().getAttribute("aria-label");
    assert.doesNotMatch(shown, /scene 1:/);
    await device.call("svc-update-clip", { path: "t0/s0", name: "Renamed" });
    await page.evaluate(() => document.querySelector(".session .scroller").scrollTo(0, 0));
    await page.getByRole("gridcell", { name: /Renamed/ }).waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
    await device.stop();
  }
});

test("the focus stays in the grid while it is scrolled, and reaches its corners", { timeout: 150_000 }, async () => {
  const device = await Device.start();
  const browser = await openBrowser();
  try {
    await largeSet(device);
    const { page } = await openPage(browser, device);
    const isAt = (row, column) =>
      page.waitForFunction(
        ([wantedRow, wantedColumn]) => {
          const { row, column } = document.activeElement?.dataset ?? {};
          return row === wantedRow && column === wantedColumn;
        },
        [String(row), String(column)],
        { timeout: 10_000 },
      );
    const columns = Number(await page.getByRole("grid", { name: "Clips" }).getAttribute("aria-colcount"));
    await page.locator('[data-row="3"][data-column="2"]').focus();
    await page.mouse.move(400, 300);
    // Out of sight in both directions, in steps as a wheel has them.
    for (const [x, y] of [[0, 1500], [0, 1500], [2500, 0], [2500, 0], [0, 1500]]) {
      await page.mouse.wheel(x, y);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    }
    await page.waitForFunction(() => document.querySelector(".session .scroller").scrollTop > 3000);
    assert.ok(await page.evaluate(() => document.querySelector(".session .scroller").scrollLeft > 3000));
    await isAt(3, 2);
    // A key goes on from there.
    await page.keyboard.press("ArrowDown");
    await isAt(4, 2);
    await page.keyboard.press("Control+End");
    await isAt(SIDE - 1, columns - 1);
    await page.keyboard.press("ArrowLeft");
    await isAt(SIDE - 1, columns - 2);
    // None of what is typed is lost on the way.
    for (const key of ["Control+Home", "ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    await isAt(2, 1);
    const cells = await page.getByRole("gridcell").count();
    assert.ok(cells < 1000, `${cells} cells are in the page`);
  } finally {
    await browser.close();
    await device.stop();
  }
});
