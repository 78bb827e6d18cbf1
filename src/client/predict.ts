// A prediction: choose, commit, run, compare. `<Predict>` renders it; this makes it answer.
import { setCoded } from "./coded.ts";
import { recall, remember } from "./page.ts";

/**
 * A lab or a figure tells the result of its run with this event on `document`:
 * `new CustomEvent("shikumi:result", { detail: { predict: "pods", value: "3" } })`.
 */
export interface PredictResult {
  predict: string;
  /** The option as it is written, or as close as the run can say. */
  value: string | number;
}

type Texts = Record<"committed" | "right" | "wrong" | "ran" | "commit" | "change", string>;

function fill(text: string, choice: string, answer: string): string {
  return text.replace("{choice}", choice).replace("{answer}", answer);
}

class PredictElement extends HTMLElement {
  #chosen: number | undefined;
  #ran: string | undefined;

  connectedCallback(): void {
    const key = `predict:${location.pathname.split("/").at(-2)}:${this.dataset.name}`;
    const form = this.querySelector("form")!;
    const button = form.querySelector("button")!;
    form.addEventListener("change", () => {
      button.disabled = false;
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const committed = this.#chosen !== undefined;
      this.#chosen = committed ? undefined : Number(new FormData(form).get(this.#field()));
      remember("session", key, this.#chosen === undefined ? null : String(this.#chosen));
      this.#show();
    });
    document.addEventListener("shikumi:result", (event) => {
      const { predict, value } = (event as CustomEvent<PredictResult>).detail;
      if (predict !== this.dataset.name) return;
      this.#ran = String(value);
      this.#show();
    });
    const before = recall("session", key);
    if (before !== null) this.#choose(Number(before));
  }

  #field(): string {
    return this.id;
  }

  #choose(index: number): void {
    const input = this.querySelectorAll("input")[index];
    if (!input) return;
    input.checked = true;
    this.#chosen = index;
    this.querySelector("button")!.disabled = false;
    this.#show();
  }

  #show(): void {
    const texts: Texts = JSON.parse(this.dataset.texts ?? "{}");
    const options: string[] = JSON.parse(this.dataset.options ?? "[]");
    const answer = options[Number(this.dataset.answer)] ?? "";
    const button = this.querySelector("button")!;
    const output = this.querySelector("output")!;
    const committed = this.#chosen !== undefined;
    this.querySelector("fieldset")!.disabled = committed;
    button.textContent = committed ? texts.change : texts.commit;
    button.classList.toggle("main", !committed);
    if (this.#chosen === undefined) {
      delete this.dataset.state;
      output.textContent = "";
      this.querySelector("details")!.open = false;
      return;
    }
    const choice = options[this.#chosen] ?? "";
    const known = this.#ran ?? (this.dataset.run === undefined ? answer : undefined);
    if (known === undefined) {
      this.dataset.state = "committed";
      setCoded(output, fill(texts.committed, choice, answer));
      return;
    }
    const right = choice === known;
    this.dataset.state = right ? "right" : "wrong";
    const ran = this.#ran === undefined ? "" : `${fill(texts.ran, choice, known)} `;
    setCoded(output, ran + fill(right ? texts.right : texts.wrong, choice, known));
    this.querySelector("details")!.open = true;
  }
}

customElements.define("shikumi-predict", PredictElement);
