/**
 * Simulated ms as the API's moments. Texts of whole seconds are kept for the
 * last minute, since a busy second writes thousands of them.
 */
import { flat } from "./flat.ts";

/** Seconds whose texts are kept; a power of two. */
const KEPT = 64;

export class Calendar {
  private readonly epochMs: number;
  private readonly seconds = new Float64Array(KEPT).fill(-1);
  private readonly texts: string[] = new Array(KEPT).fill("");

  /** `epoch`: RFC 3339 moment of simulated time 0; throws on another form. */
  constructor(epoch: string) {
    this.epochMs = Date.parse(epoch);
    if (Number.isNaN(this.epochMs)) throw new RangeError(`epoch ${epoch}`);
  }

  timestamp(atMs: number): string {
    const second = Math.floor((this.epochMs + atMs) / 1000);
    const place = second & (KEPT - 1);
    if (this.seconds[place] !== second) {
      this.seconds[place] = second;
      const iso = new Date(second * 1000).toISOString();
      this.texts[place] = `${iso.slice(0, 19)}Z`;
    }
    return this.texts[place]!;
  }

  microTimestamp(atMs: number): string {
    const ms = Math.floor(atMs);
    const micros = Math.floor((atMs - ms) * 1000);
    const iso = new Date(this.epochMs + ms).toISOString();
    return flat(`${iso.slice(0, 23)}${String(micros).padStart(3, "0")}Z`);
  }

  msOf(timestamp: string): number {
    return Date.parse(timestamp) - this.epochMs;
  }
}
