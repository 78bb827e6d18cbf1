/**
 * Boots the page's one WebContainer. Its own `boot` has no time-out, ignores a
 * frame that failed, and after a hang the same copy of the API can never boot
 * again: so each attempt gets a fresh copy (`?attempt=n`), has a time, and
 * takes its stale frame away when it fails.
 */
import type { WebContainer } from "@webcontainer/api";
import { BootError, type BootOptions } from "../types.ts";

interface Api {
  readonly WebContainer: typeof WebContainer;
}

let attempts = 0;
let booted: Promise<WebContainer> | null = null;
let users = 0;

/** The container, booted at the first call; call `releaseContainer` when done. */
export async function acquireContainer(
  apiUrl: string,
  options: BootOptions,
): Promise<WebContainer> {
  booted ??= bootOnce(apiUrl, options);
  try {
    const container = await booted;
    users++;
    return container;
  } catch (error) {
    booted = null; // The next call tries anew.
    throw error;
  }
}

export function releaseContainer(container: WebContainer): void {
  if (--users > 0) return;
  booted = null;
  container.teardown();
}

async function bootOnce(
  apiUrl: string,
  { signal, timeoutMs, onStage }: BootOptions,
): Promise<WebContainer> {
  if (signal.aborted) throw new BootError("aborted");
  if (!globalThis.crossOriginIsolated) throw new BootError("not-isolated");
  if (typeof SharedArrayBuffer === "undefined") throw new BootError("unsupported");
  onStage("load");
  const known = new Set(document.querySelectorAll("iframe"));
  const booting = load(apiUrl).then(async (api) => {
    if (signal.aborted) throw new BootError("aborted");
    onStage("frame");
    return api.WebContainer.boot({ coep: "require-corp", workdirName: "shikumi" });
  });
  let failed = false;
  booting.then((late) => failed && late.teardown()).catch(() => {});
  try {
    return await inTime(booting, signal, timeoutMs);
  } catch (error) {
    failed = true;
    for (const frame of document.querySelectorAll("iframe")) {
      if (!known.has(frame) && /\/headless(\?|$)/.test(frame.src)) frame.remove();
    }
    throw error instanceof BootError ? error : new BootError("service-failed", String(error));
  }
}

async function load(apiUrl: string): Promise<Api> {
  const url = `${apiUrl}?attempt=${++attempts}`;
  try {
    return await import(/* @vite-ignore */ url);
  } catch (error) {
    throw new BootError("load-failed", String(error));
  }
}

function inTime<T>(promise: Promise<T>, signal: AbortSignal, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new BootError("timeout")), timeoutMs);
    const aborted = () => reject(new BootError("aborted"));
    signal.addEventListener("abort", aborted, { once: true });
    promise.then(resolve, reject).finally(() => {
      clearTimeout(late);
      signal.removeEventListener("abort", aborted);
    });
  });
}
