// What the tests of the page have in common: a test with a device and a page of its own, and waiting.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Device, openBrowser, openPage } from "./device.mjs";

let opened;

before(async () => {
  opened = await openBrowser();
});

after(() => opened?.close());

export const browser = () => opened;

/** A test with a device, its Set made by `prepare`, and a page of it that has to end without a complaint. */
export function onPage(name, prepare, body, options = {}) {
  test(name, { timeout: 60_000 }, async () => {
    const device = await Device.start();
    try {
      await prepare(device);
      const { page, context, complaints } = await openPage(opened, device, options);
      await body({ device, page, context, complaints });
      assert.deepEqual(complaints, [], "the console is quiet");
      await context.close();
    } finally {
      await device.stop();
    }
  });
}

/** Waits for what only a question to the device tells. */
export async function until(holds) {
  for (const end = Date.now() + 20_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 25))) {
    if (await holds()) return;
  }
  assert.fail(`it never came to be: ${holds}`);
}

/** The browser itself tells of so many answers of that status, and the page of nothing else. */
export async function tellsOfStatus(complaints, status, count) {
  await until(() => complaints.length >= count);
  const told = complaints.splice(0);
  assert.deepEqual(told.filter((text) => !text.includes(String(status))), []);
  assert.equal(told.length, count);
}

/** Notes what a part of the page says from now on, however short it does; `said` gives all of it. */
export async function noting(page, selector) {
  await page.evaluate((wanted) => {
    window.said = [];
    const look = () => {
      for (const part of document.querySelectorAll(wanted)) {
        const text = part.textContent.trim();
        if (window.said.at(-1) !== text) window.said.push(text);
      }
    };
    look();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  }, selector);
  return { said: () => page.evaluate(() => window.said) };
}

export const cell = (page, name) => page.getByRole("gridcell", { name });

/** Half a second of a sine at 440 Hz, 44.1 kHz, as WAV. */
export function tone(frames) {
  const wave = Buffer.alloc(44 + frames * 2);
  wave.write("RIFF", 0);
  wave.writeUInt32LE(36 + frames * 2, 4);
  wave.write("WAVEfmt ", 8);
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(44_100, 24);
  wave.writeUInt32LE(88_200, 28);
  wave.writeUInt16LE(2, 32);
  wave.writeUInt16LE(16, 34);
  wave.write("data", 36);
  wave.writeUInt32LE(frames * 2, 40);
  for (let at = 0; at < frames; at += 1) wave.writeInt16LE(Math.round(20_000 * Math.sin((at * 2 * Math.PI * 440) / 44_100)), 44 + at * 2);
  return wave;
}
