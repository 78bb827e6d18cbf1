/** Every page in both languages and both themes: accessible, private, quiet. */
import { globSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./support/site.ts";

const languages = ["ja", "en"] as const;
const lessons = globSync("content/*/*/en.mdx").map((file) =>
  file.split("/").at(-2)!.replace(/^\d+-/, ""),
);
const paths = [
  "",
  "glossary/",
  "misconceptions/",
  "fidelity/",
  "simulator-api/",
  ...lessons.sort().map((slug) => `${slug}/`),
];

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

type RunOnly = Parameters<AxeBuilder["options"]>[0]["runOnly"];
type Violations = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"];

function shown(violations: Violations): string[] {
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" · ")}`,
  );
}

/** What breaks a rule is told at length, the rest is not: that takes four times as long. */
function axe(page: Page, runOnly: RunOnly) {
  // Of the API's hundred pieces of code, the first of each kind.
  const builder = new AxeBuilder({ page }).exclude("section + section .astro-code");
  // The pages have no frames that are not their own: one script sees all.
  return builder
    .options({ runOnly, resultTypes: ["violations"] })
    .setLegacyMode()
    .analyze();
}

/** The colour that the page is written on. */
function paper(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}

test.describe.configure({ mode: "parallel" });

for (const lang of languages) {
  for (const [index, path] of paths.entries()) {
    // Colours do not know the language: pages take turns in which one they are seen dark.
    const inDark = path === "" || index % 2 === (lang === "ja" ? 0 : 1);
    const themes = inDark ? "in either theme" : "in the light theme";
    test(`/${lang}/${path} breaks no accessibility rule, ${themes}`, async ({ page }) => {
      const errors: string[] = [];
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      page.on("pageerror", (error) => errors.push(String(error)));
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await page.goto(`/${lang}/${path}`);
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await page.waitForLoadState("networkidle");
      const all = await axe(page, RULES);
      expect(shown(all.violations)).toEqual([]);
      expect(errors).toEqual([]);
      if (!inDark) return;
      // The other theme differs in its colours alone.
      const light = await paper(page);
      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      await expect.poll(() => paper(page)).not.toBe(light);
      const dark = await axe(page, { type: "rule", values: ["color-contrast"] });
      expect(shown(dark.violations)).toEqual([]);
      expect(errors).toEqual([]);
    });
  }

  test(`/${lang}/ fits a phone without scrolling sideways`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of paths) {
      await page.goto(`/${lang}/${path}`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([path, width]).toEqual([path, 360]);
    }
  });
}

test("a switch of language keeps the place", async ({ page }) => {
  await page.goto(`/ja/deployment-to-pod/#on-the-node`);
  await page.locator("a[data-switch=en]").first().click();
  await expect(page).toHaveURL(/\/en\/deployment-to-pod\/#on-the-node$/);
  await expect(page.locator("#on-the-node")).toBeInViewport();
});

test("a page that is not there says so in the language of its address", async ({ page }) => {
  const answer = await page.goto(`/en/nowhere/`);
  expect(answer?.status()).toBe(404);
  await expect(page.locator("h1")).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  for (const lang of languages) {
    test(`the ${lang} article and the transcript of its figure can be read`, async ({ page }) => {
      await page.goto(`/${lang}/deployment-to-pod/`);
      await expect(page.locator("h2")).not.toHaveCount(0);
      const transcript = page.locator("#lab-first .transcript");
      await transcript.locator("summary").click();
      await expect(transcript.locator("li").first()).toBeVisible();
      expect(await transcript.locator("li").count()).toBeGreaterThan(40);
    });
  }
});
