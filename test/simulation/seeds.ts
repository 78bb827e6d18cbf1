/** Seeds that once broke a law, and what was wrong then. */
export interface FailedOnce {
  readonly seed: number;
  /** Found when plans had less in them: see `planOf`. */
  readonly narrow?: boolean;
  readonly why: string;
}

const NARROW: readonly FailedOnce[] = [
  { seed: 7, why: "a kubelet whose last DELETE found no API server never asked again" },
  { seed: 30, why: "the same, with a single API server" },
  { seed: 187, why: "a kubelet that could not read its Node back after a restart broke off" },
  {
    seed: 194,
    why: "a node once taken for dead stayed so: its kubelet did not look at the API's Node",
  },
  {
    seed: 13,
    why: "a rollout counted Pods as available that an old ReplicaSet was about to delete",
  },
  { seed: 3305, why: "the same, after two new templates" },
  { seed: 3374, why: "the same, scaled down in the middle of a rollout" },
  { seed: 2409, why: "the law let no Pod pass a quota whose controller had not been told of one" },
];

const WIDE: readonly FailedOnce[] = [
  { seed: 171, why: "the storage's set-up ended with the first error of a connection" },
  { seed: 233, why: "so did the registration of a node's drivers" },
  { seed: 236, why: "the same, while etcd had no member to answer" },
  { seed: 863, why: "the law took a charge of a quota for a recount that said the same" },
  {
    seed: 1034,
    why: "an API server cut off from etcd said by its late cache that a write would change nothing",
  },
  { seed: 1042, why: "a volume for one node was attached to the next before it was let go" },
  {
    seed: 1049,
    why: "what went on with a promise that was settled already went on in another process",
  },
  {
    seed: 769,
    why: "a volume was not attached where its claim was seen to be bound after its Pod",
  },
  { seed: 6246, why: "clocks three minutes apart make each step of a rollout so much longer" },
  { seed: 7729, why: "a Pod that came and went while no news did is expected for five minutes" },
  { seed: 2849, why: "a Node was given back before the drain had taken it" },
  { seed: 1787, why: "a vote that came late elected its candidate in a later term" },
  { seed: 4339, why: "the law held a controller to a ReplicaSet that it had not heard of" },
  {
    seed: 8265,
    why: "slices were given up within a minute, while the news of the last write was late",
  },
  {
    seed: 8641,
    why: "a kubelet forgot what others had written of a Pod when its worker had an older object",
  },
];

export const FAILED_ONCE: readonly FailedOnce[] = [
  ...NARROW.map((one) => ({ ...one, narrow: true })),
  ...WIDE,
];
