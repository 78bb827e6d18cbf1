/** Our own broken invariants: they stop the run. */
export class InvariantError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "InvariantError";
  }
}

/** Throws `InvariantError` unless `holds`. */
export function assert(holds: unknown, message: string): asserts holds {
  if (!holds) throw new InvariantError(message);
}
