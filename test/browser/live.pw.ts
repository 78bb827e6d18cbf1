/** The clusters that a reader breaks by pressing buttons: the first page's, and the first lesson's. */
import { expect, test } from "./support/site.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

const words = {
  ja: { kill: "nodeを壊す", again: "はじめに戻す", whole: /3個中3個/ },
  en: { kill: "Kill a node", again: "Begin again", whole: /3 of 3/ },
} as const;

for (const lang of ["ja", "en"] as const) {
  test(`/${lang}/what-is-kubernetes/ tells who mended what was broken`, async ({ page }) => {
    await page.goto(`/${lang}/what-is-kubernetes/`);
    const heal = page.locator("#figure-heal");
    await heal.scrollIntoViewIfNeeded();
    await expect(heal.locator("astro-island[ssr]")).toHaveCount(0);
    await expect(heal.locator(".heal .cluster-pod.ready")).toHaveCount(3);
    const newest = heal.locator(".heal .newest");

    await heal.locator(".heal-buttons button").first().click();
    await expect(newest.locator(".heal-mend b").first()).toHaveText("replicaset-controller");
    await expect(newest.locator(".result")).toHaveText(words[lang].whole);
    await expect(newest.locator(".command")).toContainText("kubectl delete pod web-");

    await heal.getByRole("button", { name: words[lang].kill }).click();
    await expect(newest.locator(".heal-mend b").first()).toHaveText("node-lifecycle-controller");
    await expect(newest.locator(".result")).toHaveText(words[lang].whole);
    await expect(heal.locator(".heal-deed.older")).toHaveCount(1);

    await heal.getByRole("button", { name: words[lang].again }).click();
    await expect(heal.locator(".heal .heal-deed")).toHaveCount(0);
    await expect(heal.locator(".heal .cluster-pod.ready")).toHaveCount(3);
  });
}

test("without scripts the lesson tells three deeds as text", async ({ browser, siteOrigin }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${siteOrigin}/en/what-is-kubernetes/`);
  await expect(page.locator("#figure-heal .heal-buttons")).toBeHidden();
  await page.locator("#figure-heal .transcript summary").click();
  await expect(page.locator("#figure-heal .heal-deed.told")).toHaveCount(3);
  await expect(page.locator("#figure-heal .told .result").first()).toContainText("3 of 3");
  await context.close();
});

test("the first page plays on from what the visitor stopped", async ({ page }) => {
  await page.goto("/en/");
  const hero = page.locator(".hero-live");
  await hero.getByRole("button", { name: "Stop node-2" }).click();
  await expect(hero.locator(".hero-note")).toContainText("3 Pods ready");
  await expect(hero.getByRole("button", { name: "Start node-2" })).toBeVisible();
});
