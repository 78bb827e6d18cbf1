/**
 * How a run is read, for those who hold its rows and need no simulator: the
 * entry `@shikumi/sim/view`, small enough for a page to load.
 */
export { ObjectReader } from "./object-reader.ts";
export { isPulse } from "./pulse.ts";
export { objectId, objectsAt, type Row, rowOf, STAGES } from "./rows.ts";
export { type ObjectSummary, summaryOf } from "./summary.ts";
