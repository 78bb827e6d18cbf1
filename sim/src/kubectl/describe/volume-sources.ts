/**
 * Volumes that only some clusters have: of single vendors, of networks, and
 * what PersistentVolumes show in another way than Pods.
 * Models:     kubectl/pkg/describe/describe.go (describeVolumes,
 *             describePersistentVolume) @ v1.36
 */
import { goValue } from "../../api/go-text.ts";
import { obj } from "../../api/kinds/access.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import type { Writer } from "./writer.ts";

const ISCSI =
  "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)|" +
  "TargetPortal:targetPortal IQN:iqn Lun:lun:0 ISCSIInterface~:iscsiInterface FSType:fsType " +
  "ReadOnly:readOnly:false Portals:portals:[] DiscoveryCHAPAuth:chapAuthDiscovery:false " +
  "SessionCHAPAuth:chapAuthSession:false SecretRef:secretRef:nil InitiatorName:initiatorName:<none>";
const AZURE_FILE =
  "AzureFile (an Azure File Service mount on the host and bind mount to the pod)|SecretName:secretName";

/** Type, then `Title:field:what stands for none`. A blank in a title: `_`. */
const SOURCES: { readonly [field: string]: string } = {
  gcePersistentDisk:
    "GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)|PDName:pdName FSType:fsType Partition:partition:0 ReadOnly:readOnly:false",
  awsElasticBlockStore:
    "AWSElasticBlockStore (a Persistent Disk resource in AWS)|VolumeID:volumeID FSType:fsType Partition:partition:0 ReadOnly:readOnly:false",
  gitRepo:
    "GitRepo (a volume that is pulled from git when the pod is created)|Repository:repository Revision:revision",
  nfs: "NFS (an NFS mount that lasts the lifetime of a pod)|Server:server Path:path ReadOnly:readOnly:false",
  iscsi: ISCSI,
  glusterfs:
    "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)|EndpointsName:endpoints Path:path ReadOnly:readOnly:false",
  rbd: "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)|CephMonitors:monitors:[] RBDImage:image FSType:fsType RBDPool:pool RadosUser:user Keyring:keyring SecretRef:secretRef:nil ReadOnly:readOnly:false",
  quobyte:
    "Quobyte (a Quobyte mount on the host that shares a pod's lifetime)|Registry:registry Volume:volume ReadOnly:readOnly:false",
  azureDisk:
    "AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)|DiskName:diskName DiskURI:diskURI Kind:kind FSType:fsType CachingMode:cachingMode ReadOnly:readOnly:false",
  vsphereVolume:
    "vSphereVolume (a Persistent Disk resource in vSphere)|VolumePath:volumePath FSType:fsType StoragePolicyName:storagePolicyName",
  cinder:
    "Cinder (a Persistent Disk resource in OpenStack)|VolumeID:volumeID FSType:fsType ReadOnly:readOnly:false SecretRef:secretRef:nil",
  photonPersistentDisk:
    "PhotonPersistentDisk (a Persistent Disk resource in photon platform)|PdID:pdID FSType:fsType",
  portworxVolume:
    "PortworxVolume (a Portworx Volume resource)|VolumeID:volumeID",
  scaleIO:
    "ScaleIO (a persistent volume backed by a block device in ScaleIO)|Gateway:gateway System:system Protection_Domain:protectionDomain Storage_Pool:storagePool Storage_Mode:storageMode VolumeName:volumeName FSType:fsType ReadOnly:readOnly:false",
  cephfs:
    "CephFS (a CephFS mount on the host that shares a pod's lifetime)|Monitors:monitors:[] Path:path User:user SecretFile:secretFile SecretRef:secretRef:nil ReadOnly:readOnly:false",
  storageos:
    "StorageOS (a StorageOS Persistent Disk resource)|VolumeName:volumeName VolumeNamespace:volumeNamespace FSType:fsType ReadOnly:readOnly:false",
  fc: "FC (a Fibre Channel disk)|TargetWWNs:targetWWNs, LUN:lun:<none> FSType:fsType ReadOnly:readOnly:false",
  azureFile: `${AZURE_FILE} ShareName:shareName ReadOnly:readOnly:false`,
  flexVolume:
    "FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)|Driver:driver FSType:fsType SecretRef:secretRef:nil ReadOnly:readOnly:false Options:options:map[]",
  flocker:
    "Flocker (a Flocker volume mounted by the Flocker agent)|DatasetName:datasetName DatasetUUID:datasetUUID",
  image:
    "Image (a container image or OCI artifact)|Reference:reference PullPolicy:pullPolicy",
};

/** Those that a PersistentVolume has in a form of its own. */
const OF_VOLUMES: { readonly [field: string]: string } = {
  hostPath:
    "HostPath (bare host directory volume)|Path:path HostPathType:type:<none>",
  local:
    "LocalVolume (a persistent volume backed by local storage on a node)|Path:path",
  azureFile: `${AZURE_FILE} SecretNamespace:secretNamespace ShareName:shareName ReadOnly:readOnly:false`,
  glusterfs:
    "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)|EndpointsName:endpoints EndpointsNamespace:endpointsNamespace:<unset> Path:path ReadOnly:readOnly:false",
  csi: "CSI (a Container Storage Interface (CSI) volume source)|Driver:driver FSType:fsType VolumeHandle:volumeHandle ReadOnly:readOnly:false",
};

/** Writes the source of a Pod's volume; false if it is none of these. */
export function writeSource(w: Writer, volume: JsonObject): boolean {
  return writeFrom(w, volume, SOURCES);
}

/** Writes the source of a PersistentVolume. */
export function writeVolumeSource(w: Writer, spec: JsonObject): void {
  if (!writeFrom(w, spec, { ...SOURCES, ...OF_VOLUMES }))
    w.line(1, "<unknown>");
  if (spec.csi) writeAttributes(w, obj(spec.csi));
}

/** `VolumeAttributes` of a CSI volume, a line each. */
export function writeAttributes(w: Writer, csi: JsonObject): void {
  const pairs = Object.entries(obj(csi.volumeAttributes))
    .map(([key, value]) => `${key}=${value}`)
    .toSorted();
  if (pairs.length === 0) w.line(2, "VolumeAttributes:\t<none>");
  // Upstream indents before the tab, too: the lines stand further right.
  for (const [i, pair] of pairs.entries())
    w.line(2, `${i === 0 ? "VolumeAttributes:" : "    "}\t    ${pair}`);
}

function writeFrom(
  w: Writer,
  volume: JsonObject,
  sources: { readonly [field: string]: string },
): boolean {
  const found = Object.keys(sources).find((field) => volume[field]);
  if (found === undefined) return false;
  const source = obj(volume[found]);
  const [type = "", fields = ""] = sources[found]!.split("|");
  w.line(2, `Type:\t${type}`);
  for (const field of fields.split(" ")) {
    const [title = "", name = "", none = ""] = field.split(":");
    const text = textOf(source, name, none);
    // Upstream forgot one colon.
    const colon = title.endsWith("~") ? "" : ":";
    w.line(2, `${title.replace("_", " ").replace("~", "")}${colon}\t${text}`);
  }
  return true;
}

/** As Go prints the field; `name,`: the items of a list. */
function textOf(source: JsonObject, name: string, none: string): string {
  const value: Json = source[name.replace(",", "")];
  if (value === undefined || value === null) return none;
  if (name.endsWith(",")) return (value as string[]).join(", ");
  if (name !== "secretRef") return goValue(value);
  const { name: secret, namespace } = obj(value);
  return namespace === undefined
    ? `&LocalObjectReference{Name:${secret},}`
    : `&SecretReference{Name:${secret},Namespace:${namespace},}`;
}
