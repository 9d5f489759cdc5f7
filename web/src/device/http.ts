/** Requests to the device that serves this page. Nothing else is ever asked. */

const TOKEN_KEY = "svc-token";

/** The token that the window hands over behind `#`, if what stands there can be one. */
function takeHanded(): string | null {
  const match = /^#token=(.+)$/.exec(location.hash);
  if (!match?.[1]) return null;
  history.replaceState(null, "", location.pathname);
  const text = decoded(match[1]);
  return text && /^[A-Za-z0-9._~+/=-]{16,200}$/.test(text) ? text : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const handed = takeHanded();
let token = handed ?? sessionStorage.getItem(TOKEN_KEY);

/** Asks with the token of the address, once: only one that the device takes replaces the one of this tab. */
export async function tryHanded(): Promise<void> {
  if (!handed) return;
  const response = await fetch("/config", { headers: headers(), cache: "no-store" }).catch(() => null);
  if (response?.ok) keepToken();
  else if (response?.status === 401) token = sessionStorage.getItem(TOKEN_KEY) ?? handed;
}

export function setToken(text: string): void {
  token = text;
}

/** The token stays in this tab, now that the device has taken it. */
export function keepToken(): void {
  if (token) sessionStorage.setItem(TOKEN_KEY, token);
}

/** What stands behind `#` in a link to a page of the same device at another port: the token, else the tab. */
export function handover(tab: string): string {
  return token ? `#token=${encodeURIComponent(token)}` : `#${tab}`;
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fields: Record<string, string> = {},
  ) {
    super(message);
  }
}

export function headers(more: Record<string, string> = {}): Record<string, string> {
  const all: Record<string, string> = { "x-svc-client": "page", ...more };
  if (token) all["Authorization"] = `Bearer ${token}`;
  return all;
}

/** Told when the device wants another token than this tab has. */
let unauthorised: () => void = () => undefined;

export function whenUnauthorised(then: () => void): void {
  unauthorised = then;
}

async function answer<T>(response: Response): Promise<T> {
  const body: unknown = await response.json().catch(() => null);
  if (response.status === 401) unauthorised();
  if (!response.ok) {
    const error = body as { error?: string; fields?: Record<string, string> } | null;
    throw new Refused(response.status, error?.error ?? `The device answered ${response.status}.`, error?.fields);
  }
  return body as T;
}

export async function get<T>(path: string): Promise<T> {
  return answer<T>(await fetch(path, { headers: headers(), cache: "no-store" }));
}

export async function post<T>(path: string, body: unknown, more: Record<string, string> = {}): Promise<T> {
  const sent = headers({ "Content-Type": "application/json", ...more });
  return answer<T>(await fetch(path, { method: "POST", headers: sent, body: JSON.stringify(body) }));
}

interface Envelope {
  result: unknown;
  isError: boolean;
  warnings?: string[];
}

/** Calls a tool. What it could not do is thrown, in its own words; what it did otherwise is given as remarks. */
export async function callTool(
  tool: string,
  args: Record<string, unknown>,
  gesture?: string,
): Promise<{ result: unknown; warnings: string[]; remarks: string[] }> {
  const more: Record<string, string> = gesture ? { "x-svc-gesture": gesture } : {};
  const envelope = await post<Envelope>(`/api/tools/${tool}`, args, more);
  if (envelope.isError) throw new Refused(200, String(envelope.result));
  const warnings = envelope.warnings ?? [];
  const remarks = [...warnings];
  for (const entry of Array.isArray(envelope.result) ? envelope.result : [envelope.result]) {
    const { ok, detail } = (entry ?? {}) as { ok?: boolean; detail?: unknown };
    if (ok === false) throw new Refused(200, String(detail ?? "It could not be done."));
    if (typeof detail === "string") remarks.push(detail);
  }
  return { result: envelope.result, warnings, remarks };
}
