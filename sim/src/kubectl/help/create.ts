/**
 * Interface facts of kubectl commands: usage and flags as upstream has them.
 * Longer because: it is a table, a command an entry.
 */
import type { CommandText } from "./text.ts";

export const CREATE: readonly CommandText[] = [
  {
    path: "create",
    short: "Makes an object from a file or from words",
    usage: "-f FILENAME [options]",
    flags:
      "dry-run='none' field-manager='kubectl-create' f,filename=[] o,output='' R,recursive=false save-config=false l,selector='' show-managed-fields=false template='' validate='strict'",
    below:
      "clusterrole clusterrolebinding configmap cronjob deployment ingress job namespace poddisruptionbudget priorityclass quota role rolebinding secret service serviceaccount token",
  },
  {
    path: "create clusterrole",
    short: "Makes a ClusterRole",
    usage:
      "NAME --verb=verb --resource=resource.group [--resource-name=resourcename] [--dry-run=server|client|none] [options]",
    flags:
      "aggregation-rule= dry-run='none' field-manager='kubectl-create' non-resource-url=[] o,output='' resource=[] resource-name=[] save-config=false show-managed-fields=false template='' validate='strict' verb=[]",
  },
  {
    path: "create clusterrolebinding",
    short: "Makes a ClusterRoleBinding",
    usage:
      "NAME --clusterrole=NAME [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none] [options]",
    flags:
      "clusterrole='' dry-run='none' field-manager='kubectl-create' group=[] o,output='' save-config=false serviceaccount=[] show-managed-fields=false template='' user=[] validate='strict'",
  },
  {
    path: "create configmap",
    short: "Makes a ConfigMap from files or values",
    usage:
      "NAME [--from-file=[key=]source] [--from-literal=key1=value1] [--dry-run=server|client|none] [options]",
    flags:
      "append-hash=false dry-run='none' field-manager='kubectl-create' from-env-file=[] from-file=[] from-literal=[] o,output='' save-config=false show-managed-fields=false template='' validate='strict'",
    aliases: "configmap, cm",
  },
  {
    path: "create cronjob",
    short: "Makes a CronJob",
    usage:
      "NAME --image=image --schedule='0/5 * * * ?' -- [COMMAND] [args...] [flags] [options]",
    flags:
      "dry-run='none' field-manager='kubectl-create' image='' o,output='' restart='' save-config=false schedule='' show-managed-fields=false template='' validate='strict'",
    aliases: "cronjob, cj",
  },
  {
    path: "create deployment",
    short: "Makes a Deployment",
    usage: "NAME --image=image -- [COMMAND] [args...] [options]",
    flags:
      "dry-run='none' field-manager='kubectl-create' image=[] o,output='' port=-1 r,replicas=1 save-config=false show-managed-fields=false template='' validate='strict'",
    aliases: "deployment, deploy",
  },
  {
    path: "create ingress",
    short: "Makes an Ingress",
    usage: "NAME --rule=host/path=service:port[,tls[=secret]]  [options]",
    flags:
      "annotation=[] class='' default-backend='' dry-run='none' field-manager='kubectl-create' o,output='' rule=[] save-config=false show-managed-fields=false template='' validate='strict'",
    aliases: "ingress, ing",
  },
  {
    path: "create job",
    short: "Makes a Job",
    usage:
      "NAME --image=image [--from=cronjob/name] -- [COMMAND] [args...] [options]",
    flags:
      "dry-run='none' field-manager='kubectl-create' from='' image='' o,output='' save-config=false show-managed-fields=false template='' validate='strict'",
  },
  {
    path: "create namespace",
    short: "Makes a Namespace",
    usage: "NAME [--dry-run=server|client|none] [options]",
    flags:
      "dry-run='none' field-manager='kubectl-create' o,output='' save-config=false show-managed-fields=false template='' validate='strict'",
    aliases: "namespace, ns",
  },
  {
    path: "create poddisruptionbudget",
    short: "Makes a PodDisruptionBudget",
    usage:
      "NAME --selector=SELECTOR --min-available=N [--dry-run=server|client|none] [options]",
    flags:
      "dry-run='none' field-manager='kubectl-create' max-unavailable='' min-available='' o,output='' save-config=false selector='' show-managed-fields=false template='' validate='strict'",
    aliases: "poddisruptionbudget, pdb",
  },
  {
    path: "create priorityclass",
    short: "Makes a PriorityClass",
    usage:
      "NAME --value=VALUE --global-default=BOOL [--dry-run=server|client|none] [options]",
    flags:
      "description='' dry-run='none' field-manager='kubectl-create' global-default=false o,output='' preemption-policy='PreemptLowerPriority' save-config=false show-managed-fields=false template='' validate='strict' value=0",
    aliases: "priorityclass, pc",
  },
  {
    path: "create quota",
    short: "Makes a ResourceQuota",
    usage:
      "NAME [--hard=key1=value1,key2=value2] [--scopes=Scope1,Scope2] [--dry-run=server|client|none] [options]",
    flags:
      "dry-run='none' field-manager='kubectl-create' hard='' o,output='' save-config=false scopes='' show-managed-fields=false template='' validate='strict'",
    aliases: "quota, resourcequota",
  },
  {
    path: "create role",
    short: "Makes a Role",
    usage:
      "NAME --verb=verb --resource=resource.group/subresource [--resource-name=resourcename] [--dry-run=server|client|none] [options]",
    flags:
      "dry-run='none' field-manager='kubectl-create' o,output='' resource=[] resource-name=[] save-config=false show-managed-fields=false template='' validate='strict' verb=[]",
  },
  {
    path: "create rolebinding",
    short: "Makes a RoleBinding",
    usage:
      "NAME --clusterrole=NAME|--role=NAME [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none] [options]",
    flags:
      "clusterrole='' dry-run='none' field-manager='kubectl-create' group=[] o,output='' role='' save-config=false serviceaccount=[] show-managed-fields=false template='' user=[] validate='strict'",
  },
  {
    path: "create secret",
    short: "Makes a Secret",
    usage: "(docker-registry | generic | tls) [options]",
    below: "docker-registry generic tls",
  },
  {
    path: "create secret docker-registry",
    short: "Makes a Secret for a registry",
    usage:
      "NAME --docker-username=user --docker-password=password --docker-email=email [--docker-server=string] [--from-file=[key=]source] [--dry-run=server|client|none] [options]",
    flags:
      "append-hash=false docker-email='' docker-password='' docker-server='https://index.docker.io/v1/' docker-username='' dry-run='none' field-manager='kubectl-create' from-file=[] o,output='' save-config=false show-managed-fields=false template='' validate='strict'",
  },
  {
    path: "create secret generic",
    short: "Makes a Secret from files or values",
    usage:
      "NAME [--type=string] [--from-file=[key=]source] [--from-literal=key1=value1] [--dry-run=server|client|none] [options]",
    flags:
      "append-hash=false dry-run='none' field-manager='kubectl-create' from-env-file=[] from-file=[] from-literal=[] o,output='' save-config=false show-managed-fields=false template='' type='' validate='strict'",
  },
  {
    path: "create secret tls",
    short: "Makes a Secret of a certificate and its key",
    usage:
      "NAME --cert=path/to/cert/file --key=path/to/key/file [--dry-run=server|client|none] [options]",
    flags:
      "append-hash=false cert='' dry-run='none' field-manager='kubectl-create' key='' o,output='' save-config=false show-managed-fields=false template='' validate='strict'",
  },
  {
    path: "create service",
    short: "Makes a Service",
    usage: "[flags] [options]",
    below: "clusterip externalname loadbalancer nodeport",
    aliases: "service, svc",
  },
  {
    path: "create service clusterip",
    short: "Makes a ClusterIP Service",
    usage:
      "NAME [--tcp=<port>:<targetPort>] [--dry-run=server|client|none] [options]",
    flags:
      "clusterip='' dry-run='none' field-manager='kubectl-create' o,output='' save-config=false show-managed-fields=false tcp=[] template='' validate='strict'",
  },
  {
    path: "create service externalname",
    short: "Makes an ExternalName Service",
    usage:
      "NAME --external-name external.name [--dry-run=server|client|none] [options]",
    flags:
      "dry-run='none' external-name='' field-manager='kubectl-create' o,output='' save-config=false show-managed-fields=false tcp=[] template='' validate='strict'",
  },
  {
    path: "create service loadbalancer",
    short: "Makes a LoadBalancer Service",
    usage:
      "NAME [--tcp=port:targetPort] [--dry-run=server|client|none] [options]",
    flags:
      "dry-run='none' field-manager='kubectl-create' o,output='' save-config=false show-managed-fields=false tcp=[] template='' validate='strict'",
  },
  {
    path: "create service nodeport",
    short: "Makes a NodePort Service",
    usage:
      "NAME [--tcp=port:targetPort] [--dry-run=server|client|none] [options]",
    flags:
      "dry-run='none' field-manager='kubectl-create' node-port=0 o,output='' save-config=false show-managed-fields=false tcp=[] template='' validate='strict'",
  },
  {
    path: "create serviceaccount",
    short: "Makes a ServiceAccount",
    usage: "NAME [--dry-run=server|client|none] [options]",
    flags:
      "dry-run='none' field-manager='kubectl-create' o,output='' save-config=false show-managed-fields=false template='' validate='strict'",
    aliases: "serviceaccount, sa",
  },
  {
    path: "create token",
    short: "Asks for a token of a ServiceAccount",
    usage: "SERVICE_ACCOUNT_NAME [options]",
    flags:
      "allow-missing-template-keys=true audience=[] bound-object-kind='' bound-object-name='' bound-object-uid='' duration=0s o,output='' template=''",
  },
];
