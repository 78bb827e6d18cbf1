/** What the reader's code must not be able to do, in the worker back end. */
import { expect, type Page, test } from "@playwright/test";
import type { Program } from "../../src/sandbox/runtime/types.ts";
import { ask, CONTROLLER, decide } from "./support/edits.ts";
import { serveRuntimeSite } from "./support/runtime-site.ts";
import type { Served } from "./support/serve.ts";

let site: Served;
let page: Page;
/** Addresses that the browser asked for and that are not the site's. */
const outside: string[] = [];

test.beforeAll(async ({ browser }) => {
  site = await serveRuntimeSite(false);
  const context = await browser.newContext();
  await context.route("**", (route) => {
    const url = route.request().url();
    if (url.startsWith(site.origin)) return route.continue();
    outside.push(url);
    return route.abort();
  });
  page = await context.newPage();
  await page.goto(`${site.origin}/index.html`);
  await page.evaluate(() => window.sandbox.boot("worker"));
});

test.afterAll(async () => {
  await page.close();
  await site.close();
});

const run = (files: Record<string, string>, limits = {}) => {
  const program: Program = { files, scenario: {}, seed: 7, inputs: ask(3), limits };
  return page.evaluate((p) => window.sandbox.run(p), program);
};

/** Runs `body` at the top of the controller, awaited; gives what it printed. */
async function printed(body: string): Promise<string[]> {
  const files = decide("return wanted - pods.length;");
  files[CONTROLLER] += `
const scope = globalThis as any;
const attempt = async (name: string, action: () => unknown) => {
  try { await action(); console.log(name, "done"); }
  catch (error) { console.log(name, "refused"); }
};
${body}
`;
  const { messages } = await run(files);
  return messages
    .flatMap((message) => (message.type === "console" ? [message.line] : []))
    .filter(({ from }) => from === "code")
    .map(({ text }) => text);
}

const REQUESTS: Record<string, string> = {
  fetch: `fetch("SITE/fetch")`,
  "fetch elsewhere": `fetch("https://example.com/")`,
  XMLHttpRequest: `new Promise((ok, no) => { const x = new XMLHttpRequest(); x.onload = ok; x.onerror = no; x.open("GET", "SITE/xhr"); x.send(); })`,
  WebSocket: `new Promise((ok, no) => { const w = new WebSocket("SITE/ws".replace("http", "ws")); w.onopen = ok; w.onerror = no; })`,
  EventSource: `new Promise((ok, no) => { const e = new EventSource("SITE/events"); e.onopen = ok; e.onerror = no; })`,
  importScripts: `scope.importScripts("SITE/script.js")`,
  "import by eval": `scope.eval('import("SITE/module.js")')`,
  sendBeacon: `{ if (!scope.navigator.sendBeacon) throw 0; scope.navigator.sendBeacon("SITE/beacon"); }`,
  "nested worker": `new scope.Worker("data:text/javascript,fetch('SITE/nested')")`,
  WebTransport: `new scope.WebTransport("https://example.com:4433/").ready`,
};

test("no request leaves the worker", async () => {
  const before = site.asked.length;
  const attempts = Object.entries(REQUESTS).map(
    ([name, action]) =>
      `await attempt(${JSON.stringify(name)}, () => ${action.replaceAll("SITE", site.origin)});`,
  );
  const lines = await printed(attempts.join("\n"));
  expect(lines).toEqual(Object.keys(REQUESTS).map((name) => `${name} refused`));
  expect(outside).toEqual([]);
  // What the first edit needs is the site's own, fetched by the page.
  const asked = site.asked.slice(before).filter((path) => !/^\/(sim\/|chunk|transpile)/.test(path));
  expect(asked).toEqual([]);
});

test("the watch for requests sees one that is made", async () => {
  await page.evaluate(() => fetch("https://example.com/seen").catch(() => {}));
  expect(outside.splice(0)).toEqual(["https://example.com/seen"]);
});

test("storage, the page and other frames are out of reach", async () => {
  const lines = await printed(`
await attempt("indexedDB", () => new Promise((ok, no) => { const r = indexedDB.open("x"); r.onsuccess = ok; r.onerror = no; }));
await attempt("caches", () => caches.open("x"));
await attempt("OPFS", () => navigator.storage.getDirectory());
for (const name of ["document", "window", "parent", "localStorage", "Worker", "SharedWorker", "BroadcastChannel", "importScripts"])
  console.log(name, typeof scope[name]);
console.log("origin", scope.origin);
`);
  expect(lines).toEqual([
    "indexedDB refused",
    "caches refused",
    "OPFS refused",
    ...[
      "document",
      "window",
      "parent",
      "localStorage",
      "Worker",
      "SharedWorker",
      "BroadcastChannel",
    ].map((name) => `${name} undefined`),
    "importScripts undefined",
    "origin null",
  ]);
});

test("the frame has no origin, and the page's own state is untouched", async () => {
  const frame = page.frames().find((one) => one !== page.mainFrame())!;
  expect(await frame.evaluate(() => window.origin)).toBe("null");
  const touch = (what: string) =>
    frame.evaluate(`(() => { try { ${what}; return "done" } catch { return "refused" } })()`);
  expect(await touch("localStorage.length")).toBe("refused");
  expect(await touch("document.cookie")).toBe("refused");
  expect(await touch("parent.document.title")).toBe("refused");
  expect(
    await frame.evaluate(() =>
      fetch("https://example.com/").then(
        () => "done",
        () => "refused",
      ),
    ),
  ).toBe("refused");
  expect(outside).toEqual([]);
});

test("a flood of messages is stopped, whichever way it takes", async () => {
  const ways = ["postMessage(i)", "new MessageChannel().port1.postMessage(i)"];
  for (const way of ways) {
    const files = decide("return 0;");
    files[CONTROLLER] += `for (let i = 0; i < 1e9; i++) ${way};\n`;
    const { end, endMs } = await run(files);
    expect(end).toMatchObject({ ok: false, error: { kind: "flood" } });
    expect(endMs).toBeLessThan(1_000);
  }
});

test("a flood that swallows its errors is killed, and the page stays free", async () => {
  const files = decide("for (;;) { try { postMessage(1); } catch {} }");
  const program: Program = { files, scenario: {}, seed: 7, inputs: ask(3) };
  const { value, pauseMs } = await page.evaluate(
    (p) => window.sandbox.longestPause(async () => (await window.sandbox.run(p)).end),
    program,
  );
  expect(value).toMatchObject({ ok: false, error: { kind: "unresponsive" } });
  expect(pauseMs).toBeLessThan(500);
});

test("what comes over a port that the code got hold of is checked", async () => {
  // The worst case: the code finds the host's own port and sends what it likes.
  const files = decide("return 0;");
  files[CONTROLLER] += `
const scope = globalThis as any;
const stringify = JSON.stringify;
JSON.stringify = ((value: any) =>
  value?.t === "result" ? stringify({ t: "rows", rows: [{ id: "<img>" }] }) : stringify(value)) as any;
`;
  const { end } = await run(files);
  expect(end).toMatchObject({ ok: false, error: { kind: "protocol" } });
});

test("patched built-ins do not stop the next run", async () => {
  const files = decide("return 0;");
  files[CONTROLLER] += `
MessagePort.prototype.postMessage = () => {};
Promise.prototype.then = () => new Promise(() => {});
performance.now = () => 0;
(globalThis as any).__sim = {};
`;
  const first = await run(files, { wallMs: 2_000 });
  expect(first.end.ok || first.end.error.kind).not.toBe("boot");
  const next = await run({});
  expect(next.end).toMatchObject({ ok: true });
});
