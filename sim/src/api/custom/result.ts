/** What a check of a value against a schema found. */
import {
  type FieldError,
  invalid,
  tooMany,
  typeInvalid,
} from "../field-error.ts";
import { quote } from "../go-text.ts";
import type { Json } from "../types.ts";

export interface Fault {
  /** The text alone: the same is said once. */
  readonly text: string;
  readonly error: FieldError;
}

/** What is wrong, and how many rules were looked at: who fits best is told. */
export class Result {
  readonly faults: Fault[] = [];
  matches = 0;

  add(...faults: readonly Fault[]): void {
    for (const fault of faults) {
      const known = this.faults.some(({ text }) => text === fault.text);
      if (!known) this.faults.push(fault);
    }
  }

  merge(other: Result): void {
    this.add(...other.faults);
    this.matches += other.matches;
  }

  get valid(): boolean {
    return this.faults.length === 0;
  }
}

export function fault(error: FieldError, text: string): Fault {
  return { error, text };
}

/** A path of the root's fields begins with a point. */
export function fieldOf(path: string): string {
  return path.replace(/^\./, "");
}

export function wrong(path: string, value: Json, what: string): Fault {
  const text = `${path} in body ${what}`;
  return fault(invalid(fieldOf(path), value ?? "", text), text);
}

export function typeFault(
  path: string,
  types: readonly string[],
  is: string,
): Fault {
  const text = `${path} in body must be of type ${types.join(",")}: ${quote(is)}`;
  return fault(typeInvalid(fieldOf(path), is, text), text);
}

/** Faults of a length: `what` are items or properties. */
export function countFaults(
  path: string,
  count: number,
  what: string,
  min: unknown,
  max: unknown,
): Fault[] {
  const faults: Fault[] = [];
  if (typeof min === "number" && count < min) {
    faults.push(wrong(path, count, `should have at least ${min} ${what}`));
  }
  if (typeof max === "number" && count > max) {
    const text = `${path} in body should have at most ${max} ${what}`;
    faults.push(fault(tooMany(fieldOf(path), count, max), text));
  }
  return faults;
}
