import { asset } from "../site.ts";

/**
 * Makes the page cross-origin isolated where the host sends no headers. `ready`: it is already.
 * `reload`: it will be after a reload. `impossible`: this browser or host cannot.
 */
export async function isolate(): Promise<"ready" | "reload" | "impossible"> {
  if (crossOriginIsolated) return "ready";
  if (!("serviceWorker" in navigator) || !isSecureContext) return "impossible";
  try {
    const before = await navigator.serviceWorker.getRegistration(asset(""));
    if (before?.active && navigator.serviceWorker.controller) return "impossible"; // It did not help.
    await navigator.serviceWorker.register(asset("isolate.js"), { scope: asset("") });
    await navigator.serviceWorker.ready;
    return "reload";
  } catch {
    return "impossible";
  }
}
