/**
 * Which generations of its slices the controller has written itself: it tells
 * a copy that lags behind, and a change that somebody else has made.
 * Models:     staging/src/k8s.io/endpointslice/util/endpointslice_tracker.go
 *             @ v1.36
 */
import type { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import type { ObjectKey } from "../../api/types.ts";

/** Instead of a generation: we have deleted the slice. */
const DELETED = -1;

export class SliceTracker {
  /** By Service, then by the slice's uid. */
  private readonly services = new Map<ObjectKey, Map<string, number>>();

  /** The copy does not show all that we have written for the Service. */
  isStale(service: ObjectKey, slices: readonly EndpointSlice[]): boolean {
    const written = this.services.get(service);
    if (!written) return false;
    const seen = new Set(slices.map(uidOf));
    const lags = slices.some((slice) => {
      const generation = written.get(uidOf(slice)) ?? 0;
      return generation === DELETED || generation > generationOf(slice);
    });
    return (
      lags || [...written].some(([uid, g]) => g !== DELETED && !seen.has(uid))
    );
  }

  /** A state that we have not made, or of which no answer has told us yet. */
  isNews(service: ObjectKey, slice: EndpointSlice): boolean {
    const generation = this.services.get(service)?.get(uidOf(slice));
    return generation === undefined || generationOf(slice) > generation;
  }

  wrote(service: ObjectKey, slice: EndpointSlice): void {
    this.of(service).set(uidOf(slice), generationOf(slice));
  }

  deleted(service: ObjectKey, slice: EndpointSlice): void {
    this.of(service).set(uidOf(slice), DELETED);
  }

  /** The slice is gone; true if we knew it and it was not our doing. */
  gone(service: ObjectKey, slice: EndpointSlice): boolean {
    const written = this.services.get(service);
    const generation = written?.get(uidOf(slice));
    written?.delete(uidOf(slice));
    return generation !== undefined && generation !== DELETED;
  }

  forget(service: ObjectKey): void {
    this.services.delete(service);
  }

  private of(service: ObjectKey): Map<string, number> {
    const known = this.services.get(service) ?? new Map<string, number>();
    this.services.set(service, known);
    return known;
  }
}

const uidOf = ({ metadata }: EndpointSlice) => metadata.uid ?? "";
const generationOf = ({ metadata }: EndpointSlice) => metadata.generation ?? 0;
