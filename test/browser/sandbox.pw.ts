/** The sandbox in the article: run, step, open, edit, share, break, mend. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "./support/site.ts";

const lab = (page: Page, id: string) => page.locator(`#lab-${id}`);

async function open(page: Page, lang = "en", fragment = "", id = "first"): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`/${lang}/deployment-to-pod/${fragment}`);
  await lab(page, id).scrollIntoViewIfNeeded();
  await expect(lab(page, id).locator(".sandbox")).toBeVisible();
  await expect(lab(page, id).locator("astro-island[ssr]")).toHaveCount(0);
}

async function run(page: Page, id = "first"): Promise<void> {
  await lab(page, id).locator(".controls .primary").click();
  await expect(lab(page, id).locator(".sandbox")).toHaveAttribute("data-status", /done|failed/, {
    timeout: 15_000,
  });
}

async function typeManifest(page: Page, text: string, id = "first"): Promise<void> {
  const box = lab(page, id);
  await box.locator(".code textarea, .code .cm-content").first().click();
  await box.locator(".cm-content").click();
  await paste(page, text);
}

/** Replaces all that the focused editor holds. */
async function paste(page: Page, text: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+a");
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.keyboard.press("ControlOrMeta+v");
}

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

for (const lang of ["ja", "en"]) {
  test(`runs the whole way in the page (${lang}), and nothing leaves it`, async ({
    page,
    siteOrigin,
  }) => {
    const outside: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (/^https?:$/.test(url.protocol) && url.origin !== siteOrigin) outside.push(request.url());
    });
    await open(page, lang);
    await run(page);
    const first = lab(page, "first");
    await expect(first.locator(".sandbox")).toHaveAttribute("data-status", "done");
    await expect(first.locator(".cluster-pod.ready:not(li)")).toHaveCount(3);
    await expect(first.locator(".cluster-node")).toHaveCount(3);
    await expect(first.locator("svg.rail .beat")).not.toHaveCount(0);
    expect(outside).toEqual([]);
  });
}

test("what is typed stands where it was typed, from the first key on", async ({ page }) => {
  await open(page);
  const box = lab(page, "first");
  const field = box.locator(".code textarea");
  await field.focus();
  await field.evaluate((one: HTMLTextAreaElement) => one.setSelectionRange(0, 0));
  // The first keys go into the plain field while the editor is loaded.
  const words = "# one two three four five six seven eight nine ten";
  await page.keyboard.type(words, { delay: 12 });
  await expect(box.locator(".cm-line").first()).toContainText(words);
  await page.keyboard.press("Enter");
  await page.keyboard.type(words);
  // And nothing was lost of what was there.
  await expect(box.locator(".cm-line").nth(1)).toHaveText(`${words}apiVersion: apps/v1`);
});

test("what is typed before the page has come to life is kept", async ({ page }) => {
  let letThrough = () => {};
  const held = new Promise<void>((go) => {
    letThrough = go;
  });
  await page.route("**/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/en/deployment-to-pod/", { waitUntil: "commit" });
  const box = lab(page, "first");
  const field = box.locator(".code textarea");
  await field.focus();
  await field.evaluate((one: HTMLTextAreaElement) => one.setSelectionRange(0, 0));
  await page.keyboard.type("# before");
  letThrough();
  await expect(box.locator(".cm-line").first()).toHaveText("# beforeapiVersion: apps/v1");
  await page.keyboard.type(" and after, ");
  await expect(box.locator(".cm-line").first()).toHaveText(
    "# before and after, apiVersion: apps/v1",
  );
});

test("the source and the cluster stand beside each other, long lines and all", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await open(page, "en", "", "replicaset");
  const box = lab(page, "replicaset");
  await box.getByRole("tab", { name: "replicaset.ts" }).click();
  await box.locator(".code textarea, .code .cm-content").first().click();
  await expect(box.locator(".cm-editor")).toBeVisible();
  const right = (one: string) =>
    box.locator(one).evaluate((element) => element.getBoundingClientRect().right);
  const cluster = await box.locator(".view").evaluate((one) => one.getBoundingClientRect().left);
  expect(await right(".cm-editor")).toBeLessThanOrEqual(cluster + 1);
  expect(await right(".files")).toBeLessThanOrEqual(cluster + 1);
});

for (const [lang, nothing] of [
  ["en", /Nothing happened.*Mend what the message above names/],
  ["ja", /何も起きていません.*上のメッセージが示す箇所を直して/],
] as const) {
  test(`a program that does not run says so where the run would be (${lang})`, async ({ page }) => {
    await open(page, lang, "", "replicaset");
    const box = lab(page, "replicaset");
    await box.getByRole("tab", { name: "replicaset.ts" }).click();
    await box.locator(".code textarea, .code .cm-content").first().click();
    await expect(box.locator(".cm-content")).toBeFocused();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.type("const one = ;");
    await run(page, "replicaset");
    await expect(box.locator(".sandbox")).toHaveAttribute("data-status", "failed");
    await expect(box.locator(".stage")).toHaveText(nothing);
    await expect(box.locator(".panel")).toContainText(nothing);
  });
}

test("a phone shows the cluster with its key whole", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await run(page);
  const panel = lab(page, "first").locator(".panel").first();
  const hidden = await panel.evaluate((box) => box.scrollHeight - box.clientHeight);
  expect(hidden).toBe(0);
});

test("the editor shows its file before anything is touched", async ({ page }) => {
  await open(page, "en", "", "replicaset");
  const text = readFileSync("sim/src/controllers/replicaset.ts", "utf8");
  await expect(lab(page, "replicaset").locator(".code textarea")).toHaveValue(text);
});

test("every stage of the way is a step", async ({ page }) => {
  await open(page);
  await run(page);
  const first = lab(page, "first");
  await first.getByRole("tab", { name: "Steps" }).click();
  const text: string[] = [];
  await page.keyboard.press("Home");
  const slider = first.locator(".scrub");
  const count = Number(await slider.getAttribute("max")) + 1;
  for (let at = 0; at < count; at += 30) {
    await slider.fill(String(at));
    text.push((await first.locator(".steps").textContent()) ?? "");
  }
  const all = text.join("\n");
  for (const words of [
    "kubectl asks: POST deployments.apps default/web",
    "Authentication:",
    "Authorization:",
    "Mutating admission:",
    "Validation:",
    "commits to etcd",
    "deployment-controller reconciles default/web",
    "deployment-controller asks: POST replicasets.apps",
    "replicaset-controller asks: POST pods",
    "The scheduler filters nodes",
    "RunPodSandbox",
    "runs the network plugin",
    "StartContainer",
  ]) {
    expect(all).toContain(words);
  }
});

test("a step opens its request, its change, its line of source and why", async ({ page }) => {
  await open(page);
  await run(page);
  const first = lab(page, "first");
  await first.getByRole("tab", { name: "Steps" }).click();
  await first.locator(".scrub").fill("40");
  await first
    .locator(".steps li", { hasText: "replicaset-controller asks: POST pods" })
    .first()
    .locator("button")
    .click();
  const detail = first.locator(".detail");
  await expect(detail).toBeVisible();
  await expect(detail.locator(".why li").first()).toContainText("kubectl apply");
  await expect(detail.locator(".source code").first()).toContainText(
    /controllers\/(replicaset|shared\/pod-control)\.ts:\d+/,
    { timeout: 15_000 },
  );
  await detail.locator("summary", { hasText: "The new object" }).click();
  await expect(detail.locator("pre").last()).toContainText('"kind": "Pod"');
});

test("an edit of the controller changes what the cluster does, and Reset takes it back", async ({
  page,
}) => {
  await open(page, "en", "", "replicaset");
  const box = lab(page, "replicaset");
  await box.locator(".code textarea").click();
  await expect(box.locator(".cm-content")).toBeVisible();
  const original = readFileSync("sim/src/controllers/replicaset.ts", "utf8");
  const edited = original.replace(
    "(rs.spec.replicas ?? 1) - active",
    "(rs.spec.replicas ?? 1) + 1 - active",
  );
  expect(edited).not.toBe(original);
  await paste(page, edited);
  await expect(box.locator(".files .edited")).toHaveCount(1);
  await run(page, "replicaset");
  await expect(box.locator(".cluster-pod.ready:not(li)")).toHaveCount(4);

  await box.getByRole("button", { name: "Changes" }).click();
  await expect(box.locator(".changes ins")).toContainText("+ 1 - active.length");

  // Kept over a reload, and in the link that is shared.
  await box.getByRole("button", { name: "Share" }).click();
  await expect(box.locator(".controls .note")).toHaveText("Link copied");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => localStorage.clear());
  await page.goto("about:blank");
  await page.goto(link);
  await lab(page, "replicaset").scrollIntoViewIfNeeded();
  await expect(box.locator(".cluster-pod.ready:not(li)")).toHaveCount(4, { timeout: 15_000 });

  page.on("dialog", (dialog) => dialog.accept());
  await box.getByRole("button", { name: "Reset" }).click();
  await expect(box.locator(".files .edited")).toHaveCount(0);
  await run(page, "replicaset");
  await expect(box.locator(".cluster-pod.ready:not(li)")).toHaveCount(3);
});

test("a manifest with a mistake names document, line and field in the reader's language", async ({
  page,
}) => {
  await open(page, "ja");
  await typeManifest(
    page,
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: three\n",
  );
  await run(page);
  const error = lab(page, "first").locator(".error");
  await expect(error).toContainText("6行目");
  await expect(error).toContainText("spec.replicas");
});

test("the whole figure works by keyboard", async ({ page }) => {
  await open(page);
  const first = lab(page, "first");
  await first.locator(".controls .primary").focus();
  await page.keyboard.press("Enter");
  await expect(first.locator(".sandbox")).toHaveAttribute("data-status", "done", {
    timeout: 15_000,
  });
  await first.locator(".scrub").focus();
  await page.keyboard.press("Home");
  const now = first.locator(".now output");
  const before = (await now.textContent()) ?? "";
  await page.keyboard.press("ArrowRight");
  await expect(now).not.toHaveText(before);
});

for (const [lang, name, ask, back] of [
  ["en", "Console", /^Ask at/, "Take back"],
  ["ja", "コンソール", /に尋ねる$/, "取り消す"],
] as const) {
  test(`answers kubectl at the moment that is shown, and takes it back (${lang})`, async ({
    page,
  }) => {
    await open(page, lang);
    const first = lab(page, "first");
    await run(page);
    await first.getByRole("tab", { name }).click();
    const line = first.locator(".ask input");
    await first.locator(".scrub").fill("12");
    await line.fill("kubectl get pods");
    await line.press("Enter");
    const answer = first.locator(".console");
    await expect(answer).toContainText("$ kubectl get pods");
    // At that moment there is no Pod yet; at the end there are three.
    await expect(answer).toContainText("No resources found in default namespace.");
    await expect(line).toBeFocused();
    await first.locator(".scrub").press("End");
    await line.fill("get pods");
    await first.getByRole("button", { name: ask }).click();
    await expect(answer).toContainText(/(Running[\s\S]*){3}/);
    // The arrow brings the last line back.
    await line.press("ArrowUp");
    await expect(line).toHaveValue("get pods");
    await first
      .getByRole("button", { name: new RegExp(`^${back}: `) })
      .first()
      .click();
    await expect(answer).not.toContainText("No resources found");
    await page.reload();
    await lab(page, "first").scrollIntoViewIfNeeded();
    await expect(lab(page, "first").locator("astro-island[ssr]")).toHaveCount(0);
    await run(page);
    await lab(page, "first").getByRole("tab", { name }).click();
    await expect(lab(page, "first").locator(".console")).toContainText("$ kubectl get pods");
  });
}
