import type { JSX } from "preact";
import type { Driver } from "../driver.ts";
import type { Texts } from "../texts.ts";

/** Where it runs: in the page, or with one click in a WebContainer. */
export function BackEnd({ driver, t }: { driver: Driver; t: Texts }): JSX.Element {
  const kind = driver.kind.value;
  const stage = driver.stage.value;
  const fallback = driver.fallback.value;
  const testing = driver.testing.value;
  return (
    <div class="backend">
      <label>
        <span>{t("back.switch")}</span>
        <select
          value={kind}
          onChange={(event) =>
            void driver.use(
              event.currentTarget.value === "webcontainer" ? "webcontainer" : "worker",
            )
          }
        >
          <option value="worker">{t("back.worker")}</option>
          <option value="webcontainer">{t("back.webcontainer")}</option>
        </select>
      </label>
      {kind === "webcontainer" && stage === null && (
        <button type="button" disabled={testing === "running"} onClick={() => void driver.test()}>
          {t("back.test")}
        </button>
      )}
      <p role="status">
        {kind === "webcontainer" &&
          stage !== null &&
          t("back.booting", { stage: t(`stage.${stage}`) })}
        {fallback !== null && t("back.fallback", { reason: t(`boot.${fallback}`) })}
        {typeof testing === "number" &&
          t(testing === 0 ? "back.testOk" : "back.testBad", { code: testing })}
      </p>
    </div>
  );
}
