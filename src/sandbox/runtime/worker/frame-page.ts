/**
 * The page inside the sandboxed frame: no origin, no storage, no network. It
 * makes workers and hands each the port on which it talks to our page. The
 * script is kept as one constant text, so that a site's own CSP can name it by
 * its hash (the manifest's `bootScript`).
 */

/** What the frame may do; the site's own policy is inherited on top. */
export const FRAME_CSP =
  "default-src 'none'; script-src 'unsafe-inline' blob: data:; worker-src blob: data:; base-uri 'none'; form-action 'none'";

/**
 * Page → frame: { t: "source", text }, { t: "spawn", id }, { t: "connect", id }
 * with a port, { t: "kill", id }.
 * Frame → page: { t: "hello" }, { t: "spawned", id }, { t: "refused", id }.
 * A worker from a blob, else (isolated WebKit) from a data: address.
 */
export const BOOT_SCRIPT = `
(() => {
  const READY_MS = 5000;
  const workers = new Map();
  let viaData = false, source = "", address = "";
  const say = (t, id) => parent.postMessage({ t, id }, "*");
  const addressOf = () => viaData
    ? "data:text/javascript," + encodeURIComponent(source).replace(/'/g, "%27")
    : URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const spawn = () => new Promise((resolve, reject) => {
    const worker = new Worker(address ||= addressOf());
    const late = setTimeout(() => fail(), READY_MS);
    const fail = () => { clearTimeout(late); worker.terminate(); reject(new Error("refused")); };
    worker.onerror = (event) => { event.preventDefault(); fail(); };
    worker.onmessage = () => {
      clearTimeout(late);
      worker.onmessage = null;
      worker.onerror = (event) => event.preventDefault();
      resolve(worker);
    };
  });
  const other = () => { viaData = !viaData; address = ""; return spawn(); };
  addEventListener("message", async ({ source: from, data, ports }) => {
    if (from !== parent) return;
    if (data.t === "source") source = data.text;
    if (data.t === "connect") workers.get(data.id)?.postMessage("port", [ports[0]]);
    if (data.t === "kill") { workers.get(data.id)?.terminate(); workers.set(data.id, null); }
    if (data.t !== "spawn") return;
    try {
      const worker = await spawn().catch(other);
      if (workers.get(data.id) === null) return worker.terminate();
      workers.set(data.id, worker);
      say("spawned", data.id);
    } catch { say("refused", data.id); }
  });
  say("hello");
})();
`;

export const FRAME_PAGE = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${FRAME_CSP}"><script>${BOOT_SCRIPT}</script>`;
