/** Rows of a run in the page, folded into the objects of a moment. */
import type { ObjectSummary, Row } from "@shikumi/sim";

/** Names an object as the trace does: `Pod default/web-x`. */
export function idOf({ kind, namespace, name }: ObjectSummary): string {
  return namespace ? `${kind} ${namespace}/${name}` : `${kind} ${name}`;
}

/**
 * The objects at a moment. Goes on from the last moment asked for when time
 * moves forward, starts over when it moves back.
 */
export class RowReader {
  private rows: readonly Row[] = [];
  private next = 0;
  private objects = new Map<string, ObjectSummary>();

  objectsAt(rows: readonly Row[], uptoId: number): ReadonlyMap<string, ObjectSummary> {
    const behind = this.next > 0 && (this.rows[this.next - 1]?.id ?? 0) > uptoId;
    if (rows !== this.rows || behind) {
      this.rows = rows;
      this.next = 0;
      this.objects = new Map();
    }
    for (; this.next < rows.length && rows[this.next]!.id <= uptoId; this.next++) {
      const { object, type } = rows[this.next]!;
      if (!object) continue;
      if (type === "DELETED") this.objects.delete(idOf(object));
      else this.objects.set(idOf(object), object);
    }
    return new Map(this.objects);
  }
}
