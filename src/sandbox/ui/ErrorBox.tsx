import type { JSX } from "preact";
import type { SandboxStore } from "../store.ts";
import { MANIFEST } from "../store.ts";
import type { Texts } from "../texts.ts";
import { Coded } from "./Coded.tsx";
import { problemText } from "./problems.ts";

interface Props {
  readonly store: SandboxStore;
  readonly t: Texts;
  readonly onOpen: (file: string, line: number) => void;
}

/** What went wrong, in words, and the way to the line. */
export function ErrorBox({ store, t, onOpen }: Props): JSX.Element {
  const error = store.error.value;
  return (
    <div class="error" role="alert">
      {store.problems.value.map((problem) => (
        <p
          key={`${problem.document}:${problem.line}:${problem.code}:${problem.params.field ?? ""}`}
        >
          {problem.line > 0 ? (
            <button type="button" onClick={() => onOpen(MANIFEST, problem.line)}>
              <Coded text={problemText(problem, t)} />
            </button>
          ) : (
            <Coded text={problemText(problem, t)} />
          )}
        </p>
      ))}
      {error && (
        <p>
          {error.file && error.line !== undefined && (
            <button type="button" onClick={() => onOpen(error.file!, error.line!)}>
              {t("error.at", { file: error.file, line: error.line })}
            </button>
          )}{" "}
          <Coded text={t(`error.${error.kind}`, paramsOf(error, t))} />
        </p>
      )}
    </div>
  );
}

function paramsOf(error: NonNullable<SandboxStore["error"]["value"]>, t: Texts) {
  const params = { message: error.message, ...error.params };
  return error.kind === "boot" ? { ...params, reason: t(`boot.${error.params.reason}`) } : params;
}
