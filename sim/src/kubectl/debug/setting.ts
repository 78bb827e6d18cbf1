/** What one call of `kubectl debug` knows. */
import type { Args } from "../args.ts";
import type { Environment } from "../environment.ts";

export interface Setting {
  readonly args: Args;
  readonly env: Environment;
  readonly namespace: string;
  /** Five letters for a name. */
  readonly suffix: () => string;
}
