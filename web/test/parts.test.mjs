// The page's parts that need no browser: times, levels, colours, the events' text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));

async function load(file) {
  const { outputFiles } = await build({ entryPoints: [SOURCES + file], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

test("positions and lengths are those of the meter", async () => {
  const { barBeat, parseMeter, position, span } = await load("music/time.ts");
  for (const [meter, quarters, shown, sent] of [
    ["4/4", 0, "1.1.1", "1|1"],
    ["4/4", 5.75, "2.2.4", "2|2.75"],
    ["6/8", 3, "2.1.1", "2|1"],
    ["6/8", 3.5, "2.2.1", "2|2"],
    ["7/8", 3.25, "1.7.2", "1|7.5"],
    ["4/4", 3.99999999, "2.1.1", undefined],
    ["4/4", -1, "-1.4.1", undefined],
  ]) {
    assert.equal(position(quarters, parseMeter(meter)), shown, `${meter} ${quarters}`);
    if (sent) assert.equal(barBeat(quarters, parseMeter(meter)), sent, `${meter} ${quarters}`);
  }
  for (const [meter, quarters, shown] of [
    ["4/4", 4, "1 bar"],
    ["4/4", 10, "2 bars 2 beats"],
    ["3/4", 1, "1 beat"],
    ["6/8", 1.5, "3 beats"],
  ]) {
    assert.equal(span(quarters, parseMeter(meter)), shown);
  }
});

test("tempos and meters are taken as people type them", async () => {
  const { typedMeter, typedTempo } = await load("music/time.ts");
  for (const [text, tempo] of [["120", 120], [" 98,5 ", 98.5], ["98.25", 98.25], ["20", 20], ["999", 999]]) assert.equal(typedTempo(text), tempo);
  for (const text of ["", " ", "abc", "19.9", "999.1", "1,204.5", "-120", "NaN"]) assert.equal(typedTempo(text), null, text);
  for (const [text, meter] of [["3/4", "3/4"], [" 3 / 4 ", "3/4"], ["07/8", "7/8"], ["99/16", "99/16"]]) assert.equal(typedMeter(text), meter);
  for (const text of ["", "3", "0/4", "100/4", "3/5", "3/0", "3/4/4", "a/4"]) assert.equal(typedMeter(text), null, text);
});

test("what a track sounds like begins with the telling word", async () => {
  const { shortSound } = await load("music/words.ts");
  for (const [sounds, word, rest, isSilent] of [
    [null, "", "", false],
    ["exact", "", "", false],
    ["approximate: Reverb", "Reverb", "", false],
    ["stand-in: plays as the default drum kit", "drum kit", "default", false],
    ["silent: it is empty", "silent", "it is empty", true],
  ]) {
    assert.deepEqual(shortSound(sounds), { word, rest, isSilent });
  }
});

test("a ruler says nothing twice, and keeps to bars, beats and sixteenths", async () => {
  const { parseMeter, rulerMarks } = await load("music/time.ts");
  const marks = (from, to, most, meter) => rulerMarks(from, to, most, meter === "seconds" ? meter : parseMeter(meter)).map(({ label }) => label);
  for (const [from, to, most, meter, shown] of [
    [0, 1, 8, "4/4", ["1.1.1", "1.1.2", "1.1.3", "1.1.4"]],
    [0, 0.1, 8, "4/4", ["1.1.1"]],
    [0, 4, 8, "4/4", ["1.1.1", "1.2.1", "1.3.1", "1.4.1"]],
    [1, 12, 8, "4/4", ["2.1.1", "3.1.1"]],
    [0, 3, 8, "6/8", ["1.1.1", "1.2.1", "1.3.1", "1.4.1", "1.5.1", "1.6.1"]],
    [0, 64, 8, "4/4", ["1.1.1", "3.1.1", "5.1.1", "7.1.1", "9.1.1", "11.1.1", "13.1.1", "15.1.1"]],
    [0, 0.2, 4, "seconds", ["0.00 s", "0.05 s", "0.10 s", "0.15 s"]],
    [0, 4.2, 8, "seconds", ["0 s", "1 s", "2 s", "3 s", "4 s"]],
  ]) {
    assert.deepEqual(marks(from, to, most, meter), shown, `${from} to ${to}, ${meter}`);
  }
});

test("a fader gives back what it is given", async () => {
  const { dbText, faderDb, faderPlace, meterPlace, panText } = await load("music/level.ts");
  for (let db = -69; db <= 6; db += 0.5) assert.ok(Math.abs(faderDb(faderPlace(db)) - db) < 0.06, `${db} dB`);
  assert.deepEqual([faderPlace(null), faderDb(0), faderPlace(6), faderPlace(0)], [0, -70, 1, 0.85]);
  assert.deepEqual([dbText(null), dbText(-0.04), dbText(3), dbText(-12.25)], ["-inf", "0.0", "+3.0", "-12.2"]);
  assert.deepEqual([panText(0), panText(-1), panText(0.24)], ["C", "50L", "12R"]);
  assert.deepEqual([meterPlace(0), meterPlace(2) > 0.99], [0, true]);
});

test("text stands out on every colour", async () => {
  const { textOn } = await load("music/color.ts");
  const channel = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (color) => {
    const value = Number.parseInt(color.slice(1), 16);
    return 0.2126 * channel(value >> 16) + 0.7152 * channel((value >> 8) & 255) + 0.0722 * channel(value & 255);
  };
  for (let value = 0; value <= 0xffffff; value += 4099) {
    const color = `#${value.toString(16).padStart(6, "0")}`;
    const [light, dark] = [luminance(color), luminance(textOn(color))].sort((a, b) => b - a);
    assert.ok((light + 0.05) / (dark + 0.05) >= 4.5, color);
  }
});

test("events are read however the bytes come", async () => {
  const { EventParser } = await load("device/event_parser.ts");
  const text = ': hello\n\nevent: set\nid: a-1\ndata: {"a":1}\n\nevent: playback\ndata: {"b":\ndata: 2}\n\n';
  const whole = new EventParser().take(text);
  assert.deepEqual(whole, [
    { kind: "set", id: "a-1", data: '{"a":1}' },
    { kind: "playback", id: null, data: '{"b":\n2}' },
  ]);
  const parser = new EventParser();
  assert.deepEqual([...text].flatMap((letter) => parser.take(letter)), whole);
});
