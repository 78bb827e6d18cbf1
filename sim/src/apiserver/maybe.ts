/**
 * Values that may come later. The pipeline is synchronous unless a webhook or
 * a cluster of etcd members is asked; these helpers serve both ways.
 */
export type MaybePromise<T> = T | Promise<T>;

/** `next(value)`, at once if the value is there. */
/** Not called `then`: a module that exports that name is a promise to import(). */
export function andThen<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls `step` on each item, one after the other. */
export function forEach<T>(
  items: readonly T[],
  step: (item: T) => MaybePromise<void>,
  from = 0,
): MaybePromise<void> {
  for (let i = from; i < items.length; i++) {
    const done = step(items[i]!);
    if (done instanceof Promise) {
      return done.then(() => forEach(items, step, i + 1));
    }
  }
}

/** The value, or what `otherwise` makes of the error, thrown or rejected. */
export function rescue<T>(
  run: () => MaybePromise<T>,
  otherwise: (error: unknown) => T,
): MaybePromise<T> {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(otherwise) : value;
  } catch (error) {
    return otherwise(error);
  }
}
