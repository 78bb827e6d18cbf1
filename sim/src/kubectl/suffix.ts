/** Endings of names that kubectl makes up itself. */
import type { Environment } from "./environment.ts";

/** Five letters each time, by the run's seed and the moment. */
export function nameSuffix({ kernel }: Environment): () => string {
  const random = kernel.random.fork(`kubectl/${kernel.now()}`);
  return () => random.suffix();
}
