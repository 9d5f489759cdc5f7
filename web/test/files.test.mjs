// Files on the page: dropped, chosen, saved; what came of them, and what happens when something goes wrong.

import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { Device, openPage, smallSet } from "./device.mjs";
import { browser, cell, onPage, tellsOfStatus, tone, until } from "./on_page.mjs";

const XML = fileURLToPath(new URL("../../src/live_files/tests/one_of_each.xml", import.meta.url));
const liveSet = async () => gzipSync(await readFile(XML));

/** Drops files as a user does, on what lies under them. */
async function drop(page, target, files) {
  const sent = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
  const dataTransfer = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const [name, text] of list) {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    return transfer;
  }, sent);
  await target.dispatchEvent("dragover", { dataTransfer });
  await target.dispatchEvent("drop", { dataTransfer });
}

const dialog = (page) => page.getByRole("dialog");
const inDialog = (page, name) => dialog(page).getByRole("button", { name, exact: true });

/** What was told is read; until the dialog is gone, what it told would be taken for what comes next. */
async function done(page) {
  await inDialog(page, "Done").click();
  await dialog(page).waitFor({ state: "detached" });
}

/** Presses a button of the dialog that sends a file; until it is sent, the dialog may tell what it told before. */
async function sends(page, button) {
  const isSent = (response) => response.request().method() === "POST" && new URL(response.url()).pathname === "/api/files";
  await Promise.all([page.waitForResponse(isSent), inDialog(page, button).click()]);
}

onPage("a Live Set that is dropped is opened, what is missing is said, and undo takes it back", smallSet, async ({ device, page }) => {
  await drop(page, page.locator("main"), [["My 🎹 song.als", await liveSet()]]);
  await dialog(page).getByRole("heading", { name: "My 🎹 song.als" }).waitFor();
  await inDialog(page, "Open").click();
  await dialog(page).getByText(/^Opened My 🎹 song\.als: 3 tracks, 2 scenes, saved by Ableton Live/).waitFor();
  await dialog(page).getByText(/^Kept, not heard: .*follow actions of clips/).waitFor();
  await dialog(page).getByRole("list", { name: "Missing samples" }).getByText("half.wav").waitFor();
  await done(page);
  await page.getByRole("columnheader", { name: /Band & Co/ }).waitFor();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByRole("columnheader", { name: "Drums" }).waitFor();
  assert.equal((await device.get("/api/view")).tracks[0].name, "Drums");
});

onPage("a Set is saved to the user's disk and imported from there", smallSet, async ({ device, page }) => {
  await page.getByRole("button", { name: "File", exact: true }).click();
  await dialog(page).getByRole("textbox", { name: "Save as" }).fill("Lied 🎹");
  const [download] = await Promise.all([page.waitForEvent("download"), inDialog(page, "Save as…").click()]);
  assert.equal(download.suggestedFilename(), "Lied 🎹.svcset");
  await dialog(page).getByText(/^Saved Lied 🎹\.svcset/).waitFor();
  await done(page);
  const kept = join(device.folder, "Lied 🎹.svcset");
  await download.saveAs(kept);
  assert.ok((await readFile(kept)).length > 200);

  const tracks = (await device.get("/api/view")).tracks.length;
  await page.getByRole("button", { name: "File", exact: true }).click();
  await dialog(page).getByLabel("File to open").setInputFiles(kept);
  await inDialog(page, "Import").click();
  await dialog(page).getByText(/^Imported Lied 🎹\.svcset: 5 tracks, 8 scenes/).waitFor();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  assert.equal((await device.get("/api/view")).tracks.length, tracks + 5);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await until(async () => (await device.get("/api/view")).tracks.length === tracks);
});

onPage("samples that are dropped on a slot lie there and below it, in one step", smallSet, async ({ device, page }) => {
  const track = (await device.get("/api/view")).tracks[3].name;
  await drop(page, cell(page, `${track}, scene 2: empty`), [["kick 🥁.wav", tone(2_000)], ["snare.wav", tone(3_000)]]);
  await dialog(page).getByText(`Added snare.wav to ${track}, scene 3.`).waitFor();
  await done(page);
  await cell(page, new RegExp(`^${track}, scene 2: kick 🥁`)).waitFor();
  await cell(page, new RegExp(`^${track}, scene 3: snare`)).waitFor();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await cell(page, `${track}, scene 2: empty`).waitFor();
  await cell(page, `${track}, scene 3: empty`).waitFor();
  // Anywhere else one is asked where to.
  await drop(page, page.locator("header"), [["hat.wav", tone(1_000)]]);
  const scene = dialog(page).getByRole("combobox", { name: "Scene" });
  assert.equal(await scene.inputValue(), "0", "a free slot is chosen");
  await scene.selectOption({ value: "3" });
  await inDialog(page, "Add").click();
  await dialog(page).getByText(`Added hat.wav to ${track}, scene 4.`).waitFor();
  await done(page);
  await cell(page, new RegExp(`^${track}, scene 4: hat`)).waitFor();
  // On a track that plays no samples one is asked where to, the scene being that of the drop where it is free.
  await drop(page, cell(page, "Bass, scene 6: empty"), [["low.wav", tone(1_000)]]);
  await dialog(page).getByText("Bass is a MIDI track; samples lie on audio tracks.").waitFor();
  assert.equal(await scene.inputValue(), "5");
  await inDialog(page, "Add").click();
  await dialog(page).getByText(`Added low.wav to ${track}, scene 6.`).waitFor();
  await done(page);
});

onPage("of several samples it is said where each landed, what it replaced, and which are none", smallSet, async ({ device, page, complaints }) => {
  const track = (await device.get("/api/view")).tracks[3].name;
  await device.call("svc-update-scene", { path: "s2", name: "Drop" });
  await drop(page, cell(page, `${track}, scene 2: empty`), [["old.wav", tone(2_000)]]);
  await done(page);
  // The first scene with room for all of them.
  await drop(page, page.locator("header"), [["hat.wav", tone(1_000)], ["clap.wav", tone(1_000)]]);
  const scene = dialog(page).getByRole("combobox", { name: "From scene" });
  assert.equal(await scene.inputValue(), "2");
  await scene.selectOption({ label: "Scene 2 (holds old)" });
  await dialog(page).getByText("This replaces “old”.").waitFor();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  const mixed = [["kick.wav", tone(2_000)], ["bad.wav", "no audio"], ["snare.wav", tone(3_000)], ["notes.txt", "x"]];
  await drop(page, cell(page, new RegExp(`^${track}, scene 2: old`)), mixed);
  await dialog(page).getByRole("heading", { name: "Added, but not all" }).waitFor();
  const told = (await dialog(page).getByRole("status").locator("p").allTextContents()).map((text) => text.trim());
  assert.match(told[2], /^notes\.txt is nothing that can be used here/);
  assert.deepEqual(told.toSpliced(2, 1), [
    `Added kick.wav to ${track}, scene 2, in place of the clip “old”.`,
    `Added snare.wav to ${track}, scene 3 “Drop”.`,
    "bad.wav is no audio file that can be read.",
  ]);
  await done(page);
  assert.deepEqual((await samples(device)).filter((name) => name.startsWith("bad")), [], "what is no audio is not kept");
  // One alone that is none is not offered again.
  await drop(page, cell(page, `${track}, scene 5: empty`), [["bad.wav", "no audio"]]);
  await dialog(page).getByText("bad.wav is no audio file that can be read.", { exact: true }).waitFor();
  assert.equal(await inDialog(page, "Try again").count(), 0);
  await done(page);
  await tellsOfStatus(complaints, 415, 2);
});

onPage("where no audio track is, one is made for the samples, and none stays for a file that is none", smallSet, async ({ device, page, complaints }) => {
  for (const path of ["t4", "t3"]) await device.call("svc-delete", { path, type: "track" });
  await page.getByRole("columnheader", { name: "4-Audio" }).waitFor({ state: "detached" });
  await drop(page, page.locator("header"), [["bad.wav", "no audio"]]);
  await dialog(page).getByText("This Set has none, so one is made for them.").waitFor();
  await inDialog(page, "Add").click();
  await dialog(page).getByText("bad.wav is no audio file that can be read.").waitFor();
  await done(page);
  assert.equal((await device.get("/api/view")).tracks.filter(({ kind }) => kind === "audio").length, 0);
  await drop(page, page.locator("header"), [["kick.wav", tone(2_000)]]);
  await inDialog(page, "Add").click();
  await dialog(page).getByText("Added kick.wav to Samples, scene 1.").waitFor();
  await done(page);
  await cell(page, /^Samples, scene 1: kick/).waitFor();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await until(async () => (await device.get("/api/view")).tracks.every(({ kind }) => kind !== "audio"));
  await tellsOfStatus(complaints, 415, 1);
});

onPage("what cannot be used is refused before it leaves the browser", smallSet, async ({ page }) => {
  const sent = [];
  page.on("request", (request) => request.method() === "POST" && request.url().includes("/api/files") && sent.push(request));
  const refused = async (files, words) => {
    await drop(page, page.locator("main"), files);
    await dialog(page).getByText(words).waitFor();
    await done(page);
  };
  await refused([["notes.txt", "x"]], /^notes\.txt is nothing that can be used here: drop \.als, \.alc, \.svcset, \.wav/);
  await refused([["empty.wav", ""]], "empty.wav is empty.");
  await refused([["a.als", "x"], ["b.als", "x"]], /^Drop one Set at a time/);
  await refused([["a.wav", "x"], ["b.als", "x"]], /^Drop one Set at a time/);
  const rules = { folder: "/", maxBytes: 10, setEndings: ["als"], sampleEndings: ["wav"] };
  await page.route("**/api/files", (route) => route.fulfill({ json: rules }));
  await refused([["long.wav", "x".repeat(2_500)]], "long.wav has 3 kB; at most 10 bytes are taken.");
  assert.deepEqual(sent, []);
});

onPage("a Set that is none is refused in the tool's words, and can be tried again", smallSet, async ({ device, page }) => {
  await drop(page, page.locator("main"), [["no set.als", "no gzip"]]);
  await inDialog(page, "Open").click();
  await dialog(page).getByRole("heading", { name: "That did not work" }).waitFor();
  await dialog(page).getByText(/no set\.als/).waitFor();
  await sends(page, "Try again");
  await dialog(page).getByRole("heading", { name: "That did not work" }).waitFor();
  await done(page);
  assert.equal((await device.get("/api/view")).tracks[0].name, "Drums");
});

onPage("a job shows how far it is, goes on over a reload, and is cancelled", smallSet, async ({ device, page }) => {
  const { job } = await device.call("svc-test", { behave: "job", job: "page" });
  const cancel = page.getByRole("button", { name: `Cancel ${job.title}` });
  await cancel.waitFor();
  await page.reload();
  await cancel.waitFor();
  // This tab waited for it when it was reloaded.
  const kept = { id: job.id, done: "Opened", name: "song.als", onDevice: null };
  await page.evaluate((text) => sessionStorage.setItem("svc-job", text), JSON.stringify(kept));
  await page.reload();
  await dialog(page).getByRole("heading", { name: "song.als: still at work" }).waitFor();
  await inDialog(page, "Cancel").click();
  await dialog(page).getByText("It was cancelled; nothing was changed.").waitFor();
  await done(page);
  assert.equal((await device.call("svc-read-job", { id: job.id })).state, "cancelled");
  await cancel.waitFor({ state: "detached" });
});

/** What lies where samples come. */
const samples = (device) => readdir(join(device.folder, "transfers/samples")).catch(() => []);

/** Sends a long file so slowly that it is on its way for long; when this returns, the device has begun to write it. */
async function sendSlowly(page, context, device) {
  const file = join(device.folder, "long.wav");
  await writeFile(file, tone(10_000_000));
  const network = await context.newCDPSession(page);
  await network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 });
  await page.getByRole("button", { name: "File", exact: true }).click();
  await dialog(page).getByLabel("File to open").setInputFiles(file);
  await dialog(page).getByRole("heading", { name: "long.wav" }).waitFor();
  await inDialog(page, "Add").click();
  await dialog(page).getByRole("heading", { name: "Sending long.wav" }).waitFor();
  await until(async () => (await samples(device)).length === 1);
  return () => network.detach();
}

test("an upload that the device's end cuts off is said, and can be tried again", { timeout: 60_000 }, async () => {
  const device = await Device.start();
  try {
    const { page, context } = await openPage(browser(), device);
    const sendFast = await sendSlowly(page, context, device);
    await device.kill();
    assert.equal((await samples(device)).length, 1, "a killed device removes nothing");
    await dialog(page).getByText("The device went away before all of the file was there. Nothing of it was kept.").waitFor();
    await device.run();
    await until(async () => (await samples(device)).length === 0);
    await page.locator(".link-open").waitFor({ state: "attached" });
    await sendFast();
    await inDialog(page, "Try again").click();
    await dialog(page).getByText(/^Added long\.wav to .*, scene 1\.$/).waitFor({ timeout: 30_000 });
    assert.deepEqual(await samples(device), ["long.wav"]);
    await context.close();
  } finally {
    await device.stop();
  }
});

test("an upload is cancelled, and nothing of it is left", { timeout: 60_000 }, async () => {
  const device = await Device.start();
  try {
    const { page, context } = await openPage(browser(), device);
    await sendSlowly(page, context, device);
    await inDialog(page, "Cancel").click();
    await dialog(page).getByText("It was cancelled; nothing was changed.").waitFor();
    await until(async () => (await samples(device)).length === 0);
    await context.close();
  } finally {
    await device.stop();
  }
});

onPage("by keys alone: a Set is chosen and imported, and the focus stays in the dialog", smallSet, async ({ page }) => {
  // Listened for from the beginning: a key is quicker than the browser is told to hand the chooser over.
  const opened = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "File", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.textContent === "Choose a file…");
  await page.keyboard.press("Enter");
  const chooser = await opened;
  await chooser.setFiles([{ name: "song.als", mimeType: "application/octet-stream", buffer: await liveSet() }]);
  await page.waitForFunction(() => document.activeElement?.textContent === "Open");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await dialog(page).getByText(/^Imported song\.als/).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "Done");
  await page.keyboard.press("Enter");
  await dialog(page).waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.textContent === "File");
});
