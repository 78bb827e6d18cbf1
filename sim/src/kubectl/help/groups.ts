/**
 * Interface facts of kubectl commands: usage and flags as upstream has them.
 * Longer because: it is a table, a command an entry.
 */
import type { CommandText } from "./text.ts";

export const GROUPS: readonly CommandText[] = [
  {
    path: "apply",
    short: "Makes objects be as files say",
    usage: "(-f FILENAME | -k DIRECTORY) [options]",
    flags:
      "all=false cascade='background' dry-run='none' field-manager='kubectl-client-side-apply' f,filename=[] force=false force-conflicts=false grace-period=-1 openapi-patch=true o,output='' overwrite=true prune=false prune-allowlist=[] R,recursive=false l,selector='' server-side=false show-managed-fields=false template='' timeout=0s validate='strict' wait=false",
    below: "edit-last-applied set-last-applied view-last-applied",
  },
  {
    path: "apply edit-last-applied",
    short: "Opens what was applied last in an editor",
    usage: "(RESOURCE/NAME | -f FILENAME) [options]",
    flags:
      "field-manager='kubectl-client-side-apply' f,filename=[] o,output='' R,recursive=false show-managed-fields=false template='' validate='strict'",
  },
  {
    path: "apply set-last-applied",
    short: "Writes down a file as what was applied last",
    usage: "-f FILENAME [options]",
    flags:
      "create-annotation=false dry-run='none' f,filename=[] o,output='' show-managed-fields=false template=''",
  },
  {
    path: "apply view-last-applied",
    short: "Shows what was applied last",
    usage: "(TYPE [NAME | -l label] | TYPE/NAME | -f FILENAME) [options]",
    flags:
      "all=false f,filename=[] o,output='yaml' R,recursive=false l,selector=''",
  },
  {
    path: "auth",
    short: "Asks about rights, and sets them",
    usage: "[flags] [options]",
    below: "can-i reconcile whoami",
  },
  {
    path: "auth can-i",
    short: "Asks whether one may do something",
    usage: "VERB [TYPE | TYPE/NAME | NONRESOURCEURL] [options]",
    flags:
      "A,all-namespaces=false list=false no-headers=false q,quiet=false subresource=''",
  },
  {
    path: "auth reconcile",
    short: "Gives roles and bindings what a file says",
    usage: "-f FILENAME [options]",
    flags:
      "dry-run='none' f,filename=[] o,output='' R,recursive=false remove-extra-permissions=false remove-extra-subjects=false show-managed-fields=false template=''",
  },
  {
    path: "auth whoami",
    short: "Tells who one is to the server",
    usage: "[options]",
    flags: "o,output='' show-managed-fields=false template=''",
  },
  {
    path: "certificate",
    short: "Decides on requests for certificates",
    usage: "SUBCOMMAND [options]",
    below: "approve deny",
  },
  {
    path: "certificate approve",
    short: "Approves requests",
    usage: "(-f FILENAME | NAME) [options]",
    flags:
      "f,filename=[] force=false o,output='' R,recursive=false show-managed-fields=false template=''",
  },
  {
    path: "certificate deny",
    short: "Denies requests",
    usage: "(-f FILENAME | NAME) [options]",
    flags:
      "f,filename=[] force=false o,output='' R,recursive=false show-managed-fields=false template=''",
  },
  {
    path: "cluster-info",
    short: "Tells where the cluster answers",
    usage: "[flags] [options]",
    below: "dump",
  },
  {
    path: "cluster-info dump",
    short: "Shows much of the cluster, for who helps",
    usage: "[flags] [options]",
    flags:
      "A,all-namespaces=false namespaces=[] o,output='json' output-directory='' pod-running-timeout=20s",
  },
  {
    path: "config",
    short: "Changes the kubeconfig",
    usage: "SUBCOMMAND [options]",
    below:
      "current-context delete-cluster delete-context delete-user get-clusters get-contexts get-users rename-context set set-cluster set-context set-credentials unset use-context view",
  },
  {
    path: "config current-context",
    short: "Shows the context in use",
    usage: "[flags] [options]",
  },
  {
    path: "config delete-cluster",
    short: "Removes a cluster",
    usage: "NAME [options]",
  },
  {
    path: "config delete-context",
    short: "Removes a context",
    usage: "NAME [options]",
  },
  {
    path: "config delete-user",
    short: "Removes a user",
    usage: "NAME [options]",
  },
  {
    path: "config get-clusters",
    short: "Shows the clusters",
    usage: "[flags] [options]",
  },
  {
    path: "config get-contexts",
    short: "Shows contexts",
    usage: "[(-o|--output=)name)] [options]",
    flags: "no-headers=false o,output=''",
  },
  {
    path: "config get-users",
    short: "Shows the users",
    usage: "[flags] [options]",
  },
  {
    path: "config rename-context",
    short: "Gives a context another name",
    usage: "CONTEXT_NAME NEW_NAME [options]",
  },
  {
    path: "config set",
    short: "Sets one value",
    usage: "PROPERTY_NAME PROPERTY_VALUE [options]",
    flags: "set-raw-bytes=false",
  },
  {
    path: "config set-cluster",
    short: "Adds or changes a cluster",
    usage:
      "NAME [--server=server] [--certificate-authority=path/to/certificate/authority] [--insecure-skip-tls-verify=true] [--tls-server-name=example.com] [options]",
    flags:
      "certificate-authority='' embed-certs=false insecure-skip-tls-verify=false proxy-url='' server='' tls-server-name=''",
  },
  {
    path: "config set-context",
    short: "Adds or changes a context",
    usage:
      "[NAME | --current] [--cluster=cluster_nickname] [--user=user_nickname] [--namespace=namespace] [options]",
    flags: "cluster='' current=false n,namespace='' user=''",
  },
  {
    path: "config set-credentials",
    short: "Adds or changes a user",
    usage:
      "NAME [--client-certificate=path/to/certfile] [--client-key=path/to/keyfile] [--token=bearer_token] [--username=basic_user] [--password=basic_password] [--auth-provider=provider_name] [--auth-provider-arg=key=value] [--exec-command=exec_command] [--exec-api-version=exec_api_version] [--exec-arg=arg] [--exec-env=key=value] [options]",
    flags:
      "client-certificate='' client-key='' embed-certs=false exec-api-version='' exec-arg=[] exec-command='' exec-env=[] password='' token='' username=''",
  },
  {
    path: "config unset",
    short: "Removes one value",
    usage: "PROPERTY_NAME [options]",
  },
  {
    path: "config use-context",
    short: "Takes another context into use",
    usage: "CONTEXT_NAME [options]",
    aliases: "use-context, use",
  },
  {
    path: "config view",
    short: "Shows the kubeconfig",
    usage: "[flags] [options]",
    flags:
      "allow-missing-template-keys=true flatten=false merge=true minify=false o,output='yaml' raw=false show-managed-fields=false template=''",
  },
  {
    path: "rollout",
    short: "Looks after the rollout of a workload",
    usage: "SUBCOMMAND [options]",
    below: "history pause restart resume status undo",
  },
  {
    path: "rollout history",
    short: "Shows the revisions",
    usage: "(TYPE NAME | TYPE/NAME) [flags] [options]",
    flags:
      "f,filename=[] o,output='' R,recursive=false revision=0 l,selector='' show-managed-fields=false template=''",
  },
  {
    path: "rollout pause",
    short: "Pauses the rollout",
    usage: "RESOURCE [options]",
    flags:
      "field-manager='kubectl-rollout' f,filename=[] o,output='' R,recursive=false l,selector='' show-managed-fields=false template=''",
  },
  {
    path: "rollout restart",
    short: "Starts all Pods anew",
    usage: "RESOURCE [options]",
    flags:
      "field-manager='kubectl-rollout' f,filename=[] o,output='' R,recursive=false l,selector='' show-managed-fields=false template=''",
  },
  {
    path: "rollout resume",
    short: "Goes on with a paused rollout",
    usage: "RESOURCE [options]",
    flags:
      "field-manager='kubectl-rollout' f,filename=[] o,output='' R,recursive=false l,selector='' show-managed-fields=false template=''",
  },
  {
    path: "rollout status",
    short: "Tells how far the rollout is",
    usage: "(TYPE NAME | TYPE/NAME) [flags] [options]",
    flags:
      "f,filename=[] R,recursive=false revision=0 l,selector='' timeout=0s w,watch=true",
  },
  {
    path: "rollout undo",
    short: "Goes back to a revision",
    usage: "(TYPE NAME | TYPE/NAME) [flags] [options]",
    flags:
      "dry-run='none' f,filename=[] o,output='' R,recursive=false l,selector='' show-managed-fields=false template='' to-revision=0",
  },
  {
    path: "set",
    short: "Changes single things of objects",
    usage: "SUBCOMMAND [options]",
    below: "env image resources selector serviceaccount subject",
  },
  {
    path: "set env",
    short: "Changes variables of containers",
    usage: "RESOURCE/NAME KEY_1=VAL_1 ... KEY_N=VAL_N [options]",
    flags:
      "all=false c,containers='*' dry-run='none' e,env=[] field-manager='kubectl-set' f,filename=[] from='' keys=[] list=false local=false o,output='' overwrite=true prefix='' R,recursive=false l,selector='' show-managed-fields=false template=''",
  },
  {
    path: "set image",
    short: "Changes images of containers",
    usage:
      "(-f FILENAME | TYPE NAME) CONTAINER_NAME_1=CONTAINER_IMAGE_1 ... CONTAINER_NAME_N=CONTAINER_IMAGE_N [options]",
    flags:
      "all=false dry-run='none' field-manager='kubectl-set' f,filename=[] local=false o,output='' R,recursive=false l,selector='' show-managed-fields=false template=''",
  },
  {
    path: "set resources",
    short: "Changes requests and limits of containers",
    usage:
      "(-f FILENAME | TYPE NAME)  ([--limits=LIMITS & --requests=REQUESTS] [options]",
    flags:
      "all=false c,containers='*' dry-run='none' field-manager='kubectl-set' f,filename=[] limits='' local=false o,output='' R,recursive=false requests='' l,selector='' show-managed-fields=false template=''",
  },
  {
    path: "set selector",
    short: "Changes the selector of a Service",
    usage:
      "(-f FILENAME | TYPE NAME) EXPRESSIONS [--resource-version=version] [options]",
    flags:
      "all=false dry-run='none' field-manager='kubectl-set' f,filename=[] local=false o,output='' R,recursive=true resource-version='' show-managed-fields=false template=''",
  },
  {
    path: "set serviceaccount",
    short: "Changes the ServiceAccount of Pods",
    usage: "(-f FILENAME | TYPE NAME) SERVICE_ACCOUNT [options]",
    flags:
      "all=false dry-run='none' field-manager='kubectl-set' f,filename=[] local=false o,output='' R,recursive=false show-managed-fields=false template=''",
    aliases: "serviceaccount, sa",
  },
  {
    path: "set subject",
    short: "Adds subjects to a binding",
    usage:
      "(-f FILENAME | TYPE NAME) [--user=username] [--group=groupname] [--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none] [options]",
    flags:
      "all=false dry-run='none' field-manager='kubectl-set' f,filename=[] group=[] local=false o,output='' R,recursive=false l,selector='' serviceaccount=[] show-managed-fields=false template='' user=[]",
  },
  {
    path: "top",
    short: "Shows the use of processors and memory",
    usage: "[flags] [options]",
    below: "node pod",
  },
  {
    path: "top node",
    short: "Shows the use of Nodes",
    usage: "[NAME | -l label] [options]",
    flags:
      "no-headers=false l,selector='' show-capacity=false show-swap=false sort-by='' use-protocol-buffers=true",
    aliases: "node, nodes, no",
  },
  {
    path: "top pod",
    short: "Shows the use of Pods",
    usage: "[NAME | -l label] [options]",
    flags:
      "A,all-namespaces=false containers=false field-selector='' no-headers=false l,selector='' show-swap=false sort-by='' sum=false use-protocol-buffers=true",
    aliases: "pod, pods, po",
  },
];
