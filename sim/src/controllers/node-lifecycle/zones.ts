/**
 * Zones and how fast their Nodes may be emptied. If most of a zone is silent
 * the fault is more likely the network's than the Nodes', so evictions slow
 * down; if every zone is silent it is our own, and they stop.
 * Models: pkg/controller/nodelifecycle/node_lifecycle_controller.go
 *         (ComputeZoneState, handleDisruption) @ v1.36
 */

export type ZoneState =
  | "Initial"
  | "Normal"
  | "PartialDisruption"
  | "FullDisruption";

/** Nodes a second that get the NoExecute taint. */
export const EVICTIONS_PER_SECOND = 0.1;
const EVICTIONS_PER_SECOND_SLOW = 0.01;
/** Up to so many Nodes a partly silent zone is not emptied at all. */
const LARGE_ZONE_NODES = 50;
const UNHEALTHY_SHARE = 0.55;

export interface ZoneCount {
  readonly ready: number;
  readonly notReady: number;
}

// region: zone-state
export function zoneState({ ready, notReady }: ZoneCount): ZoneState {
  if (ready === 0 && notReady > 0) return "FullDisruption";
  const share = Math.fround(notReady / (notReady + ready));
  if (notReady > 2 && share >= Math.fround(UNHEALTHY_SHARE)) {
    return "PartialDisruption";
  }
  return "Normal";
}
// endregion: zone-state

/** By the state of the zone alone. */
export function evictionsPerSecond(state: ZoneState, nodes: number): number {
  if (state !== "PartialDisruption") return EVICTIONS_PER_SECOND;
  return nodes > LARGE_ZONE_NODES ? EVICTIONS_PER_SECOND_SLOW : 0;
}

/** What one look at all zones changes. */
export interface ZoneChanges {
  /** New rates, of the zones where it changed. */
  readonly rates: ReadonlyMap<string, number>;
  /** All Nodes fell silent: whoever was to be emptied is left alone. */
  readonly allDown: boolean;
  /** Some Node came back after that: all get a fresh grace period. */
  readonly recovered: boolean;
}

export class Zones {
  private readonly states = new Map<string, ZoneState>();

  stateOf(zone: string): ZoneState {
    return this.states.get(zone) ?? "Initial";
  }

  update(counts: ReadonlyMap<string, ZoneCount>): ZoneChanges {
    const next = new Map<string, ZoneState>();
    for (const [zone, count] of counts) next.set(zone, zoneState(count));
    for (const zone of [...this.states.keys()]) {
      if (!next.has(zone)) this.states.delete(zone);
    }
    for (const zone of next.keys()) {
      if (!this.states.has(zone)) this.states.set(zone, "Initial");
    }
    const isDown = (state: ZoneState) => state === "FullDisruption";
    const allDown = [...next.values()].every(isDown);
    const wereDown = [...this.states.values()].every(isDown);
    const rates = new Map<string, number>();
    if (allDown && wereDown) return { rates, allDown: false, recovered: false };
    for (const [zone, state] of next) {
      if (!allDown && !wereDown && this.states.get(zone) === state) continue;
      const { ready, notReady } = counts.get(zone)!;
      const nodes = ready + notReady;
      rates.set(zone, allDown ? 0 : evictionsPerSecond(state, nodes));
      this.states.set(zone, state);
    }
    return { rates, allDown, recovered: wereDown };
  }
}
