// A display without a screen, whose pixels lie in a file.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

export class Display {
  static async start({ width, height }) {
    const display = new Display();
    display.folder = await mkdtemp(join(tmpdir(), "svc-display-"));
    display.child = spawn(
      "Xvfb",
      ["-displayfd", "1", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp", "-fbdir", display.folder],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    display.name = await new Promise((resolve, reject) => {
      display.child.stdout.once("data", (number) => resolve(`:${String(number).trim()}`));
      display.child.once("error", reject);
      display.child.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
    });
    return display;
  }

  /** What is on it now, as a PNG. */
  async picture(path) {
    await writeFile(path, png(readDump(await readFile(join(this.folder, "Xvfb_screen0")))));
  }

  async stop() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGTERM");
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Of an X window dump with four bytes a pixel (XWDFile.h): its size, and rows of red, green and blue. */
function readDump(dump) {
  const field = (at) => dump.readUInt32BE(at * 4);
  const [header, width, height, bytesPerRow, colours] = [field(0), field(4), field(5), field(12), field(19)];
  const pixels = dump.subarray(header + colours * 12);
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0, to = 0; y < height; y += 1) {
    // Each row begins with its filter: none.
    to += 1;
    for (let x = 0; x < width; x += 1, to += 3) {
      const from = y * bytesPerRow + x * 4;
      rows[to] = pixels[from + 2];
      rows[to + 1] = pixels[from + 1];
      rows[to + 2] = pixels[from];
    }
  }
  return { width, height, rows };
}

function png({ width, height, rows }) {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // Eight bits a sample, three samples a pixel.
  size.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", size),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
