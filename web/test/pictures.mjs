// The pictures of the page and of the window in `docs/`: `cargo xtask pictures`.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Device, openBrowser, openPage } from "./device.mjs";
import { Display } from "./display.mjs";
import { song } from "./pictured_song.mjs";

const DOCS = fileURLToPath(new URL("../../docs/", import.meta.url));
const PAGE = { width: 1280, height: 700 };
/** What the window opens with. */
const WINDOW = { width: 1040, height: 700 };
const PLAYED = 1;

/** A sound server without a sound card, so that the meters move. */
const SERVER = `svc-device-pictures-${process.pid}`;
const jack = spawn("jackd", ["--name", SERVER, "--no-realtime", "--sync", "-d", "dummy", "-r", "48000", "-p", "256"], { stdio: "ignore" });
const display = await Display.start(WINDOW);
const device = await Device.start(0, { environment: { JACK_DEFAULT_SERVER: SERVER, DISPLAY: display.name } });
const browser = await openBrowser();
try {
  // The server may be there only after the device has looked for it.
  for (let left = 20; (await device.get("/config")).soundOutput?.name !== "JACK"; left -= 1) {
    if (left === 0) throw new Error("there is no JACK server: is jackd installed?");
    await device.end();
    await device.run();
  }
  await song(device);
  const { page } = await openPage(browser, device, { viewport: PAGE, deviceScaleFactor: 1, colorScheme: "dark" });
  const onThirdBeat = () => page.waitForFunction(() => /^\d+\.3\./.test(document.querySelector(".position").textContent));
  await page.getByRole("button", { name: `Launch scene ${PLAYED + 1}` }).click();
  await page.getByRole("gridcell", { name: /Bass Verse, playing$/ }).waitFor();
  await device.call("svc-update-clip", { path: "t0/s1", transforms: "velocity += rand(-12, 12)" }, "claude-code");
  await page.waitForFunction(() => document.querySelector(".main-strip .meter i").style.transform.startsWith("scaleY(0"));
  await onThirdBeat();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `${DOCS}page-session.png` });
  await onThirdBeat();
  await display.picture(`${DOCS}window.png`);
  await page.getByRole("button", { name: "Drums Verse", exact: true }).click();
  await page.getByRole("tab", { name: "Clip" }).click();
  await page.getByRole("img", { name: /notes/ }).waitFor();
  await onThirdBeat();
  await page.screenshot({ path: `${DOCS}page-clip.png` });
} finally {
  await browser.close();
  await device.stop();
  await display.stop();
  jack.kill("SIGTERM");
}
