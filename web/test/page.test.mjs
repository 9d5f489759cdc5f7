// The page in headless Chromium against the real device. A test has a device of its own, so that none sees another's.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { Device, openPage, openUnconnected, smallSet } from "./device.mjs";
import { browser, cell, noting, onPage, tellsOfStatus, tone, until } from "./on_page.mjs";

const TABS = ["session", "arrangement", "clip", "activity", "setup", "context"];

onPage("a click launches a clip, and it plays", smallSet, async ({ device, page }) => {
  await page.getByRole("button", { name: "Launch Beat" }).click();
  await cell(page, /^Drums, scene 1: Beat, playing$/).waitFor();
  await page.locator(".now", { hasText: "Beat" }).waitFor();
  // The bar and the position go on without anybody asking.
  const at = () => page.locator(".slot.playing .progress").evaluate((bar) => bar.style.transform);
  const first = await at();
  await page.waitForFunction((old) => document.querySelector(".slot.playing .progress").style.transform !== old, first);
  assert.equal((await device.get("/api/view")).playback.playing[0][1], 0);

  await page.getByRole("button", { name: "Launch scene 2" }).click();
  await cell(page, /^Keys, scene 2: Chords, playing$/).waitFor();
  await page.getByRole("region", { name: "Mixer" }).getByRole("button", { name: "Stop Keys" }).click();
  await cell(page, /^Keys, scene 2: Chords$/).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.locator(".now", { hasText: "Stopped" }).waitFor();
  // What was launched is so still, and plays again.
  await page.getByRole("button", { name: "Launch Beat" }).click();
  await cell(page, /^Drums, scene 1: Beat, playing$/).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.locator(".now", { hasText: "Stopped" }).waitFor();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await cell(page, /^Drums, scene 1: Beat, playing$/).waitFor();
});

onPage("the button of a clip says Launch while it plays, too", smallSet, async ({ page }) => {
  await page.getByRole("button", { name: "Launch Beat" }).click();
  await cell(page, /^Drums, scene 1: Beat, playing$/).waitFor();
  await page.getByRole("button", { name: "Beat", exact: true }).dblclick();
  const acts = page.locator(".clip-acts");
  // That of one which plays is lit, and stops.
  await acts.getByRole("button", { name: "Stop", exact: true, disabled: false }).waitFor();
  assert.equal(await acts.locator(".button.on").innerText(), "Launch");
});

onPage("which tracks do not follow the Arrangement is said, and a button brings them back", smallSet, async ({ device, page }) => {
  await device.call("svc-create-clip", { path: "t0[1|1]", name: "Arranged", notes: "C1 1|1" });
  await device.call("svc-create-clip", { path: "t1[1|1]", name: "Followed", notes: "C1 1|1" });
  const back = page.getByRole("button", { name: "Back to Arrangement" });
  await device.call("svc-playback", { action: "play-arrangement" });
  await page.locator(".now-clips", { hasText: /^Playing the Arrangement$/ }).waitFor();
  assert.equal(await back.count(), 0);
  await device.call("svc-playback", { action: "play-session-clips", path: "t0/s0" });
  await cell(page, /^Drums, scene 1: Beat, playing$/).waitFor();
  await device.call("svc-playback", { action: "stop-session-clips", path: "t0/s0" });
  await page.locator(".now-clips", { hasText: /^Playing the Arrangement, 1 track stopped$/ }).waitFor();
  await page.getByRole("tab", { name: "Arrangement" }).click();
  const drums = page.getByRole("button", { name: /^Open Arranged, Drums, .*; its track does not follow the Arrangement$/ });
  await drums.waitFor();
  const ground = (clip) => clip.evaluate((part) => getComputedStyle(part).backgroundColor);
  assert.notEqual(await ground(drums), await ground(page.getByRole("button", { name: "Open Followed, Bass, bar 1, 1 bar" })));
  await page.locator(".bar-above").getByRole("button", { name: "Back to Arrangement" }).click();
  await page.getByRole("button", { name: "Open Arranged, Drums, bar 1, 1 bar" }).waitFor();
  await page.locator(".now-clips", { hasText: /^Playing the Arrangement$/ }).waitFor();
  assert.equal(await back.count(), 0);
});

onPage("a scene whose clips play is marked, one that waits, and one of which a part plays", smallSet, async ({ device, page }) => {
  const scene = (name) => page.getByRole("button", { name, exact: true });
  await scene("Launch scene 1").click();
  await scene("Launch scene 1, playing").waitFor();
  const lit = await page.locator(".scene.playing .scene-launch").evaluate((part) => getComputedStyle(part).backgroundColor);
  const still = await page.locator(".scene:not(.playing) .scene-launch").first().evaluate((part) => getComputedStyle(part).backgroundColor);
  assert.notEqual(lit, still, "its button is lit");
  // The bass goes on when scene 2 takes the drums, so a part of scene 1 plays.
  await page.getByRole("button", { name: "Launch Break" }).click();
  await scene("Launch scene 1, partly playing").waitFor();
  await scene("Launch scene 2, partly playing").waitFor();
  await page.getByRole("button", { name: "Launch Chords" }).click();
  await scene("Launch scene 2, playing").waitFor();
  await scene("Launch scene 1, partly playing").waitFor();
  const said = await noting(page, ".scene.waiting");
  await device.call("svc-playback", { action: "play-scene", path: "s0" });
  await until(async () => (await said.said()).includes("Scene 1"));
  await scene("Launch scene 1, playing").waitFor();
  await device.call("svc-playback", { action: "stop-all-session-clips" });
  await scene("Launch scene 1").waitFor();
});

for (const width of [1280, 360]) {
  onPage(`a scene that brings a tempo and a meter has its name whole, ${width} pixels`, smallSet, async ({ device, page }) => {
    await device.call("svc-update-scene", { path: "s0", name: "Scene 12", tempo: 90, timeSignature: "3/4" });
    const scene = page.getByRole("button", { name: "Launch scene 1: Scene 12" });
    await scene.waitFor();
    const brings = scene.getByText("90 · 3/4", { exact: true });
    await brings.waitFor();
    const [button, ...lines] = await Promise.all([scene, scene.getByText("Scene 12", { exact: true }), brings].map((part) =>
      part.evaluate((line) => ({ ...line.getBoundingClientRect().toJSON(), isCut: line.scrollWidth > line.clientWidth }))));
    const [name, below] = lines;
    for (const line of lines) assert.equal(line.isCut, false);
    assert.ok(below.top >= name.bottom, "one below the other");
    for (const line of lines) assert.ok(line.top >= button.top && line.bottom <= button.bottom && line.right <= button.right, JSON.stringify(line));
  }, { viewport: { width, height: 740 } });
}

onPage("a loop is seen to be on or off, of the song and of clips", smallSet, async ({ device, page }) => {
  const filled = (lamp) => lamp.evaluate((part) => getComputedStyle(part).backgroundColor !== "rgba(0, 0, 0, 0)");
  const loop = page.getByRole("button", { name: /^Loop / });
  for (const pressed of [false, true, false]) {
    await loop.and(page.getByRole("button", { pressed })).waitFor();
    assert.equal(await filled(loop.locator(".lamp")), pressed);
    await loop.click();
  }
  await device.call("svc-update-clip", { path: "t0/s0", looping: false });
  await cell(page, "Drums, scene 1: Beat, plays once").waitFor();
  await page.getByRole("button", { name: "Beat", exact: true }).dblclick();
  await page.locator(".lamp-label", { hasText: /^Loop off$/ }).waitFor();
  assert.equal(await filled(page.locator(".lamp-label .lamp")), false);
  await device.call("svc-update-clip", { path: "t0/s0", looping: true });
  await page.locator(".lamp-label.lit", { hasText: /^Loop 1 – 2$/ }).waitFor();
  assert.equal(await filled(page.locator(".lamp-label .lamp")), true);
});

onPage("tracks are narrower where all of them fit then", smallSet, async ({ device, page }) => {
  const right = (name) => page.getByRole("columnheader", { name }).evaluate((head) => head.getBoundingClientRect().right);
  const scenes = () => page.locator(".scenes-head").evaluate((head) => head.getBoundingClientRect().left);
  await page.getByRole("columnheader", { name: "B-Delay" }).waitFor();
  assert.ok((await right("B-Delay")) <= (await scenes()), "the last return is whole");
  // Of more there is no room for all, and none is narrower for it.
  const narrow = await right("Drums");
  await device.call("svc-create-track", { path: "t+,t+,t+" });
  await page.waitForFunction((before) => document.querySelector(".head").getBoundingClientRect().right > before, narrow);
  await device.call("svc-playback", { action: "play-scene", path: "s0" });
  await device.call("svc-update-clip", { path: "t0/s0,t1/s0", name: "Same" });
  await page.locator(".now-clip", { hasText: "Same" }).waitFor();
  assert.equal(await page.locator(".now-clip").count(), 1);
}, { viewport: { width: 900, height: 700 } });

for (const width of [1280, 360]) {
  onPage(`what is copied is said for two seconds and beside the mixer, ${width} pixels`, async () => undefined, async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.clock.install();
    await page.reload();
    const mixer = page.getByRole("region", { name: "Mixer" });
    for (let turn = 0; turn < 2; turn += 1) {
      // From here on the page's time goes as the test says.
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
      await page.getByRole("button", { name: "Copy the line for curl" }).first().click();
      const message = page.locator(".message", { hasText: "Copied." });
      await message.waitFor();
      const bottom = await message.evaluate((box) => box.getBoundingClientRect().bottom);
      const top = await mixer.evaluate((box) => box.getBoundingClientRect().top);
      assert.ok(bottom <= top, `${bottom} ${top}`);
      await page.clock.runFor(1_900);
      assert.equal(await message.count(), 1);
      await page.clock.runFor(200);
      assert.equal(await message.count(), 0);
      await page.clock.resume();
      // Closed or open, whichever it was not.
      await mixer.getByRole("button", { name: "Mixer", exact: true }).click();
    }
  }, { viewport: { width, height: 740 } });
}

for (const [width, height] of [[1600, 900], [900, 700], [360, 740]]) {
  onPage(`an empty Set teaches where it can be read, ${width} pixels`, async () => undefined, async ({ page }) => {
    await page.getByRole("heading", { name: "No clip yet" }).waitFor();
    for (const copy of await page.getByRole("button", { name: /^Copy/ }).all()) {
      await copy.scrollIntoViewIfNeeded();
      // It is on top of what is there.
      await copy.click({ trial: true, timeout: 3_000 });
    }
    await page.getByRole("gridcell", { name: /scene 1: empty$/ }).first().click({ trial: true, timeout: 3_000 });
  }, { viewport: { width, height } });
}

onPage("Setup says how the Set is heard, and claims nothing that is not so", smallSet, async ({ device, page }) => {
  await page.getByRole("tab", { name: "Setup" }).click();
  const about = page.locator("#about-sound");
  const says = (text) => about.filter({ hasText: text }).waitFor();
  await says((await device.get("/config")).soundStatus.text);
  assert.doesNotMatch(await about.innerText(), /is heard/);
  await page.getByRole("switch", { name: "Sound", exact: true }).click();
  await says("Switched off.");
  const config = await device.get("/config");
  const unheard = { text: "Nobody hears it (no JACK server, no sound card); clips run all the same.", isUnheard: true };
  await page.route("**/config", (route) => route.fulfill({ json: { ...config, sound: true, soundStatus: unheard } }));
  await page.reload();
  await says(unheard.text);
  await about.locator(".warn", { hasText: unheard.text }).waitFor();
});

onPage("Setup shows how far the sample folder is", async () => undefined, async ({ device, page }) => {
  const files = 400;
  const folder = join(device.folder, "music");
  await mkdir(folder);
  await writeFile(join(folder, "0.wav"), tone(200));
  for (let at = 1; at < files; at += 1) await link(join(folder, "0.wav"), join(folder, `${at}.wav`));
  await page.getByRole("tab", { name: "Setup" }).click();
  const status = await noting(page, "#about-sample-folder");
  const name = page.getByRole("textbox", { name: "Sample folder" });
  await name.fill(folder);
  await name.press("Enter");
  await page.locator("#about-sample-folder", { hasText: /^\d+ files and folders$/ }).waitFor();
  const read = (await status.said()).flatMap((text) => /^reading files: (\d+) of 400 \(\d+ %\)$/.exec(text)?.[1] ?? []).map(Number);
  assert.ok(read.length > 0, `its progress is told: ${await status.said()}`);
  assert.deepEqual(read, read.toSorted((a, b) => a - b), "it goes on");
});

onPage("what a script does appears without a reload, flashes and is listed", smallSet, async ({ device, page }) => {
  await page.evaluate(() => (window.neverReloaded = true));
  const flashed = await noting(page, ".slot.flash");
  await device.call("svc-create-clip", { path: "t1/s3", name: "From outside", notes: "C1 1|1" });
  await until(async () => (await flashed.said()).includes("From outside"));
  const made = cell(page, /From outside$/);
  const told = /^Last call:.*svc-create-clip.*made clip t1\/s3 "From outside" \(1 note\)/;
  await page.locator(".last-call", { hasText: told }).waitFor();

  await made.getByRole("button", { name: "From outside", exact: true }).dblclick();
  await page.getByRole("img", { name: "1 notes" }).waitFor();
  await device.call("svc-update-clip", { path: "t1/s3", notes: "C1 1|2 E1 1|3" });
  await page.getByRole("img", { name: /^3 notes between/ }).waitFor();

  await page.getByRole("tab", { name: "Activity" }).click();
  // What the page only asked (it chose the clip) is left out until it is wanted.
  const rows = page.getByRole("listitem");
  await page.getByRole("button", { name: /^List what pages asked, too/ }).click();
  await rows.filter({ hasText: "svc-select" }).first().waitFor();
  await page.getByRole("button", { name: "Leave out what pages asked" }).click();
  await rows.filter({ hasText: "svc-select" }).first().waitFor({ state: "detached" });
  await rows.first().and(rows.filter({ hasText: "svc-update-clip" })).waitFor();
  await rows.nth(2).waitFor();
  await rows.filter({ hasText: "From outside" }).getByRole("button", { name: /^Undo from/ }).last().click();
  await page.getByRole("tab", { name: "Session" }).click();
  await made.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => window.neverReloaded), true);
});

onPage("the metronome is switched by click and by key", smallSet, async ({ device, page }) => {
  const isOn = async () => (await device.get("/api/view")).song.metronome;
  const pressed = (pressed) => page.getByRole("button", { name: "Metronome", exact: true, pressed }).waitFor();
  await pressed(false);
  await page.getByRole("button", { name: "Metronome", exact: true }).click();
  await pressed(true);
  assert.equal(await isOn(), true);
  await page.keyboard.press("o");
  await pressed(false);
  await device.call("svc-update-live-set", { metronome: true });
  await pressed(true);
  // In the grid the key opens clips, and on an empty slot does nothing.
  await cell(page, /^Bass, scene 2: empty$/).focus();
  await page.keyboard.press("o");
  await cell(page, /^Bass, scene 1: Sub$/).focus();
  await page.keyboard.press("o");
  await page.getByRole("heading", { name: "Sub" }).waitFor();
  assert.equal(await isOn(), true);
  await page.getByRole("textbox", { name: "Meter" }).focus();
  await page.keyboard.type("o");
  await page.keyboard.press("Escape");
  assert.equal(await isOn(), true, "a letter that is typed is no key");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await pressed(false);
});

onPage("a click on the timeline sets the start, a clip there is opened", smallSet, async ({ device, page }) => {
  await device.call("svc-create-clip", { path: "t0[3|1]", name: "Arranged", notes: "C1 1|1" });
  await device.call("svc-update-live-set", { locatorOperation: "create", locatorTime: "9|1", locatorName: "Drop" });
  await page.getByRole("tab", { name: "Arrangement" }).click();
  const reaches = async (beat) => {
    await until(async () => (await device.get("/api/view")).song.startTimeBeats === beat);
    // The page has heard of it too.
    await page.locator(`[role="slider"][aria-valuenow="${beat}"]`).waitFor();
  };
  await page.getByRole("button", { name: "Drop", exact: true }).click();
  await reaches(32);
  const ruler = page.getByRole("slider", { name: /^Start of the song/ });
  // Eight pixels a beat: the fifth bar.
  await ruler.click({ position: { x: 16 * 8 + 2, y: 8 } });
  await reaches(16);
  await ruler.press("ArrowRight");
  await reaches(20);
  await page.getByRole("button", { name: "Open Arranged, Drums, bar 3, 1 bar" }).click();
  await page.getByRole("heading", { name: "Arranged" }).waitFor();
});

onPage("the line where it plays is whole at the first beat, and never beside the notes", smallSet, async ({ device, page }) => {
  await page.getByRole("tab", { name: "Arrangement" }).click();
  const edges = () => page.evaluate(() => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    return [box(".ruler-corner").right, box(".arrangement .playhead").left];
  });
  await page.locator(".arrangement .playhead").waitFor();
  await until(async () => (await edges())[1] > 0);
  const [names, line] = await edges();
  assert.ok(line >= names, `${line} is behind the names that end at ${names}`);
  // In a roll that is scrolled on, the first beat is behind the names of the pads, and so is the line.
  await device.call("svc-update-clip", { path: "t0/s0", length: "32bar" });
  await page.getByRole("tab", { name: "Session" }).click();
  await page.getByRole("button", { name: "Beat", exact: true }).dblclick();
  await page.getByRole("button", { name: "Launch", exact: true }).click();
  await page.locator(".roll .playhead").waitFor();
  await page.locator(".roll").evaluate((roll) => roll.scrollTo(roll.scrollWidth, 0));
  await page.locator(".roll .playhead").waitFor({ state: "hidden" });
});

onPage("a roll opens where its notes are, and says where the others are", smallSet, async ({ device, page }) => {
  const [chord, more] = ["C2 E2 G2 C3 E3 G3 41|1", "D2 41|2 F2 41|2 A2 41|2"];
  const notes = `${chord} ${more} G8 41|1 C-2 41|1 C3 1|1 C3 90|1 C3 91|1`;
  await device.call("svc-create-clip", { path: "t2/s2", name: "Wide", notes, start: "41|1", length: "4bar" });
  await page.getByRole("button", { name: "Wide", exact: true }).dblclick();
  const hints = () => page.locator(".roll-hint").allInnerTexts();
  const says = (wanted) => until(async () => JSON.stringify(await hints()) === JSON.stringify(wanted));
  await says(["1 note above", "1 note below", "1 note further left", "2 notes further right"]);
  const hint = (name) => page.getByRole("button", { name, exact: true });
  await hint("1 note above").press("Enter");
  await hint("1 note above").waitFor({ state: "detached" });
  await hint("2 notes further right").click();
  await hint("2 notes further right").waitFor({ state: "detached" });
  // It stays where it is scrolled to, whatever is edited.
  const before = await hints();
  await device.call("svc-update-clip", { path: "t2/s2", name: "Wider" });
  await page.getByRole("heading", { name: "Wider" }).waitFor();
  assert.deepEqual(await hints(), before);
  // All of a small one is in sight.
  await page.getByRole("tab", { name: "Session" }).click();
  await page.getByRole("button", { name: "Sub", exact: true }).dblclick();
  await page.getByRole("heading", { name: "Sub" }).waitFor();
  await says([]);
});

onPage("chances are told apart", smallSet, async ({ device, page }) => {
  await device.call("svc-create-clip", { path: "t2/s2", name: "Dice", notes: "p0.25 C3 1|1 p0.75 E3 1|2 p1 G3 1|3" });
  await page.getByRole("button", { name: "Dice", exact: true }).dblclick();
  await page.locator(".roll canvas").waitFor();
  const found = new Set();
  const box = await page.locator(".roll canvas").boundingBox();
  for (let y = box.y + 26; y < box.y + box.height; y += 9) {
    for (const part of [0.05, 0.3, 0.55]) {
      await page.mouse.move(box.x + 92 + (box.width - 92) * part, y);
      found.add(await page.locator(".roll canvas").getAttribute("title"));
    }
  }
  const told = [...found].filter(Boolean).sort();
  assert.deepEqual(told, [
    "C3 · 1.1.1 · 1 beat · velocity 100 · chance 25 %",
    "E3 · 1.2.1 · 1 beat · velocity 100 · chance 75 %",
    "G3 · 1.3.1 · 1 beat · velocity 100 · chance 100 %",
  ]);
});

onPage("each return says which it is", smallSet, async ({ device, page }) => {
  for (const [name, letter] of [["A-Reverb", "A"], ["B-Delay", "B"]]) {
    const strip = page.getByRole("region", { name: "Mixer" }).getByRole("group", { name });
    await strip.getByText(`Return ${letter}`, { exact: true }).waitFor();
  }
  // It is the letter of the sends to it, and stays with its place.
  await device.call("svc-delete", { path: "rt0", type: "track" });
  await page.getByRole("group", { name: "A-Delay" }).getByText("Return A", { exact: true }).waitFor();
});

onPage("names of locators that stand close are cut at the next one", smallSet, async ({ device, page }) => {
  const names = ["A long name of a first chorus", "B", "Another long name", "The last one keeps its name"];
  for (const [at, locatorTime] of ["1|1", "3|1", "4|1", "9|1"].entries()) {
    await device.call("svc-update-live-set", { locatorOperation: "create", locatorTime, locatorName: names[at] });
  }
  await page.getByRole("tab", { name: "Arrangement" }).click();
  await page.getByRole("button", { name: names[3], exact: true }).waitFor();
  const seen = () => page.locator(".locator").evaluateAll((parts) =>
    parts.map((part) => ({ ...part.getBoundingClientRect().toJSON(), isCut: part.scrollWidth > part.clientWidth, title: part.title })));
  const apart = (labels) => labels.slice(1).forEach((label, at) => assert.ok(labels[at].right <= label.left, `${at}: ${labels[at].right} ${label.left}`));
  const labels = await seen();
  apart(labels);
  assert.deepEqual(labels.map(({ isCut }) => isCut), [true, false, false, false]);
  assert.deepEqual(labels.map(({ title }) => title), names.map((name) => `${name}: start here`));
  const ellipsis = await page.locator(".locator").first().evaluate((part) => getComputedStyle(part).textOverflow);
  assert.equal(ellipsis, "ellipsis");
  for (let step = 0; step < 3; step += 1) await page.getByRole("button", { name: "Zoom out" }).click();
  await page.waitForFunction((before) => document.querySelector(".locator:last-child").getBoundingClientRect().left < before, labels[3].left);
  apart(await seen());
});

onPage("what is copied as curl is that call", smallSet, async ({ device, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await device.call("svc-update-track", { path: "t1", name: "It's \"Bass\" $(no)" });
  await page.getByRole("tab", { name: "Activity" }).click();
  // Others of its name are listed before the page hears of this one.
  const row = page.getByRole("listitem").filter({ hasText: "$(no)" });
  await row.getByRole("button", { name: /^Copy as curl/ }).click();
  await page.getByText("Copied.").waitFor();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  await device.call("svc-update-track", { path: "t1", name: "Another" });
  execFileSync("sh", ["-c", line], { stdio: "pipe" });
  assert.equal((await device.get("/api/view")).tracks[1].name, "It's \"Bass\" $(no)");
});

onPage("a pad's name that is too long for its row is cut, not squeezed", smallSet, async ({ device, page }) => {
  const name = "Kick with a very long name of many words";
  await device.call("svc-create-device", { device: "Drum Rack", path: "t0" });
  await device.call("svc-create-device", { device: "Drum Sampler", path: "t0/d0/pC1" });
  await device.call("svc-update-device", { path: "t0/d0/pC1", name });
  await page.addInitScript(() => {
    window.drawn = new Map();
    const draw = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, room) {
      window.drawn.set(text, { width: this.measureText(text).width, right: x + this.measureText(text).width, room: room ?? Infinity });
      return draw.call(this, text, x, y, ...(room === undefined ? [] : [room]));
    };
  });
  await page.reload();
  await page.getByRole("button", { name: "Beat", exact: true }).dblclick();
  const drawn = async () => [...(await page.evaluate(() => [...window.drawn]))].find(([text]) => text.startsWith("Kick"));
  await until(drawn);
  const [text, { width, right, room }] = await drawn();
  assert.ok(width <= room, `"${text}" is ${width} wide in ${room}`);
  // The names end where the notes begin.
  assert.ok(right <= 92, `${right}`);
  assert.match(text, /^Kick .*\w…$/);
});

onPage("an audio clip is a waveform, and one whose file is gone says so", smallSet, async ({ device, page }) => {
  const file = join(device.folder, "tone.wav");
  await writeFile(file, tone(22_050));
  await device.settings({ allowedFolders: [device.folder] });
  await device.call("svc-create-clip", { path: "t3/s0", name: "Tone", sampleFile: file });
  await page.getByRole("button", { name: "Tone", exact: true }).dblclick();
  await page.getByRole("img", { name: /^Waveform of tone.wav, 0.50 seconds$/ }).waitFor();
  const isDrawn = () => {
    const canvas = document.querySelector(".wave canvas");
    const middle = canvas.getContext("2d").getImageData(canvas.width / 2, 0, 1, canvas.height).data;
    return new Set(middle).size > 8;
  };
  await page.waitForFunction(isDrawn);
  await rm(file);
  await device.call("svc-update-clip", { path: "t3/s0", name: "Gone" });
  await page.getByRole("heading", { name: "Gone" }).waitFor();
  await page.locator(".roll-empty").waitFor();
});

onPage("one drag of a fader is one step of undo", smallSet, async ({ device, page }) => {
  const steps = async () => (await device.call("svc-read-history", {})).steps.length;
  const before = await steps();
  const fader = page.getByRole("slider", { name: "Volume of Drums" });
  const box = await fader.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.2);
  await page.mouse.down();
  // What follows while a call is under way would wait, and only the newest of it be sent.
  const isSent = (response) => response.url().endsWith("/api/tools/svc-update-track");
  for (let step = 1; step <= 12; step += 1) {
    const move = page.mouse.move(box.x + box.width / 2, box.y + box.height * (0.2 + step * 0.04));
    await Promise.all([page.waitForResponse(isSent), move]);
  }
  await page.mouse.up();
  // The last of the moves may still be on its way.
  const last = Number.parseFloat(await fader.getAttribute("aria-valuetext"));
  assert.ok(last < -10, `${last} dB`);
  await until(async () => Math.abs((await device.get("/api/view")).tracks[0].volumeDb - last) < 0.06);
  assert.equal(await steps(), before + 1);
  assert.ok((await device.get("/api/calls")).calls.filter((call) => call.tool === "svc-update-track").length > 3, "moves were sent");
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByRole("listitem").filter({ hasText: "dB" }).first().getByRole("button", { name: /^Undo from/ }).click();
  await until(async () => (await device.get("/api/view")).tracks[0].volumeDb === 0);
  assert.equal((await device.get("/api/view")).tracks[0].name, "Drums");
});

onPage("a double-click puts a fader back, in one step", smallSet, async ({ device, page }) => {
  await device.call("svc-update-track", { path: "t0", gainDb: -20 });
  await page.getByRole("slider", { name: "Volume of Drums" }).and(page.locator('[aria-valuetext="-20.0 dB"]')).waitFor();
  const before = (await device.call("svc-read-history", {})).steps.length;
  await page.getByRole("slider", { name: "Volume of Drums" }).dblclick({ position: { x: 13, y: 90 } });
  await until(async () => (await device.get("/api/view")).tracks[0].volumeDb === 0);
  assert.equal((await device.call("svc-read-history", {})).steps.length, before + 1);
});

onPage("a group folds, and shows where its tracks have clips", smallSet, async ({ device, page }) => {
  const view = await device.get("/api/view");
  await page.route("**/api/view", (route) => {
    const tracks = structuredClone(view.tracks);
    Object.assign(tracks[3], { kind: "group", isFolded: true });
    Object.assign(tracks[4], { groupId: tracks[3].id });
    // Clips of the drums, as if they were of the track in the group.
    const slots = view.slots.map((row) => (row[0] === 0 ? [4, ...row.slice(1)] : row));
    return route.fulfill({ json: { ...view, tracks, slots } });
  });
  await page.reload();
  const inside = page.getByRole("columnheader", { name: view.tracks[4].name });
  await page.getByRole("columnheader", { name: "Bass" }).waitFor();
  assert.equal(await inside.count(), 0);
  await cell(page, /scene 2: clips in the group$/).waitFor();
  await page.getByRole("button", { name: `Tracks of ${view.tracks[3].name}` }).click();
  await inside.waitFor();
  await cell(page, `${view.tracks[4].name}, scene 2: Break`).waitFor();
  await cell(page, `${view.tracks[3].name}, scene 1: clips in the group`).focus();
  await page.keyboard.press("f");
  await inside.waitFor({ state: "detached" });
});

/** A small Set whose bass and keys are in the group *Band*, which no call makes: a Set that was saved with it. */
async function groupedSet(device) {
  await smallSet(device);
  await device.call("svc-create-track", { path: "t1", name: "Band" });
  await device.end();
  const file = join(device.folder, "state.json");
  const state = JSON.parse(await readFile(file, "utf8"));
  const [, band, ...members] = state.set.tracks;
  band.kind = "group";
  for (const track of members.slice(0, 2)) track.group = band.serial;
  await writeFile(file, JSON.stringify(state));
  await device.run();
}

onPage("a group shows that a clip below it plays, and launches and stops its tracks", groupedSet, async ({ page }) => {
  const ground = (part) => part.evaluate((it) => getComputedStyle(it).backgroundColor);
  const stop = page.getByRole("button", { name: "Stop Band", exact: true }).and(page.locator(".strip .stop"));
  const launch = page.getByRole("button", { name: "Launch scene 1 of Band" });
  const still = await ground(launch);
  assert.equal(await stop.isDisabled(), true);
  // What is launched below it lights it.
  await page.getByRole("button", { name: "Launch Sub" }).click();
  await cell(page, /^Band, scene 1: clips in the group, playing$/).waitFor();
  await cell(page, /^Band, scene 2: clips in the group$/).waitFor();
  assert.notEqual(await ground(launch), still, "its triangle is lit");
  assert.equal(await stop.isDisabled(), false);
  // Its own button launches what is below it and stops the rest.
  await page.getByRole("button", { name: "Launch scene 2 of Band" }).click();
  await cell(page, /^Keys, scene 2: Chords, playing$/).waitFor();
  await cell(page, /^Band, scene 2: clips in the group, playing$/).waitFor();
  await cell(page, /^Band, scene 1: clips in the group$/).focus();
  await page.keyboard.press("Enter");
  await cell(page, /^Bass, scene 1: Sub, playing$/).waitFor();
  await stop.click();
  await cell(page, /^Band, scene 1: clips in the group$/).waitFor();
  await cell(page, /^Bass, scene 1: Sub$/).waitFor();
  assert.equal(await stop.isDisabled(), true);
});

onPage("where the host does not show its Set the page says why", smallSet, async ({ device, page }) => {
  const view = await device.get("/api/view");
  const host = { ...view.host, kind: "live", showsSet: false, reason: "Live shows its Set itself." };
  const empty = { song: null, tracks: [], scenes: [], slots: [], arrangement: { lengthBeats: 0, locators: [], clips: [] } };
  await page.route("**/api/view", (route) => route.fulfill({ json: { ...view, ...empty, host } }));
  await page.reload();
  for (const tab of ["session", "arrangement", "clip"]) {
    await page.locator(`#tab-${tab}`).click();
    await page.getByText("Live shows its Set itself.").waitFor();
  }
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByRole("listitem").first().waitFor();
});

onPage("tools that work on a Live that is not there say so, with a way back", smallSet, async ({ device, page }) => {
  await device.settings({ hostChoice: "live" });
  await page.getByRole("heading", { name: "Tools work on Ableton Live, which is not connected" }).waitFor();
  const { host } = await device.get("/api/view");
  await page.getByText(host.reason).waitFor();
  await page.getByRole("button", { name: "Tools work on…" }).click();
  await page.waitForFunction(() => document.activeElement?.closest("label")?.textContent === "Ableton Live");
  await page.getByRole("tab", { name: "Session" }).click();
  await page.getByRole("button", { name: "Work on the device's own Set" }).click();
  await page.getByRole("columnheader", { name: "Drums" }).waitFor();
});

onPage("a gesture is one row of Activity, and what is pointed at stays where it is", smallSet, async ({ device, page }) => {
  const drag = async (gesture, values) => {
    for (const gainDb of values) {
      await fetch(`${device.origin}/api/tools/svc-update-track`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "x-svc-client": "a script", "x-svc-gesture": gesture },
        body: JSON.stringify({ path: "t1", gainDb }),
      });
    }
  };
  await drag("one", [-1, -2, -3, -4, -5]);
  await page.getByRole("tab", { name: "Activity" }).click();
  const rows = page.getByRole("listitem").filter({ hasText: "gainDb" });
  await rows.filter({ hasText: "gainDb 0 → -5" }).filter({ hasText: "5 calls" }).waitFor();
  assert.equal(await rows.count(), 1);
  const renamed = page.getByRole("listitem").filter({ hasText: "Keys" });
  await renamed.first().hover();
  const top = await renamed.first().evaluate((row) => row.getBoundingClientRect().top);
  await drag("two", [-6, -7]);
  await device.call("svc-update-track", { path: "t0", name: "Renamed" });
  const waiting = page.getByRole("button", { name: "2 new calls" });
  await waiting.waitFor();
  assert.equal(await renamed.first().evaluate((row) => row.getBoundingClientRect().top), top);
  assert.equal(await rows.count(), 1);
  await waiting.click();
  await rows.filter({ hasText: "2 calls" }).waitFor();
  await waiting.waitFor({ state: "detached" });
  // Away from it the list goes on by itself.
  await page.locator("header").hover({ position: { x: 2, y: 2 } });
  await device.call("svc-update-track", { path: "t0", name: "Away" });
  await page.getByRole("listitem").filter({ hasText: "Away" }).waitFor();
  // By keys: the focus holds it too.
  await rows.last().getByRole("button", { name: /^Copy as curl/ }).focus();
  await device.call("svc-update-track", { path: "t0", name: "Later" });
  await page.getByRole("button", { name: "1 new call" }).waitFor();
  await rows.filter({ hasText: "5 calls" }).getByRole("button", { name: /^Undo from/ }).press("Enter");
  await until(async () => (await device.get("/api/view")).tracks[1].volumeDb === 0);
});

onPage("what a track sounds like and its pan are read on narrow tracks", smallSet, async ({ device, page }) => {
  await device.call("svc-update-track", { path: "t0", pan: -0.5 });
  const strip = page.getByRole("group", { name: "Drums" });
  await strip.getByText("25L", { exact: true }).waitFor();
  assert.ok(await page.locator(".mixer.tight").count(), "tracks are narrow here");
  const view = await device.get("/api/view");
  const isWhole = (part) => part.evaluate((text) => {
    const [inner, outer] = [text.getBoundingClientRect(), text.closest(".sounds").getBoundingClientRect()];
    return inner.width > 0 && inner.right <= outer.right + 0.5;
  });
  assert.match(view.tracks[0].sounds, /default drum/);
  const word = strip.getByText(/^drum/, { exact: false }).first();
  assert.ok(await isWhole(word));
  view.tracks[1].sounds = "silent: it is switched off, and so is all that is in it";
  await page.route("**/api/view", (route) => route.fulfill({ json: view }));
  await page.reload();
  const silent = page.getByRole("group", { name: "Bass" }).getByText("silent", { exact: true });
  await silent.waitFor();
  assert.ok(await isWhole(silent));
  await page.getByTitle(view.tracks[1].sounds).waitFor();
}, { viewport: { width: 900, height: 700 } });

onPage("the first clip moves no column, and is a click away", async () => undefined, async ({ device, page }) => {
  const lefts = () => page.locator(".head").evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().left));
  await page.getByRole("heading", { name: "No clip yet" }).waitFor();
  const before = await lefts();
  await page.getByRole("button", { name: "Put a beat in here" }).click();
  await cell(page, /scene 1: Beat, playing$/).waitFor();
  await page.getByRole("heading", { name: "No clip yet" }).waitFor({ state: "detached" });
  assert.deepEqual(await lefts(), before);
  assert.deepEqual((await device.get("/api/view")).slots.map((row) => row.slice(0, 2)), [[0, 0]]);
});

onPage("that nobody hears it is said above all tabs", smallSet, async ({ device, page }) => {
  await device.settings({ sound: false });
  await page.getByRole("button", { name: "Sound is off" }).click();
  await page.getByRole("switch", { name: "Sound", exact: true, checked: false }).waitFor();
  const config = await device.get("/config");
  const answer = (isUnheard) => ({ json: { ...config, sound: true, soundStatus: { text: "Nobody hears it (no sound card).", isUnheard } } });
  for (const isUnheard of [true, false]) {
    await page.unroute("**/config");
    await page.route("**/config", (route) => route.fulfill(answer(isUnheard)));
    await page.reload();
    await page.locator(".link-open").waitFor();
    await page.getByRole("switch", { name: "Sound", exact: true, checked: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Nobody hears it" }).count(), Number(isUnheard));
  }
});

onPage("a tempo and a meter that are none are told before they are sent", smallSet, async ({ device, page }) => {
  const song = async () => (await device.get("/api/view")).song;
  const type = async (name, text) => {
    const field = page.getByRole("textbox", { name });
    await field.fill(text);
    await field.press("Enter");
  };
  await type("Tempo", "120,5");
  await until(async () => (await song()).tempoBpm === 120.5);
  for (const text of ["abc", "1000", ""]) {
    await type("Tempo", text);
    await page.getByText("Tempo is a number from 20 to 999.").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
  }
  await type("Meter", " 3 / 4 ");
  await until(async () => (await song()).meter === "3/4");
  await type("Meter", "3/5");
  await page.getByText(/^Meter is two numbers, such as 3\/4/).waitFor();
  assert.deepEqual([(await song()).tempoBpm, (await song()).meter], [120.5, "3/4"]);
});

onPage("a setting that is refused stays with its reason until it is typed anew", smallSet, async ({ device, page }) => {
  await page.getByRole("tab", { name: "Setup" }).click();
  const port = page.getByRole("textbox", { name: "Port" });
  const alert = page.getByRole("alert").filter({ hasText: "Port must be a whole number from 1024 to 65535" });
  const before = await port.inputValue();
  await port.fill("80");
  await port.press("Enter");
  await alert.waitFor();
  assert.equal(await port.inputValue(), "80");
  await port.press("Escape");
  await alert.waitFor({ state: "detached" });
  assert.equal(await port.inputValue(), before);
  assert.equal(String((await device.get("/config")).port), before);
});

onPage("two clicks in a row are two", smallSet, async ({ device, page }) => {
  const asked = () => device.get("/api/calls").then(({ calls }) => calls.filter((call) => call.client === "page").map(({ arguments: args }) => args));
  // Neither sees in the view what the other has done.
  await page.evaluate(() => {
    const button = document.querySelector('[aria-label="Mute Drums"]');
    button.click();
    button.click();
  });
  await until(async () => (await asked()).length === 2);
  assert.deepEqual((await asked()).map(({ mute }) => mute), [false, true]);
  await page.evaluate(() => {
    const button = document.querySelector('[aria-label="Metronome"]');
    for (let click = 0; click < 3; click += 1) button.click();
  });
  await until(async () => (await asked()).length === 5);
  assert.equal((await device.get("/api/view")).song.metronome, true);
  await page.getByRole("button", { name: "Metronome", exact: true, pressed: true }).waitFor();
});

onPage("names from right to left keep to themselves", smallSet, async ({ device, page }) => {
  const name = "תופים (1)";
  await device.call("svc-update-track", { path: "t0", name });
  await cell(page, `\u2068${name}\u2069, scene 1: Beat`).waitFor();
  await page.locator(".last-call .line", { hasText: `"\u2068${name}\u2069"` }).waitFor();
  await page.locator(".head bdi", { hasText: name }).waitFor();
});

onPage("a context that is too long is said to be, and none of it is cut", async () => undefined, async ({ device, page }) => {
  await page.getByRole("tab", { name: "Context" }).click();
  const project = page.getByRole("textbox", { name: "This project" });
  await project.fill("x".repeat(10_012));
  await page.getByText("10,012 of 10,000 characters: 12 too many to be saved").waitFor();
  assert.equal(await page.getByRole("button", { name: "Save" }).first().isDisabled(), true);
  await project.fill("x".repeat(10_000));
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("Saved.").waitFor();
  assert.equal((await device.call("svc-context", { action: "read" })).content.length, 10_000);
});

onPage("a text that was overtaken moves nothing in the card beside it", async () => undefined, async ({ device, page }) => {
  await page.getByRole("tab", { name: "Context" }).click();
  const top = () => page.getByRole("textbox", { name: "All projects" }).evaluate((field) => field.getBoundingClientRect().top);
  const before = await top();
  await page.getByRole("textbox", { name: "This project" }).fill("Mine.");
  await device.call("svc-context", { action: "write", content: "Theirs.", force: true }, "an agent");
  await page.getByRole("button", { name: "Keep mine" }).waitFor();
  assert.equal(await top(), before);
});

for (const [width, height, most] of [[768, 1024, 120], [640, 400, 80]]) {
  onPage(`the header leaves the room to what is below, ${width} by ${height} pixels`, smallSet, async ({ page }) => {
    await page.getByRole("columnheader", { name: "Drums" }).waitFor();
    const high = await page.locator(".tabs").evaluate((tabs) => tabs.getBoundingClientRect().bottom);
    assert.ok(high <= most, `${high} pixels`);
    const cut = await page.locator("header button, header input").evaluateAll((parts) =>
      parts.filter((part) => part.getBoundingClientRect().right > innerWidth || part.getBoundingClientRect().left < 0).length);
    assert.equal(cut, 0);
  }, { viewport: { width, height } });
}

onPage("settings go both ways", smallSet, async ({ device, page }) => {
  await page.getByRole("tab", { name: "Setup" }).click();
  const small = page.getByRole("switch", { name: "Small-model mode" });
  await small.click();
  await until(async () => (await device.get("/config")).smallModelMode);
  await page.getByRole("switch", { name: "Small-model mode", checked: true }).waitFor();
  await device.settings({ smallModelMode: false, notation: "stark" });
  await page.getByRole("radio", { name: "stark", checked: true }).waitFor();
  assert.equal(await small.isChecked(), false);
  const seconds = page.getByRole("textbox", { name: "Time-out" });
  await seconds.fill("12");
  await seconds.press("Enter");
  await until(async () => (await device.get("/config")).timeoutMs === 12_000);
});

onPage("a tool is switched off and on again", smallSet, async ({ device, page }) => {
  await page.getByRole("tab", { name: "Setup" }).click();
  const listed = await device.get("/api/tools");
  // What the tests have built brings one of their own.
  for (const { name, title } of listed.tools.filter((tool) => tool.name !== "svc-test")) {
    await page.getByRole("checkbox", { name: title, exact: true, checked: true }).waitFor();
    assert.equal(await page.locator(`fieldset:has(legend:text("Others")) [title="${name}"]`).count(), 0, `${name} has a group`);
  }
  const library = page.getByRole("checkbox", { name: "Library", exact: true });
  await library.click();
  await until(async () => !(await device.get("/config")).tools.includes("svc-library"));
  await page.getByRole("checkbox", { name: "Library", exact: true, checked: false }).waitFor();
  await library.click();
  await until(async () => (await device.get("/config")).tools.includes("svc-library"));
  await page.getByRole("checkbox", { name: "Library", exact: true, checked: true }).waitFor();
});

onPage("a context is written and read", async () => undefined, async ({ device, page }) => {
  await page.getByRole("tab", { name: "Context" }).click();
  await page.getByRole("textbox", { name: "This project" }).fill("Slow, dark, no vocals.");
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("Saved.").waitFor();
  assert.equal((await device.call("svc-context", { action: "read" })).content, "Slow, dark, no vocals.");
  await device.call("svc-context", { action: "write", content: "Fast.", force: true });
  await page.waitForFunction(() => document.querySelector("textarea").value === "Fast.");
});

onPage("a context that is being written stays over tabs, and what others wrote meanwhile is said", async () => undefined, async ({ device, page }) => {
  const stored = async () => (await device.call("svc-context", { action: "read" })).content;
  const project = page.getByRole("textbox", { name: "This project" });
  const context = page.getByRole("tab", { name: "Context" });
  const save = page.getByRole("button", { name: "Save" }).first();
  await context.click();
  await project.fill("Mine.");
  await page.getByRole("tab", { name: "Session" }).click();
  await context.click();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "Mine.");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "Mine.");

  await device.call("svc-context", { action: "write", content: "Theirs.", force: true }, "an agent");
  const notice = page.getByRole("alert").filter({ hasText: "changed by somebody else while you wrote" });
  await notice.getByText("Theirs.").waitFor();
  assert.equal(await save.isDisabled(), true);
  assert.equal(await project.inputValue(), "Mine.");
  await notice.getByRole("button", { name: "Keep mine" }).click();
  await notice.waitFor({ state: "detached" });
  assert.equal(await stored(), "Theirs.", "nothing is written before it is saved");
  await save.click();
  await page.getByText("Saved.").waitFor();
  assert.equal(await stored(), "Mine.");

  await project.fill("Mine again.");
  await device.call("svc-context", { action: "write", content: "Theirs again.", force: true }, "an agent");
  await notice.getByRole("button", { name: "Take theirs" }).click();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "Theirs again.");
  assert.equal(await stored(), "Theirs again.");
  assert.equal(await save.isDisabled(), true);

  // An entry of the memory stays open, with what was typed.
  await page.getByRole("button", { name: "Add an entry" }).click();
  await page.getByRole("textbox", { name: "What to remember" }).fill("Likes fifths.");
  await page.getByRole("tab", { name: "Setup" }).click();
  await context.click();
  const remembered = page.getByRole("textbox", { name: "What to remember" });
  await remembered.waitFor();
  assert.equal(await remembered.inputValue(), "Likes fifths.");
});

onPage("what the page itself changed is listed and is the last call, and what was undone says so", smallSet, async ({ device, page }) => {
  const last = page.locator(".last-call");
  await page.getByRole("tab", { name: "Context" }).click();
  await page.getByRole("textbox", { name: "This project" }).fill("Slow.");
  await page.getByRole("button", { name: "Save" }).first().click();
  await last.filter({ hasText: "svc-context" }).filter({ hasText: "Context: write" }).waitFor();
  await device.call("svc-update-track", { path: "t0", name: "Renamed" });
  await last.filter({ hasText: "Renamed" }).waitFor();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await last.filter({ hasText: /Manage: undo: t0 "Drums": name "Renamed" → "Drums"/ }).waitFor();
  await page.getByRole("tab", { name: "Activity" }).click();
  const row = (text) => page.getByRole("listitem").filter({ hasText: text });
  for (const text of ["Context: write", "Manage: undo"]) await row(text).waitFor();
  // Who comes later is told the same.
  await page.reload();
  await row(/Manage: undo: t0 "Drums": name "Renamed" → "Drums"/).waitFor();
  await row("Renamed").getByText("undone", { exact: true }).waitFor();
  assert.equal(await row("Renamed").getByRole("button", { name: /^Undo from/ }).count(), 0);
  await page.getByRole("button", { name: "Redo", exact: true }).click();
  await row("Renamed").getByRole("button", { name: /^Undo from/ }).waitFor();
  // Something else takes its place: it stays undone, also for who comes later.
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await row(/"Drums" → "Renamed"/).getByText("undone", { exact: true }).waitFor();
  await device.call("svc-update-track", { path: "t0", name: "Another" });
  for (const isAnew of [false, true]) {
    if (isAnew) await page.reload();
    await row(/"Drums" → "Another"/).getByRole("button", { name: /^Undo from/ }).waitFor();
    await row(/"Drums" → "Renamed"/).getByText("undone", { exact: true }).waitFor();
    assert.equal(await row(/"Drums" → "Renamed"/).getByRole("button", { name: /^Undo from/ }).count(), 0);
  }
});

onPage("Back leads to the tab before", smallSet, async ({ page }) => {
  const isChosen = (name) => page.getByRole("tab", { name, selected: true }).waitFor();
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByRole("tab", { name: "Setup" }).click();
  await isChosen("Setup");
  for (const name of ["Activity", "Session"]) {
    await page.goBack();
    await isChosen(name);
  }
  await page.goForward();
  await isChosen("Activity");
});

onPage("an undo of many changes is told in words", smallSet, async ({ device, page }) => {
  await device.call("svc-create-clip", { path: "t0/s19", notes: "C1 1|1" });
  await cell(page, /^Drums, scene 20: /).waitFor();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  const message = page.getByRole("log", { name: "Messages" });
  await message.getByText(/^Undone: .*, and \d+ more changes\.$/).waitFor();
  assert.doesNotMatch(await message.innerText(), /moreChanges|svc-/);
});

onPage("what needs a tool that is switched off says where it is switched on", smallSet, async ({ device, page, complaints }) => {
  await device.settings({ tools: (await device.get("/config")).tools.filter((name) => name !== "svc-playback") });
  await page.getByRole("button", { name: "Launch Beat" }).click();
  await page.getByText(/^This needs the tool “.*”, which is switched off in Setup\.$/).waitFor();
  await tellsOfStatus(complaints, 404, 1);
});

for (const [width, height] of [[1280, 800], [360, 740]]) {
  onPage(`Activity scrolls in one place, ${width} pixels`, smallSet, async ({ device, page }) => {
    for (let count = 0; count < 60; count += 1) await device.call("svc-update-track", { path: "t0", name: `Name ${count}` });
    await page.getByRole("tab", { name: "Activity" }).click();
    await page.getByRole("listitem").filter({ hasText: "Name 59" }).first().waitFor();
    const scrolled = await page.evaluate(() => {
      const all = [document.documentElement, ...document.querySelectorAll("body, #page, main, .panel, .activity, .calls")];
      return all.filter((box) => box.scrollHeight > box.clientHeight).map((box) => box.className || box.tagName);
    });
    assert.deepEqual(scrolled, ["calls"]);
  }, { viewport: { width, height } });
}

test("a changed port moves the device, and the page says where to", { timeout: 60_000 }, async () => {
  const [first, second] = [await freePort(), await freePort()];
  const device = await Device.start();
  try {
    // A port of the command line counts for that start alone, and is no setting.
    await device.settings({ port: first });
    let { page, context } = await openPage(browser(), device);
    await page.getByRole("tab", { name: "Setup" }).click();
    await page.getByText(`Listening on ${device.port}; this one is taken from the next start on.`).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Port" }).inputValue(), String(first));
    await context.close();
    await device.end();

    await device.run(null);
    assert.equal(device.port, first);
    ({ page, context } = await openPage(browser(), device));
    await page.getByRole("tab", { name: "Setup" }).click();
    const port = page.getByRole("textbox", { name: "Port" });
    await port.fill("80");
    await port.press("Enter");
    await page.getByRole("alert").filter({ hasText: /1024 to 65535/ }).waitFor();
    await port.fill(String(second));
    await port.press("Enter");
    const way = page.getByRole("link", { name: `Open it on port ${second}` });
    await way.waitFor();
    await page.getByText(`The device was told to listen on port ${second}.`).waitFor();
    assert.equal(new URL(page.url()).port, String(first), "the page stays where it is until it is led away");
    await way.click();
    await page.waitForURL(`http://127.0.0.1:${second}/**`);
    await page.locator(".link-open").waitFor();
    await page.getByRole("textbox", { name: "Port" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Port" }).inputValue(), String(second));
    assert.equal(await page.getByRole("link", { name: /^Open it on port/ }).count(), 0);
    await context.close();
  } finally {
    await device.stop();
  }
});

/** A port that nobody has just now. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("a device that has ended was told of no port unless it was while the page was open", { timeout: 60_000 }, async () => {
  const device = await Device.start();
  try {
    // What it is listening on is of the command line, and not what is set.
    const { page, context } = await openPage(browser(), device);
    assert.notEqual((await device.get("/config")).port, device.port);
    await page.getByRole("tab", { name: "Setup" }).click();
    await page.getByText(`Listening on ${device.port}`).waitFor();
    await device.end();
    await page.getByText("The device does not answer; trying again").waitFor();
    assert.equal(await page.locator(".moved").count(), 0);
    await context.close();
    await device.run();
  } finally {
    await device.stop();
  }
});

test("after a restart the page goes on by itself", { timeout: 60_000 }, async () => {
  const device = await Device.start();
  try {
    await smallSet(device);
    const { page, context } = await openPage(browser(), device);
    await device.end();
    await page.getByText("The device does not answer; trying again").waitFor();
    await device.run();
    await page.locator(".link-open").waitFor();
    await device.call("svc-update-track", { path: "t0", name: "After" });
    await page.getByRole("columnheader", { name: "After" }).waitFor();
    await context.close();
  } finally {
    await device.stop();
  }
});

onPage("by keys alone: launch, mute, open a clip, change a setting", smallSet, async ({ device, page }) => {
  const isFocused = (selector) => page.waitForFunction((text) => document.activeElement?.matches(text), selector);
  const tabTo = async (selector) => {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((text) => document.activeElement?.matches(text), selector)) return;
    }
    assert.fail(`no way to ${selector}`);
  };
  await tabTo('[role="gridcell"]');
  await page.keyboard.press("ArrowDown");
  await isFocused('[data-row="1"][data-column="0"]');
  await page.keyboard.press("Enter");
  await cell(page, /Break, playing$/).waitFor();
  await page.keyboard.press("ArrowRight");
  await isFocused('[data-row="1"][data-column="1"]');
  await page.keyboard.press("m");
  await page.locator('.switch.mute[aria-label="Mute Bass"][aria-pressed="true"]').waitFor();
  await page.keyboard.press("ArrowUp");
  await isFocused('[data-row="0"][data-column="1"]');
  await page.keyboard.press("Space");
  await cell(page, /Sub, playing$/).waitFor();
  assert.ok(!(await device.get("/api/calls")).calls.some((call) => call.arguments?.action === "stop"), "Space does one thing");
  await page.keyboard.press("o");
  await page.getByRole("heading", { name: "Sub" }).waitFor();
  await page.keyboard.press("Shift+Tab");
  await tabTo('[role="tab"]').catch(() => undefined);
  await page.getByRole("tab", { name: "Clip" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await isFocused("#tab-setup");
  await tabTo('input[role="switch"]');
  await page.keyboard.press("Space");
  await until(async () => (await device.get("/config")).smallModelMode);
  await page.keyboard.press("Control+z");
  await until(async () => !(await device.get("/api/view")).tracks[1].isMuted);
  assert.equal((await device.get("/api/view")).playback.isPlaying, true);
});

for (const [colorScheme, width] of [["dark", 1280], ["light", 1280], ["dark", 360]]) {
  onPage(
    `axe finds nothing, ${colorScheme}, ${width} pixels`,
    smallSet,
    async ({ device, page }) => {
      await device.call("svc-playback", { action: "play-scene", path: "s0" });
      await device.call("svc-create-clip", { path: "t0[1|1]", name: "Arranged", notes: "C1 1|1" });
      const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
      await page.evaluate(axe);
      for (const tab of TABS) {
        await page.locator(`#tab-${tab}`).click();
        await page.locator(`#panel[aria-labelledby="tab-${tab}"]`).waitFor();
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }));
        const told = violations.map(({ id, nodes }) => `${id}: ${nodes.length}, such as ${nodes[0].html}`);
        assert.deepEqual(told, [], tab);
      }
      await page.getByRole("button", { name: "File", exact: true }).click();
      await page.getByRole("dialog").waitFor();
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], "the dialog of files");
    },
    { colorScheme, viewport: { width, height: 800 } },
  );
}

onPage("at 360 pixels nothing is cut off", smallSet, async ({ page }) => {
  for (const tab of TABS) {
    await page.locator(`#tab-${tab}`).click();
    await page.locator(`#panel[aria-labelledby="tab-${tab}"]`).waitFor();
    const { wide, cut } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      cut: [...document.querySelectorAll("header button, nav button")].filter((button) => {
        const box = button.getBoundingClientRect();
        return box.right > innerWidth + 0.5 || box.left < -0.5;
      }).length,
    }));
    assert.deepEqual({ wide, cut }, { wide: 360, cut: 0 }, tab);
  }
}, { viewport: { width: 360, height: 740 } });

onPage("a page of another origin gets nothing", smallSet, async ({ device }) => {
  const foreign = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<title>foreign</title>");
  });
  await new Promise((resolve) => foreign.listen(0, "127.0.0.1", resolve));
  const context = await browser().newContext();
  try {
    const page = await context.newPage();
    // Another site by name, on this machine by address: what a page on the net is to the device.
    await page.route("http://elsewhere.example/", (route) => route.fulfill({ contentType: "text/html", body: "<title>x</title>" }));
    await page.goto("http://elsewhere.example/");
    const got = await page.evaluate(async (origin) => {
      const outcome = async (path, options) => {
        try {
          const response = await fetch(origin + path, options);
          return response.status;
        } catch {
          return "refused";
        }
      };
      return [
        await outcome("/api/view"),
        await outcome("/api/events"),
        await outcome("/config"),
        await outcome("/api/tools/svc-playback", { method: "POST", mode: "no-cors", body: '{"action":"stop"}' }),
        await outcome("/", {}),
      ];
    }, device.origin);
    assert.ok(got.every((status) => status === "refused" || status === 0), JSON.stringify(got));
    // Nor can it be shown inside a page of another's.
    const headers = (await fetch(`${device.origin}/`, { headers: { Accept: "text/html" } })).headers;
    assert.match(headers.get("content-security-policy"), /frame-ancestors 'none'/);
    assert.doesNotMatch(headers.get("content-security-policy"), /unsafe/);
    assert.ok(!(await device.get("/api/calls")).calls.some((call) => call.tool === "svc-playback"), "nothing was called");
  } finally {
    await context.close();
    foreign.close();
  }
});

onPage("two tabs share one stream, and the second goes on when the first is closed", smallSet, async ({ device, page, context }) => {
  const second = await context.newPage();
  const streams = [];
  second.on("request", (request) => request.url().endsWith("/api/events") && streams.push(request));
  await second.goto(`${device.origin}/`);
  await second.getByRole("columnheader", { name: "Drums" }).waitFor();
  await device.call("svc-update-track", { path: "t0", name: "Both" });
  for (const tab of [page, second]) await tab.getByRole("columnheader", { name: "Both" }).waitFor();
  assert.equal(streams.length, 0);
  await page.close();
  await second.locator(".link-open").waitFor();
  await device.call("svc-update-track", { path: "t0", name: "Left" });
  await second.getByRole("columnheader", { name: "Left" }).waitFor();
  assert.equal(streams.length, 1);
});

test("with a token the page asks for it, and takes the one of its address", { timeout: 60_000 }, async () => {
  const device = await Device.start(0, { token: "0123456789abcdef0123456789abcdef" });
  const context = await browser().newContext();
  try {
    const page = await openUnconnected(context, device, "");
    await page.getByRole("heading", { name: "This device wants its token" }).waitFor();
    // Of two tabs the one that has it reads, whichever was first; the other still asks.
    const second = await openUnconnected(context, device, `#token=${device.token}`);
    await second.locator(".link-open").waitFor();
    await device.call("svc-update-track", { path: "t0", name: "Seen" });
    await second.getByRole("columnheader", { name: "Seen" }).waitFor();
    await page.getByRole("heading", { name: "This device wants its token" }).waitFor();
    await second.close();
    await page.getByRole("textbox", { name: "Token" }).fill(device.token);
    await page.getByRole("textbox", { name: "Token" }).press("Enter");
    await page.locator(".link-open").waitFor();
    await page.getByRole("columnheader", { name: "Seen" }).waitFor();
    await page.close();

    const other = await browser().newContext();
    const named = await openUnconnected(other, device, `#token=${device.token}`);
    await named.locator(".link-open").waitFor();
    assert.doesNotMatch(named.url(), /token/, "it does not stay in the address");
    assert.doesNotMatch(JSON.stringify(await named.context().cookies()), /0123/);
    // A wrong one in the address leaves the tab the one that works.
    await named.goto("about:blank");
    await named.goto(`${device.origin}/#token=${"wrong".repeat(5)}`);
    await named.locator(".link-open").waitFor();
    await named.reload();
    await named.locator(".link-open").waitFor();
    await other.close();
  } finally {
    await context.close();
    await device.stop();
  }
});

test("a token that comes while the page is open is asked for at once, and a wrong one is told", { timeout: 60_000 }, async () => {
  const device = await Device.start();
  try {
    await smallSet(device);
    const { page, context } = await openPage(browser(), device);
    const asked = page.getByRole("heading", { name: "This device wants its token" });
    // A call is told so before the stream is.
    const refusal = { status: 401, json: { error: "This needs a token." } };
    await page.route("**/api/tools/**", (route) => route.fulfill(refusal));
    await page.getByRole("button", { name: "Metronome", exact: true }).click();
    await asked.waitFor();
    assert.equal(await page.locator(".message").count(), 0, "it is said once");
    await page.unroute("**/api/tools/**");
    const token = page.getByRole("textbox", { name: "Token" });
    const connect = page.getByRole("button", { name: "Connect" });
    await token.fill("of no use now");
    await connect.click();
    await page.getByRole("columnheader", { name: "Drums" }).waitFor();
    await page.locator(".link-open").waitFor();

    device.token = "0123456789abcdef0123456789abcdef";
    await writeFile(join(device.folder, "the-token"), device.token, { mode: 0o600 });
    await device.end();
    await device.run();
    await asked.waitFor();
    await token.fill("0123");
    await connect.click();
    await page.getByRole("alert").filter({ hasText: "That is not the token of this device." }).waitFor();
    assert.equal(await token.inputValue(), "0123");
    await token.fill(device.token);
    assert.equal(await page.getByRole("alert").filter({ hasText: "That is not" }).count(), 0);
    await connect.click();
    await page.locator(".link-open").waitFor();
    await device.call("svc-update-track", { path: "t0", name: "Seen" });
    await page.getByRole("columnheader", { name: "Seen" }).waitFor();
    await context.close();
  } finally {
    await device.stop();
  }
});
