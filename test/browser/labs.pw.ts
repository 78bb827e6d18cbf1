/**
 * Every lab of every lesson runs in the page; of each lesson, one start of a
 * task fails a check there, and its solution passes. Lessons take turns in
 * which language all of that is done (in the other one the first lab of every
 * third lesson runs), and in whether a solution is run on one seed or on all
 * that a check takes. A run does not know the language; pages.pw.ts opens every
 * lesson in both, and test/content/labs.test.ts tries every task.
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

const files = globSync("content/part-*/*/lab.ts").sort();
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
  expect(folders("content/part-*/*/lab.ts").sort()).toEqual(
    folders("content/part-*/*/en.mdx").sort(),
  );
});

/** Presses Run and waits for the end. */
async function run(sandbox: Locator): Promise<void> {
  await sandbox.locator(".controls .primary").click();
  await expect(sandbox).toHaveAttribute("data-status", /done|failed/, { timeout: RUN_MS });
}

/** Presses Check; stops it where it has seen enough, or else waits for the end. */
async function check(sandbox: Locator, enough?: string): Promise<void> {
  const task = sandbox.locator(".task");
  const button = task.locator(".check");
  await button.click();
  // Until then the verdicts of the check before are there.
  await expect(task).toHaveAttribute("aria-busy", "true");
  await expect(task.locator(enough ?? "li").first()).toBeVisible({ timeout: CHECK_MS });
  if (enough && (await task.getAttribute("aria-busy")) === "true") await button.click();
  await expect(task).toHaveAttribute("aria-busy", "false", { timeout: CHECK_MS });
}

const LETTERS = { ja: /[ぁ-んァ-ヶ一-龠]/, en: /[a-z]{2}/ } as const;

for (const lang of ["ja", "en"] as const) {
  for (const [index, { slug, labs }] of lessons.entries()) {
    const isWhole = index % 2 === (lang === "ja" ? 0 : 1);
    if (!isWhole && index % 3 > 0) continue;
    const what = isWhole ? "its labs run, and a task can be solved" : "its first lab runs";
    test(`/${lang}/${slug}/: ${what}`, async ({ page }) => {
      test.setTimeout(120_000);
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.goto(`/${lang}/${slug}/`);
      for (const { id } of isWhole ? labs : labs.slice(0, 1)) {
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
        const task = labs.find(({ checks = [] }) => checks.length > 0);
        if (!isWhole || id !== task?.id) continue;
        await test.step(`lab ${id}: the start fails`, async () => {
          const sandbox = page.locator(`#lab-${id} .sandbox`);
          await check(sandbox, ".bad");
          await expect(sandbox.locator(".task .done")).toHaveCount(0);
          const bad = sandbox.locator(".task .bad").first();
          await expect(bad).toHaveText(LETTERS[lang]);
          await expect(bad.locator("em")).toHaveText(LETTERS[lang]);
        });
        await test.step(`lab ${id}: the solution passes`, async () => {
          const sandbox = page.locator(`#lab-${id} .sandbox`);
          await sandbox.locator(".task .solve").click();
          await expect(sandbox.locator(".files .edited")).not.toHaveCount(0);
          const toTheEnd = index % 8 < 2;
          await check(sandbox, toTheEnd ? undefined : ".good");
          await expect(sandbox.locator(".error p")).toHaveCount(0);
          await expect(sandbox.locator(".task .bad")).toHaveCount(0);
          await expect(sandbox.locator(".task .good")).toHaveCount(task.checks!.length);
          if (toTheEnd) await expect(sandbox.locator(".task .done")).toHaveText(LETTERS[lang]);
        });
      }
      const texts = page.locator(".sandbox :is(.task, .sandbox-caption), shikumi-predict");
      expect((await texts.allInnerTexts()).join("\n")).not.toContain("`");
      expect(errors).toEqual([]);
    });
  }
}
