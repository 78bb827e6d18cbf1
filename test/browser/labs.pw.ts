/**
 * Every lab of every lesson runs in the page, in both languages; of each
 * lesson, one start of a task fails a check there. That its solution passes
 * is seen in one language, in turn: test/content/labs.test.ts tries all.
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator } from "@playwright/test";
import type { Lab } from "../../src/sandbox/lab.ts";
import { expect, test } from "./support/site.ts";

const RUN_MS = 30_000;
const CHECK_MS = 60_000;

interface Lesson {
  readonly slug: string;
  readonly labs: readonly Lab[];
}

const files = globSync("content/*/*/lab.ts").sort();
const lessons: Lesson[] = await Promise.all(
  files.map(async (file) => {
    const slug = file.split("/").at(-2)!.replace(/^\d+-/, "");
    const { default: labs } = await import(pathToFileURL(join(process.cwd(), file)).href);
    return { slug, labs };
  }),
);

test.describe.configure({ mode: "parallel" });

test("every lesson has labs", () => {
  const folders = (pattern: string) => globSync(pattern).map((file) => file.split("/").at(-2));
  expect(folders("content/*/*/lab.ts").sort()).toEqual(folders("content/*/*/en.mdx").sort());
});

/** Presses Run and waits for the end. */
async function run(sandbox: Locator): Promise<void> {
  await sandbox.locator(".controls .primary").click();
  await expect(sandbox).toHaveAttribute("data-status", /done|failed/, { timeout: RUN_MS });
}

/** Presses Check and waits for the verdicts. */
async function check(sandbox: Locator): Promise<void> {
  const button = sandbox.locator(".task .check");
  await button.click();
  await expect(sandbox.locator(".task li").first()).toBeVisible({ timeout: CHECK_MS });
  await expect(button).toBeEnabled({ timeout: CHECK_MS });
}

const LETTERS = { ja: /[ぁ-んァ-ヶ一-龠]/, en: /[a-z]{2}/ } as const;

for (const lang of ["ja", "en"] as const) {
  for (const [index, { slug, labs }] of lessons.entries()) {
    const solves = index % 2 === (lang === "ja" ? 0 : 1);
    const what = solves ? "its labs run, and a task can be solved" : "its labs run";
    test(`/${lang}/${slug}/: ${what}`, async ({ page }) => {
      test.setTimeout(120_000);
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.goto(`/${lang}/${slug}/`);
      for (const { id } of labs) {
        await test.step(`lab ${id} runs`, async () => {
          const sandbox = page.locator(`#lab-${id} .sandbox`);
          await sandbox.scrollIntoViewIfNeeded();
          await expect(page.locator(`#lab-${id} astro-island[ssr]`)).toHaveCount(0);
          await run(sandbox);
          await expect(sandbox).toHaveAttribute("data-status", "done");
          await expect(sandbox.locator(".error p")).toHaveCount(0);
          await expect(sandbox.locator("svg.rail .beat")).not.toHaveCount(0);
          await expect(sandbox.locator(".now output")).toHaveText(LETTERS[lang]);
        });
        if (id !== labs.find(({ checks = [] }) => checks.length > 0)?.id) continue;
        await test.step(`lab ${id}: the start fails`, async () => {
          const sandbox = page.locator(`#lab-${id} .sandbox`);
          await check(sandbox);
          await expect(sandbox.locator(".task .done")).toHaveCount(0);
          const bad = sandbox.locator(".task .bad").first();
          await expect(bad).toHaveText(LETTERS[lang]);
          await expect(bad.locator("em")).toHaveText(LETTERS[lang]);
        });
        if (!solves) continue;
        await test.step(`lab ${id}: the solution passes`, async () => {
          const sandbox = page.locator(`#lab-${id} .sandbox`);
          await sandbox.locator(".task .solve").click();
          await expect(sandbox.locator(".files .edited")).not.toHaveCount(0);
          await check(sandbox);
          await expect(sandbox.locator(".error p")).toHaveCount(0);
          await expect(sandbox.locator(".task .bad")).toHaveCount(0);
          await expect(sandbox.locator(".task .done")).toHaveText(LETTERS[lang]);
        });
      }
      const texts = page.locator(".sandbox :is(.task, .sandbox-caption), shikumi-predict");
      expect((await texts.allInnerTexts()).join("\n")).not.toContain("`");
      expect(errors).toEqual([]);
    });
  }
}
