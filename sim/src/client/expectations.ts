/**
 * Expectations: what a controller has asked for and not yet seen come back on
 * its watch. While any is open it must not create or delete again, since its
 * copy does not show its own last writes: it would do the same twice.
 * Models: pkg/controller/controller_utils.go (ControllerExpectations,
 *         UIDTrackingControllerExpectations) @ v1.36
 */
import type { ObjectKey } from "../api/types.ts";
import type { Kernel } from "../kernel/index.ts";

interface Expected {
  creations: number;
  /** Keys of the objects whose deletion was asked for. */
  readonly deletions: Set<ObjectKey>;
  readonly atMs: number;
}

/** After so long a lost watch event is taken as lost. */
const EXPIRES_MS = 5 * 60 * 1000;

export class Expectations {
  private readonly kernel: Kernel;
  private readonly byOwner = new Map<ObjectKey, Expected>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  /** Expects `creations` new objects, and these keys to be deleted. */
  expect(
    owner: ObjectKey,
    creations: number,
    deletions: readonly ObjectKey[] = [],
  ): void {
    const atMs = this.kernel.now();
    const keys = new Set(deletions);
    this.byOwner.set(owner, { creations, deletions: keys, atMs });
  }

  /** A new object of `owner` was seen (or its creation failed). */
  creationSeen(owner: ObjectKey, count = 1): void {
    const expected = this.byOwner.get(owner);
    if (expected) expected.creations -= count;
  }

  /** The deletion of `key` was seen (or it failed). */
  deletionSeen(owner: ObjectKey, key: ObjectKey): void {
    this.byOwner.get(owner)?.deletions.delete(key);
  }

  /** True if the local copy shows all that was asked for. */
  satisfied(owner: ObjectKey): boolean {
    const expected = this.byOwner.get(owner);
    if (!expected) return true;
    if (expected.creations <= 0 && expected.deletions.size === 0) return true;
    return this.kernel.now() - expected.atMs > EXPIRES_MS;
  }

  /** The owner is gone. */
  forget(owner: ObjectKey): void {
    this.byOwner.delete(owner);
  }
}
