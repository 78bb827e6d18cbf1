/** Objects of one moment after another, as a reader walks through a run. */
import { applyRow, type Row } from "./rows.ts";
import type { ObjectSummary } from "./summary.ts";

/**
 * As `objectsAt`, but goes on from the last moment asked for when time moves
 * forward, and starts over when it moves back. Each answer is a map of its own.
 */
export class ObjectReader {
  private rows: readonly Row[] = [];
  private next = 0;
  private objects = new Map<string, ObjectSummary>();

  objectsAt(
    rows: readonly Row[],
    uptoId: number,
  ): ReadonlyMap<string, ObjectSummary> {
    const lastId = this.rows[this.next - 1]?.id ?? 0;
    if (rows !== this.rows || lastId > uptoId) {
      this.rows = rows;
      this.next = 0;
      this.objects = new Map();
    }
    for (; this.next < rows.length; this.next++) {
      const row = rows[this.next]!;
      if (row.id > uptoId) break;
      applyRow(this.objects, row);
    }
    return new Map(this.objects);
  }
}
