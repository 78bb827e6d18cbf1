/**
 * The words of the trace: what each verb means, who records it, and what its
 * detail holds. Figures rely on this table, so a new verb is added here first.
 * An entry with a `target` is an arrow of the sequence diagram.
 */
/** Who records each verb. */
export interface Verbs {
  /** `you` (or the scenario) acts. subject: the command. detail: the input. */
  input: "you";
  /** A client calls the API server. subject: "POST deployments.apps default/web". detail: RequestDetail. */
  request: "client";
  /** The API server answers, under its request. subject: "201 Created". target: the client. detail: ResponseDetail. */
  response: "kube-apiserver";
  /** Pipeline stages, under the request. subject: verdict. detail: StageDetail. */
  authenticate: "kube-apiserver";
  authorize: "kube-apiserver";
  mutate: "kube-apiserver";
  validate: "kube-apiserver";
  admit: "kube-apiserver";
  /** The API server asks a webhook. target: the webhook. */
  webhook: "kube-apiserver";
  /** The API server commits to etcd. subject: key. target: `etcd`. detail: { revision }. */
  txn: "kube-apiserver";
  range: "kube-apiserver";
  /** An object changed. subject: "Pod default/web-x". detail: WriteDetail. Everything that reacts has this as its cause. */
  write: "kube-apiserver";
  /** A watch event arrives. actor: kube-apiserver. target: the watcher. detail: { type, object }. */
  watch: "kube-apiserver";
  /** A controller works on a key, under the watch event. subject: "default/web". */
  reconcile: "controller";
  /** The scheduler's cycle: one entry per phase, under its `schedule`. detail: per node and plugin. */
  schedule: "kube-scheduler";
  filter: "kube-scheduler";
  score: "kube-scheduler";
  preempt: "kube-scheduler";
  bind: "kube-scheduler";
  /** A pod worker works on a Pod. */
  "sync-pod": "kubelet";
  probe: "kubelet";
  /** A CRI call. subject: "RunPodSandbox". target: the runtime. detail: { request, response | error }. */
  cri: "kubelet";
  /** A CNI plugin is executed. subject: "ADD bridge". target: "cni/node-1". detail: { env, stdin, stdout, exit }. */
  cni: "runtime";
  /** A CSI call. subject: "NodePublishVolume". detail: { request, response | error }. */
  csi: "kubelet";
  /** A disk is made, attached, detached, deleted. subject: "attach node-1". detail: { volume_id }. */
  disk: "csi";
  /** A container starts, exits, is killed. actor: the runtime. subject: "start nginx". */
  container: "runtime";
  image: "runtime";
  /** A packet at one hop. detail: { packet, before, after, rule }. */
  packet: "network";
  /** kube-proxy programs rules. detail: { rules }. */
  program: "kube-proxy";
  /** Raft: an election, a leader, a message. actor: `etcd/m1`. */
  raft: "etcd";
  /** A fault begins or ends. */
  fault: "fault";
  /** A line that the reader's code printed. */
  log: "any";
  /** Something failed inside a component; it will retry. detail: { message, stack }. */
  error: "any";
}

/** A verb of the table. */
export type Verb = keyof Verbs;
