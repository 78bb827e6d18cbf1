/**
 * The Container Storage Interface: what a storage driver answers, with the
 * names of the real messages' fields. One half runs once in the cluster
 * (controller), one on every node (node).
 * Models:     container-storage-interface/spec csi.proto @ v1.11
 * Leaves out: snapshots, groups, topology, statistics.
 */
export interface IdentityService {
  getPluginInfo(
    request: object,
  ): Promise<{ name: string; vendor_version: string }>;
  probe(request: object): Promise<{ ready: boolean }>;
}

export interface ControllerService {
  createVolume(request: CreateVolumeRequest): Promise<{ volume: CsiVolume }>;
  deleteVolume(request: { volume_id: string }): Promise<object>;
  /** Attaches: from now on the node may use the volume. */
  controllerPublishVolume(
    request: PublishRequest,
  ): Promise<{ publish_context: Readonly<Record<string, string>> }>;
  controllerUnpublishVolume(request: PublishRequest): Promise<object>;
  controllerExpandVolume(request: {
    volume_id: string;
    capacity_range: CapacityRange;
  }): Promise<{ capacity_bytes: number; node_expansion_required: boolean }>;
}

export interface NodeService {
  nodeGetInfo(request: object): Promise<{ node_id: string }>;
  /** Once a volume and node: format, mount to the staging path. */
  nodeStageVolume(request: StageRequest): Promise<object>;
  nodeUnstageVolume(request: StageRequest): Promise<object>;
  /** Once a Pod: from the staging path to the Pod's own. */
  nodePublishVolume(request: NodePublishRequest): Promise<object>;
  nodeUnpublishVolume(request: {
    volume_id: string;
    target_path: string;
  }): Promise<object>;
  /** The file system follows the disk, mounted or in between. */
  nodeExpandVolume(
    request: NodeExpandRequest,
  ): Promise<{ capacity_bytes: number }>;
}

/** Bytes. */
export interface CapacityRange {
  readonly required_bytes?: number;
  readonly limit_bytes?: number;
}

export interface CreateVolumeRequest {
  readonly name: string;
  readonly capacity_range?: CapacityRange;
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface CsiVolume {
  readonly volume_id: string;
  readonly capacity_bytes: number;
}

export interface PublishRequest {
  readonly volume_id: string;
  readonly node_id: string;
  /** SINGLE_NODE_WRITER, MULTI_NODE_MULTI_WRITER, … */
  readonly access_mode?: string;
}

export interface StageRequest {
  readonly volume_id: string;
  readonly staging_target_path: string;
}

export interface NodePublishRequest extends StageRequest {
  readonly target_path: string;
  readonly readonly?: boolean;
}

export interface NodeExpandRequest {
  readonly volume_id: string;
  /** Where it is mounted. */
  readonly volume_path: string;
  readonly staging_target_path?: string;
  readonly capacity_range?: CapacityRange;
}

/** A failed call, as gRPC says it. */
export class CsiError extends Error {
  /** NotFound, FailedPrecondition, OutOfRange, … */
  readonly code: string;

  constructor(code: string, desc: string) {
    super(`rpc error: code = ${code} desc = ${desc}`);
    this.name = "CsiError";
    this.code = code;
  }
}
