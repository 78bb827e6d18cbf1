/**
 * The Container Runtime Interface: the calls that the kubelet makes to the
 * runtime over gRPC, with the names of the real messages' fields. Whatever
 * implements these two services can run Pods.
 * Models:     staging/src/k8s.io/cri-api/pkg/apis/runtime/v1/api.proto @ v1.36
 * Leaves out: streaming of exec, attach and port-forward; checkpoints; Windows.
 * Longer because: it is one declaration a message; none runs.
 */
export interface RuntimeService {
  version(request: object): Promise<VersionResponse>;
  status(request: { verbose?: boolean }): Promise<StatusResponse>;
  runPodSandbox(
    request: RunPodSandboxRequest,
  ): Promise<{ pod_sandbox_id: string }>;
  stopPodSandbox(request: { pod_sandbox_id: string }): Promise<object>;
  removePodSandbox(request: { pod_sandbox_id: string }): Promise<object>;
  podSandboxStatus(request: {
    pod_sandbox_id: string;
  }): Promise<{ status: PodSandboxStatus }>;
  listPodSandbox(request: {
    filter?: PodSandboxFilter;
  }): Promise<{ items: PodSandbox[] }>;
  createContainer(
    request: CreateContainerRequest,
  ): Promise<{ container_id: string }>;
  startContainer(request: { container_id: string }): Promise<object>;
  /** `timeout` in seconds: TERM, then KILL when it has passed. */
  stopContainer(request: {
    container_id: string;
    timeout: number;
  }): Promise<object>;
  removeContainer(request: { container_id: string }): Promise<object>;
  listContainers(request: {
    filter?: ContainerFilter;
  }): Promise<{ containers: CriContainer[] }>;
  containerStatus(request: {
    container_id: string;
  }): Promise<{ status: CriContainerStatus }>;
  updateContainerResources(
    request: UpdateContainerResourcesRequest,
  ): Promise<object>;
  /** The log file was renamed: go on in a new one. */
  reopenContainerLog(request: { container_id: string }): Promise<object>;
  /** `timeout` in seconds; 0 for none. */
  execSync(request: ExecSyncRequest): Promise<ExecSyncResponse>;
  containerStats(request: {
    container_id: string;
  }): Promise<{ stats: ContainerStats }>;
  listContainerStats(request: object): Promise<{ stats: ContainerStats[] }>;
}

export interface ImageService {
  listImages(request: object): Promise<{ images: CriImage[] }>;
  /** No `image` in the answer: the node does not have it. */
  imageStatus(request: { image: ImageSpec }): Promise<{ image?: CriImage }>;
  pullImage(request: PullImageRequest): Promise<{ image_ref: string }>;
  removeImage(request: { image: ImageSpec }): Promise<object>;
  imageFsInfo(
    request: object,
  ): Promise<{ image_filesystems: FilesystemUsage[] }>;
}

export interface VersionResponse {
  readonly version: string;
  readonly runtime_name: string;
  readonly runtime_version: string;
  readonly runtime_api_version: string;
}

export interface StatusResponse {
  readonly status: { readonly conditions: readonly RuntimeCondition[] };
  readonly runtime_handlers?: readonly RuntimeHandler[];
  readonly features?: object;
  /** The runtime's own words, if it was asked for many: JSON by name. */
  readonly info?: Readonly<Record<string, string>>;
}

/** Types: RuntimeReady, NetworkReady. */
export interface RuntimeCondition {
  readonly type: string;
  readonly status?: boolean;
  readonly reason?: string;
  readonly message?: string;
}

export interface RuntimeHandler {
  readonly name?: string;
  readonly features?: object;
}

export interface PodSandboxMetadata {
  readonly name: string;
  readonly uid: string;
  readonly namespace: string;
  readonly attempt?: number;
}

export interface PodSandboxConfig {
  readonly metadata: PodSandboxMetadata;
  readonly hostname?: string;
  readonly log_directory?: string;
  readonly dns_config?: DnsConfig;
  readonly port_mappings?: readonly CriPortMapping[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly linux?: LinuxPodSandboxConfig;
}

export interface DnsConfig {
  readonly servers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly string[];
}

/** protocol: 0 TCP, 1 UDP, 2 SCTP. */
export interface CriPortMapping {
  readonly protocol?: number;
  readonly container_port: number;
  readonly host_port?: number;
  readonly host_ip?: string;
}

export interface LinuxPodSandboxConfig {
  readonly cgroup_parent?: string;
  readonly security_context?: {
    readonly namespace_options?: NamespaceOptions;
  };
  readonly sysctls?: Readonly<Record<string, string>>;
}

/** POD: shared by the Pod. CONTAINER: own. NODE: the node's. */
export type NamespaceMode = "POD" | "CONTAINER" | "NODE" | "TARGET";

export interface NamespaceOptions {
  readonly network?: NamespaceMode;
  readonly pid?: NamespaceMode;
  readonly ipc?: NamespaceMode;
}

export interface RunPodSandboxRequest {
  readonly config: PodSandboxConfig;
  readonly runtime_handler?: string;
}

export type PodSandboxState = "SANDBOX_READY" | "SANDBOX_NOTREADY";

export interface PodSandboxFilter {
  readonly id?: string;
  readonly state?: { readonly state: PodSandboxState };
  readonly label_selector?: Readonly<Record<string, string>>;
}

export interface PodSandbox {
  readonly id: string;
  readonly metadata: PodSandboxMetadata;
  readonly state: PodSandboxState;
  /** Nanoseconds since 1970. */
  readonly created_at: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly runtime_handler?: string;
}

export interface PodSandboxStatus extends PodSandbox {
  readonly network?: {
    readonly ip: string;
    readonly additional_ips?: readonly { readonly ip: string }[];
  };
  readonly linux?: {
    readonly namespaces: { readonly options: NamespaceOptions };
  };
}

export interface ImageSpec {
  readonly image: string;
}

export interface ContainerMetadata {
  readonly name: string;
  readonly attempt?: number;
}

export interface ContainerConfig {
  readonly metadata: ContainerMetadata;
  readonly image: ImageSpec;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly working_dir?: string;
  readonly envs?: readonly { readonly key: string; readonly value: string }[];
  readonly mounts?: readonly CriMount[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Relative to the sandbox's `log_directory`. */
  readonly log_path?: string;
  readonly linux?: LinuxContainerConfig;
}

export interface CriMount {
  readonly container_path: string;
  readonly host_path: string;
  readonly readonly?: boolean;
}

export interface LinuxContainerConfig {
  readonly resources?: LinuxContainerResources;
  readonly security_context?: {
    readonly namespace_options?: NamespaceOptions;
  };
}

export interface LinuxContainerResources {
  /** Microseconds. */
  readonly cpu_period?: number;
  readonly cpu_quota?: number;
  readonly cpu_shares?: number;
  readonly memory_limit_in_bytes?: number;
  readonly oom_score_adj?: number;
}

export interface CreateContainerRequest {
  readonly pod_sandbox_id: string;
  readonly config: ContainerConfig;
  readonly sandbox_config: PodSandboxConfig;
}

export interface UpdateContainerResourcesRequest {
  readonly container_id: string;
  readonly linux: LinuxContainerResources;
}

export type CriContainerState =
  | "CONTAINER_CREATED"
  | "CONTAINER_RUNNING"
  | "CONTAINER_EXITED"
  | "CONTAINER_UNKNOWN";

export interface ContainerFilter {
  readonly id?: string;
  readonly pod_sandbox_id?: string;
  readonly state?: { readonly state: CriContainerState };
  readonly label_selector?: Readonly<Record<string, string>>;
}

export interface CriContainer {
  readonly id: string;
  readonly pod_sandbox_id: string;
  readonly metadata: ContainerMetadata;
  readonly image: ImageSpec;
  readonly image_ref: string;
  readonly state: CriContainerState;
  readonly created_at: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly image_id?: string;
}

/** Times in nanoseconds since 1970; 0 or absent: not yet. */
export interface CriContainerStatus {
  readonly id: string;
  readonly metadata: ContainerMetadata;
  readonly state: CriContainerState;
  readonly created_at: number;
  readonly started_at?: number;
  readonly finished_at?: number;
  readonly exit_code?: number;
  readonly image: ImageSpec;
  readonly image_ref: string;
  readonly reason?: string;
  readonly message?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly log_path?: string;
  readonly resources?: { readonly linux?: LinuxContainerResources };
  readonly image_id?: string;
  readonly user?: object;
  readonly stop_signal?: string;
}

export interface ExecSyncRequest {
  readonly container_id: string;
  readonly cmd: readonly string[];
  readonly timeout: number;
}

export interface ExecSyncResponse {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
}

export interface ContainerStats {
  readonly attributes: {
    readonly id: string;
    readonly metadata: ContainerMetadata;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly cpu: { readonly usage_nano_cores: { readonly value: number } };
  readonly memory: { readonly working_set_bytes: { readonly value: number } };
  readonly writable_layer?: { readonly used_bytes: { readonly value: number } };
}

export interface CriImage {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly id: string;
  readonly repo_tags?: readonly string[];
  readonly repo_digests?: readonly string[];
  /** Bytes. */
  readonly size: number;
  readonly pinned?: boolean;
}

export interface PullImageRequest {
  readonly image: ImageSpec;
  readonly auth?: { readonly username?: string; readonly password?: string };
  readonly sandbox_config?: PodSandboxConfig;
}

export interface FilesystemUsage {
  /** Nanoseconds since 1970. */
  readonly timestamp: number;
  readonly fs_id: { readonly mountpoint: string };
  readonly used_bytes: { readonly value: number };
}

/** What a runtime tells about a container, as it happens. */
export interface ContainerEvent {
  readonly container_id: string;
  readonly container_event_type:
    | "CONTAINER_CREATED_EVENT"
    | "CONTAINER_STARTED_EVENT"
    | "CONTAINER_STOPPED_EVENT"
    | "CONTAINER_DELETED_EVENT";
  /** uid of the Pod. */
  readonly pod_uid: string;
}

/** A failed call, as gRPC says it. */
export class RpcError extends Error {
  /** `Unknown`, `NotFound`, `DeadlineExceeded`, `Unavailable`. */
  readonly code: string;
  readonly desc: string;

  constructor(code: string, desc: string) {
    super(`rpc error: code = ${code} desc = ${desc}`);
    this.name = "RpcError";
    this.code = code;
    this.desc = desc;
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof RpcError && error.code === "NotFound";
}
