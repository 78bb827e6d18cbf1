/** Seeds that once broke a law, and what was wrong then. */
export const FAILED_ONCE: readonly { readonly seed: number; readonly why: string }[] = [
  { seed: 7, why: "a kubelet whose last DELETE found no API server never asked again" },
  { seed: 30, why: "the same, with a single API server" },
];
