/** A row of the drawing of calls: what one part asked of another, did or answered. */
export interface CallRow {
  /** Ids of lanes; equal for something that the part does by itself. */
  readonly from: string;
  readonly to: string;
  /** Since the first row, in ms. */
  readonly afterMs: number;
  readonly text: string;
  /** An answer goes back, and is drawn as such. */
  readonly isAnswer: boolean;
  /** 1, 2, 3 …, where a step begins. */
  readonly step?: number;
  /** What was sent, as lines of text. */
  readonly detail?: string;
}
