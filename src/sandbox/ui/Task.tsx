/** The lab's task, its checks, and what they saw. */
import type { JSX } from "preact";
import { formatClock } from "../../figures/rail/Rail.tsx";
import type { Verdict } from "../checker.ts";
import type { Driver } from "../driver.ts";
import { CHECK_RUNS } from "../lab.ts";
import type { SandboxStore } from "../store.ts";
import type { Texts } from "../texts.ts";
import { Coded } from "./Coded.tsx";

export function Task({
  store,
  driver,
  t,
}: {
  store: SandboxStore;
  driver: Driver;
  t: Texts;
}): JSX.Element | null {
  const { task } = store.lab;
  if (!task) return null;
  const checking = store.checking.value;
  const verdicts = store.verdicts.value;
  const isPassed = ({ failure, runs }: Verdict) => !failure && runs === CHECK_RUNS;
  const done = !checking && verdicts.length > 0 && verdicts.every(isPassed);
  return (
    <section class="task" aria-label={t("task.title")} aria-busy={checking}>
      <p>
        <strong>{t("task.title")}</strong> <Coded text={task} />
      </p>
      <div class="act">
        <button
          type="button"
          class="check"
          onClick={() => (checking ? driver.stopCheck() : void driver.check())}
        >
          {t(checking ? "task.stop" : "task.check")}
        </button>
        <button type="button" class="solve" disabled={checking} onClick={() => void driver.solve()}>
          {t(store.own.value ? "task.own" : "task.solution")}
        </button>
      </div>
      <ul aria-live="polite">
        {verdicts.map((verdict) => (
          <VerdictLine key={verdict.check.id} verdict={verdict} store={store} t={t} />
        ))}
        {done && <li class="done">{t("task.done")}</li>}
      </ul>
    </section>
  );
}

function VerdictLine({
  verdict,
  store,
  t,
}: {
  verdict: Verdict;
  store: SandboxStore;
  t: Texts;
}): JSX.Element {
  const { check, failure, passed, runs } = verdict;
  const { lang } = store;
  return (
    <li class={failure ? "bad" : "good"}>
      <span class="mark" role="img" aria-label={t(failure ? "task.failed" : "task.passed")}>
        {failure ? "×" : "✓"}
      </span>
      <span>
        <Coded text={check.says[lang]} /> <small>{t("task.runs", { passed, runs })}</small>
        {failure?.seen && (
          <em>
            <Coded text={t("task.seen", { seed: failure.seed, seen: failure.seen[lang] })} />
            {failure.atMs !== undefined && ` (${formatClock(failure.atMs)})`}
          </em>
        )}
      </span>
    </li>
  );
}
