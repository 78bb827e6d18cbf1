/** Seeds that once broke a law, and what was wrong then. */
export const FAILED_ONCE: readonly { readonly seed: number; readonly why: string }[] = [
  { seed: 7, why: "a kubelet whose last DELETE found no API server never asked again" },
  { seed: 30, why: "the same, with a single API server" },
  { seed: 187, why: "a kubelet that could not read its Node back after a restart broke off" },
  {
    seed: 194,
    why: "a node once taken for dead stayed so: its kubelet did not look at the API's Node",
  },
];
