/** What every page and article does by itself: search, theme, door, predictions, terms, contents. */
import { expect, test } from "./support/site.ts";

const searches = [
  { lang: "ja", query: "プリエンプション", finds: "用語集" },
  { lang: "en", query: "preemption", finds: "Glossary" },
] as const;

for (const { lang, query, finds } of searches) {
  test(`/ opens the search in ${lang}; arrows and Enter reach what it finds`, async ({ page }) => {
    await page.goto(`/${lang}/`);
    await page.keyboard.press("/");
    const box = page.locator("[data-search]");
    await expect(box.locator("input")).toBeFocused();
    await page.keyboard.type(query);
    await expect(box.locator(".results b", { hasText: finds })).toBeVisible();
    await expect(box.locator(".results mark").first()).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expect(box.locator(".results a").first()).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(box.locator("input")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/${lang}/[a-z-]+/`));
  });
}

test("the search says when nothing is found, and Escape closes it", async ({ page }) => {
  await page.goto("/en/");
  await page.locator("[data-search-open]").click();
  await page.keyboard.type("xyzzyplugh");
  await expect(page.locator("[data-search] .state")).toContainText("xyzzyplugh");
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-search]")).toBeHidden();
});

test("a slash in a field is a slash", async ({ page }) => {
  await page.goto("/en/");
  await page.keyboard.press("/");
  await page.keyboard.press("/");
  await expect(page.locator("[data-search] input")).toHaveValue("/");
});

test("the theme is kept from page to page, before the first paint", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/en/");
  const toggle = page.locator("[data-theme-toggle]");
  await toggle.click();
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-label", "Theme: Dark");
  await page.goto("/ja/glossary/", { waitUntil: "commit" });
  await page.waitForSelector("body", { state: "attached" });
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  await expect(toggle).toHaveAttribute("aria-label", "配色: 暗い");
  await toggle.click();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBeUndefined();
});

test("the door offers both languages and remembers the choice", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("a[data-lang]")).toHaveText([/日本語/, /English/]);
  await page.locator("a[data-lang=ja]").click();
  await expect(page).toHaveURL(/\/ja\/$/);
  await page.goto("/");
  await expect(page).toHaveURL(/\/ja\/$/);
  await page.locator("a[data-switch=en]").click();
  await page.goto("/");
  await expect(page).toHaveURL(/\/en\/$/);
});

test("a switch of language keeps the distance to the heading, and the fragment", async ({
  page,
}) => {
  await page.goto("/ja/misconceptions/#seed=7&step=41");
  await page.locator("#services").evaluate((heading) => heading.scrollIntoView());
  const before = await page.locator("#services").evaluate((h) => h.getBoundingClientRect().top);
  await page.locator("a[data-switch=en]").evaluate((link: HTMLAnchorElement) => link.click());
  await expect(page).toHaveURL(/\/en\/misconceptions\/#seed=7&step=41$/);
  await expect
    .poll(() => page.locator("#services").evaluate((h) => h.getBoundingClientRect().top))
    .toBeCloseTo(before, -1);
});

test("the skip link is the first stop and leads to the text", async ({ page }) => {
  await page.goto("/en/glossary/");
  await page.keyboard.press("Tab");
  await expect(page.locator(".skip")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#main")).toBeFocused();
});

test("on a phone the curriculum opens over the page and closes again", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/en/glossary/");
  const panel = page.locator("#curriculum");
  await expect(panel).toBeHidden();
  await page.getByRole("button", { name: "Contents" }).click();
  await expect(panel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
});

test("the contents list follows the reader", async ({ page }) => {
  await page.setViewportSize({ width: 1400, height: 800 });
  await page.goto("/en/misconceptions/");
  await page.locator("#runtime-and-network").evaluate((heading) => heading.scrollIntoView());
  await expect(page.locator("[data-toc] [aria-current]")).toHaveText("Runtime and network");
});

test.describe("in an article", () => {
  test("a prediction is committed by keyboard, answered, kept, and can be changed", async ({
    page,
  }) => {
    await page.goto("/en/deployment-to-pod/");
    const predict = page.locator("shikumi-predict").first();
    const commit = predict.locator("button");
    await expect(commit).toBeDisabled();
    await expect(predict.locator("details")).toBeHidden();
    await predict.locator("input").first().focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await expect(predict).toHaveAttribute("data-state", /right|wrong|committed/);
    const said = (await predict.locator("li").first().textContent()) ?? "none";
    await expect(predict.locator("output")).toContainText(said.trim());
    await page.reload();
    await expect(predict.locator("input").first()).toBeChecked();
    await expect(predict).toHaveAttribute("data-state", /right|wrong|committed/);
    await commit.click();
    await expect(predict).not.toHaveAttribute("data-state");
    await expect(predict.locator("input").first()).toBeEnabled();
  });

  test("what stands in backticks is code, in the options and in the answer", async ({ page }) => {
    await page.goto("/en/high-availability/");
    const predict = page.locator("#predict-without-quorum");
    await predict.locator("li", { hasText: "kubectl get" }).locator("input").check();
    await expect(predict.locator("li code")).toHaveText("kubectl get");
    await predict.locator("button").click();
    await expect(predict.locator("output code")).toHaveText("kubectl get");
    await expect(predict).not.toContainText("`");
  });

  test("a run's result answers the prediction", async ({ page }) => {
    await page.goto("/en/deployment-to-pod/");
    const predict = page.locator("shikumi-predict").first();
    await predict.locator("input").first().check();
    await predict.locator("button").click();
    const options = JSON.parse((await predict.getAttribute("data-options")) ?? "[]") as string[];
    await predict.evaluate(
      (element, value) =>
        document.dispatchEvent(
          new CustomEvent("shikumi:result", {
            detail: { predict: (element as HTMLElement).dataset.name, value },
          }),
        ),
      options[0],
    );
    await expect(predict).toHaveAttribute("data-state", "right");
    await expect(predict.locator("output")).toContainText("The run gave");
  });

  test("a term shows its definition on focus; Escape puts it away", async ({ page }) => {
    await page.goto("/en/deployment-to-pod/");
    const term = page.locator("a.term").first();
    const definition = await term.getAttribute("data-definition");
    await page.keyboard.press("Tab"); // Focus by keyboard is what shows it.
    await term.focus();
    const note = page.getByRole("tooltip");
    await expect(note).toHaveText((definition ?? "none").replaceAll("`", ""));
    await page.keyboard.press("Escape");
    await expect(note).toHaveCount(0);
    await term.hover();
    await expect(note).toBeVisible();
  });
});
