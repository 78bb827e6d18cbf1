/** What a JSONPath template is made of. */

export type Node =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "field"; readonly name: string }
  | { readonly type: "array"; readonly params: Params }
  | { readonly type: "filter"; readonly filter: Filter }
  | { readonly type: "number" | "bool"; readonly value: number | boolean }
  | { readonly type: "wildcard" | "recursive" }
  | { readonly type: "union"; readonly lists: readonly List[] }
  | { readonly type: "identifier"; readonly name: string };

/** Steps one after the other: what stands between two braces. */
export type List = readonly Node[];

/** A template: texts, and lists in braces. */
export type Part = Node | { readonly type: "list"; readonly nodes: List };

/** `[from:to:step]`; what is not given is undefined. */
export interface Params {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number | undefined;
  /** `[3]`: the end follows from the start. */
  readonly single: boolean;
}

export interface Filter {
  readonly left: List;
  readonly right: List;
  /** `==` and its like; "": that the left leads to something. */
  readonly operator: string;
}
