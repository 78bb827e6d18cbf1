/**
 * Types: Namespace, Node, Event, ServiceAccount, Secret, ConfigMap.
 * Models: staging/src/k8s.io/api/core/v1/types.go @ v1.36
 * Longer because: it is one declaration a struct; none runs.
 */
import type { KubeObject } from "../../types.ts";
import type { ObjectReference } from "./persistent.ts";
import type { LocalObjectReference } from "./volumes.ts";

export interface Namespace extends KubeObject {
  readonly spec: NamespaceSpec;
  readonly status?: NamespaceStatus;
}

export interface NamespaceSpec {
  readonly finalizers?: readonly string[];
}

export interface NamespaceStatus {
  readonly conditions?: readonly NamespaceCondition[];
  readonly phase?: string;
}

export interface NamespaceCondition {
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly type: string;
}

export interface Node extends KubeObject {
  readonly spec: NodeSpec;
  readonly status?: NodeStatus;
}

export interface NodeSpec {
  readonly podCIDR?: string;
  readonly podCIDRs?: readonly string[];
  readonly providerID?: string;
  readonly unschedulable?: boolean;
  readonly taints?: readonly Taint[];
  readonly configSource?: NodeConfigSource;
  readonly externalID?: string;
}

export interface NodeConfigSource {
  readonly configMap?: ConfigMapNodeConfigSource;
}

export interface ConfigMapNodeConfigSource {
  readonly kubeletConfigKey: string;
  readonly name: string;
  readonly namespace: string;
  readonly resourceVersion?: string;
  readonly uid?: string;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

export interface NodeStatus {
  readonly addresses?: readonly NodeAddress[];
  readonly allocatable?: { readonly [key: string]: string };
  readonly capacity?: { readonly [key: string]: string };
  readonly conditions?: readonly NodeCondition[];
  readonly config?: NodeConfigStatus;
  readonly daemonEndpoints?: NodeDaemonEndpoints;
  readonly declaredFeatures?: readonly string[];
  readonly features?: NodeFeatures;
  readonly images?: readonly ContainerImage[];
  readonly nodeInfo?: NodeSystemInfo;
  readonly phase?: string;
  readonly runtimeHandlers?: readonly NodeRuntimeHandler[];
  readonly volumesAttached?: readonly AttachedVolume[];
  readonly volumesInUse?: readonly string[];
}

export interface NodeAddress {
  readonly address: string;
  readonly type: string;
}

export interface NodeCondition {
  readonly status: string;
  readonly lastHeartbeatTime?: string;
  readonly lastTransitionTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly type: string;
}

export interface NodeConfigStatus {
  readonly active?: NodeConfigSource;
  readonly assigned?: NodeConfigSource;
  readonly error?: string;
  readonly lastKnownGood?: NodeConfigSource;
}

export interface NodeDaemonEndpoints {
  readonly kubeletEndpoint?: DaemonEndpoint;
}

export interface DaemonEndpoint {
  readonly Port: number;
}

export interface NodeFeatures {
  readonly supplementalGroupsPolicy?: boolean;
}

export interface ContainerImage {
  readonly names?: readonly string[];
  readonly sizeBytes?: number;
}

export interface NodeSystemInfo {
  readonly architecture: string;
  readonly bootID: string;
  readonly containerRuntimeVersion: string;
  readonly kernelVersion: string;
  readonly kubeProxyVersion: string;
  readonly kubeletVersion: string;
  readonly machineID: string;
  readonly operatingSystem: string;
  readonly osImage: string;
  readonly swap?: NodeSwapStatus;
  readonly systemUUID: string;
}

export interface NodeSwapStatus {
  readonly capacity?: number;
}

export interface NodeRuntimeHandler {
  readonly features?: NodeRuntimeHandlerFeatures;
  readonly name?: string;
}

export interface NodeRuntimeHandlerFeatures {
  readonly recursiveReadOnlyMounts?: boolean;
  readonly userNamespaces?: boolean;
}

export interface AttachedVolume {
  readonly devicePath: string;
  readonly name: string;
}

export interface Event extends KubeObject {
  readonly action?: string;
  readonly count?: number;
  readonly eventTime?: string | null;
  readonly firstTimestamp?: string | null;
  readonly involvedObject: ObjectReference;
  readonly lastTimestamp?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly related?: ObjectReference;
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
  readonly series?: EventSeries;
  readonly source?: EventSource;
  readonly type?: string;
}

export interface EventSeries {
  readonly count?: number;
  readonly lastObservedTime?: string | null;
}

export interface EventSource {
  readonly component?: string;
  readonly host?: string;
}

export interface ServiceAccount extends KubeObject {
  readonly automountServiceAccountToken?: boolean;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly secrets?: readonly ObjectReference[];
}

export interface Secret extends KubeObject {
  readonly data?: { readonly [key: string]: string };
  readonly immutable?: boolean;
  readonly stringData?: { readonly [key: string]: string };
  readonly type?: string;
}

export interface ConfigMap extends KubeObject {
  readonly binaryData?: { readonly [key: string]: string };
  readonly data?: { readonly [key: string]: string };
  readonly immutable?: boolean;
}
