/** Files to the device and from it. A page can neither name a file on the disk nor write one: they pass through here. */

import { get, headers, Refused } from "../device/http";

/** What `/api/files` tells of what may come and what may leave. */
export interface FileRules {
  /** Where tools write what is to be fetched. */
  folder: string;
  maxBytes: number;
  setEndings: string[];
  sampleEndings: string[];
}

/** A file that has come. */
export interface Arrived {
  /** Where it lies on the device's disk: what tools are told. */
  file: string;
  name: string;
  bytes: number;
}

/** What the user ended. */
export class Cancelled extends Error {}

export const readRules = (): Promise<FileRules> => get<FileRules>("/api/files");

export function endingOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** Sends a file, and says how much of it has left. */
export function send(file: File, onSent: (bytes: number) => void, signal: AbortSignal): Promise<Arrived> {
  return new Promise((resolve, reject) => {
    // `fetch` does not tell how far a body is.
    const request = new XMLHttpRequest();
    request.open("POST", `/api/files?name=${encodeURIComponent(file.name)}`);
    for (const [name, value] of Object.entries(headers({ "Content-Type": "application/octet-stream" }))) {
      request.setRequestHeader(name, value);
    }
    request.responseType = "json";
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const body = request.response as (Arrived & { error?: string }) | null;
      if (request.status === 200 && body) resolve(body);
      else reject(new Refused(request.status, body?.error ?? `The device answered ${request.status}.`));
    };
    request.onerror = () => reject(new TypeError("no answer"));
    request.onabort = () => reject(new Cancelled());
    signal.addEventListener("abort", () => request.abort());
    if (signal.aborted) reject(new Cancelled());
    else request.send(file);
  });
}

/** Fetches a file that the device wrote, and hands it to the browser to keep under that name. */
export async function download(onDevice: string, name: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(`/api/files/${encodeURIComponent(onDevice)}`, { headers: headers(), cache: "no-store", signal });
  if (!response.ok) {
    const body = (await response.json().catch(() => null)) as { error?: string } | null;
    throw new Refused(response.status, body?.error ?? `The device answered ${response.status}.`);
  }
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
