import type { JSX } from "preact";
import { type SandboxStore, SPEEDS } from "../store.ts";
import type { Texts } from "../texts.ts";
import { Icon } from "./Icon.tsx";

interface Props {
  readonly store: SandboxStore;
  readonly t: Texts;
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly onReset: () => void;
  readonly onShare: () => void;
  readonly onChanges: () => void;
  readonly note: string;
}

/** The one control bar, the same in every lesson. */
export function ControlBar({
  store,
  t,
  onRun,
  onStop,
  onReset,
  onShare,
  onChanges,
  note,
}: Props): JSX.Element {
  const busy = store.status.value === "running" || store.status.value === "loading";
  const count = store.beats.value.length;
  const at = store.at.value;
  const playing = store.playing.value;
  return (
    <div class="controls" role="toolbar" aria-label={t("control.help")}>
      {busy ? (
        <button type="button" class="primary" onClick={onStop}>
          <Icon name="stop" />
          {t("control.stop")}
        </button>
      ) : (
        <button type="button" class="primary" onClick={onRun}>
          <Icon name="run" />
          {t("control.run")}
        </button>
      )}
      <span class="group">
        <IconButton
          name="back"
          label={t("control.back")}
          disabled={at <= 0}
          onClick={() => store.step(-1)}
        />
        <IconButton
          name={playing ? "pause" : "play"}
          label={t(playing ? "control.pause" : "control.play")}
          disabled={count === 0}
          onClick={() => togglePlay(store)}
        />
        <IconButton
          name="step"
          label={t("control.step")}
          disabled={at >= count - 1}
          onClick={() => store.step(1)}
        />
      </span>
      <label class="field">
        <span>{t("control.speed")}</span>
        <select
          value={store.speed.value}
          onChange={(e) => (store.speed.value = Number(e.currentTarget.value))}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={speed}>{`${speed}×`}</option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t("control.seed")}</span>
        <input
          type="number"
          min="0"
          max="999999999"
          step="1"
          inputMode="numeric"
          value={store.seed.value}
          onInput={(e) => {
            const seed = e.currentTarget.valueAsNumber;
            if (Number.isInteger(seed) && seed >= 0) store.setSeed(seed);
          }}
        />
      </label>
      <span class="group end">
        <span class="note" role="status">
          {note}
        </span>
        <IconButton name="changes" label={t("control.changes")} onClick={onChanges} />
        <IconButton name="reset" label={t("control.reset")} onClick={onReset} />
        <IconButton name="share" label={t("control.share")} onClick={onShare} />
        <Help t={t} />
      </span>
    </div>
  );
}

export function togglePlay(store: SandboxStore): void {
  const last = store.beats.value.length - 1;
  if (!store.playing.value && store.at.value >= last) store.goTo(0);
  store.playing.value = !store.playing.value && last > 0;
}

interface IconButtonProps {
  readonly name: Parameters<typeof Icon>[0]["name"];
  readonly label: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

function IconButton({ name, label, disabled, onClick }: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class="icon"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={name} />
    </button>
  );
}

function Help({ t }: { t: Texts }): JSX.Element {
  return (
    <details class="help">
      <summary aria-label={t("control.help")} title={t("control.help")}>
        ?
      </summary>
      <p>{t("keys")}</p>
    </details>
  );
}
