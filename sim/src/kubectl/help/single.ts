/**
 * Interface facts of kubectl commands: usage and flags as upstream has them.
 * Longer because: it is a table, a command an entry.
 */
import type { CommandText } from "./text.ts";

export const SINGLE: readonly CommandText[] = [
  {
    path: "annotate",
    short: "Sets and removes annotations",
    usage:
      "[--overwrite] (-f FILENAME | TYPE NAME) KEY_1=VAL_1 ... KEY_N=VAL_N [--resource-version=version] [options]",
    flags:
      "all=false A,all-namespaces=false dry-run='none' field-manager='kubectl-annotate' field-selector='' f,filename=[] list=false local=false o,output='' overwrite=false R,recursive=false resource-version='' l,selector='' show-managed-fields=false template=''",
  },
  {
    path: "api-resources",
    short: "Shows the resources that the server knows",
    usage: "[flags] [options]",
    flags:
      "api-group='' cached=false categories=[] namespaced=true no-headers=false o,output='' sort-by='' verbs=[]",
  },
  {
    path: "api-versions",
    short: "Shows the API versions that the server knows",
    usage: "[options]",
  },
  {
    path: "attach",
    short: "Joins a running container",
    usage: "(POD | TYPE/NAME) -c CONTAINER [options]",
    flags:
      "c,container='' pod-running-timeout=1m0s q,quiet=false i,stdin=false t,tty=false",
  },
  {
    path: "autoscale",
    short: "Scales a workload by itself from now on",
    usage:
      "(-f FILENAME | TYPE NAME | TYPE/NAME) [--min=MINPODS] --max=MAXPODS [--cpu=CPU] [--memory=MEMORY] [options]",
    flags:
      "cpu='' dry-run='none' field-manager='kubectl-autoscale' f,filename=[] max=-1 memory='' min=-1 name='' o,output='' R,recursive=false show-managed-fields=false template=''",
  },
  {
    path: "cordon",
    short: "Takes a Node out of scheduling",
    usage: "NODE [options]",
    flags: "dry-run='none' l,selector=''",
  },
  {
    path: "cp",
    short: "Copies files to and from containers",
    usage: "<file-spec-src> <file-spec-dest> [options]",
    flags: "c,container='' no-preserve=false retries=0",
  },
  {
    path: "debug",
    short: "Looks into Pods and Nodes with a container more",
    usage:
      "(POD | TYPE[[.VERSION].GROUP]/NAME) [ -- COMMAND [args...] ] [options]",
    flags:
      "arguments-only=false attach=false c,container='' copy-to='' custom='' env=[] f,filename=[] image='' image-pull-policy='' keep-annotations=false keep-init-containers=true keep-labels=false keep-liveness=false keep-readiness=false keep-startup=false profile='legacy' q,quiet=false replace=false same-node=false set-image=[] share-processes=true i,stdin=false target='' t,tty=false",
  },
  {
    path: "delete",
    short: "Deletes objects by file, name or label",
    usage:
      "([-f FILENAME] | [-k DIRECTORY] | TYPE [(NAME | -l label | --all)]) [options]",
    flags:
      "all=false A,all-namespaces=false cascade='background' dry-run='none' field-selector='' f,filename=[] force=false grace-period=-1 ignore-not-found=false i,interactive=false now=false o,output='' R,recursive=false l,selector='' timeout=0s wait=true",
  },
  {
    path: "describe",
    short: "Tells about objects in words",
    usage:
      "(-f FILENAME | TYPE [NAME_PREFIX | -l label] | TYPE/NAME) [options]",
    flags:
      "A,all-namespaces=false chunk-size=500 f,filename=[] R,recursive=false l,selector='' show-events=true",
  },
  {
    path: "diff",
    short: "Shows what an apply would change",
    usage: "-f FILENAME [options]",
    flags:
      "concurrency=1 field-manager='kubectl-client-side-apply' f,filename=[] force-conflicts=false R,recursive=false l,selector='' server-side=false show-managed-fields=false",
  },
  {
    path: "drain",
    short: "Empties a Node before it is worked on",
    usage: "NODE [options]",
    flags:
      "delete-emptydir-data=false disable-eviction=false dry-run='none' force=false grace-period=-1 ignore-daemonsets=false pod-selector='' l,selector='' timeout=0s",
  },
  {
    path: "edit",
    short: "Opens objects in an editor and sends what was changed",
    usage: "(RESOURCE/NAME | -f FILENAME) [options]",
    flags:
      "field-manager='kubectl-edit' f,filename=[] o,output='' R,recursive=false show-managed-fields=false subresource='' template='' validate='strict'",
  },
  {
    path: "events",
    short: "Shows events",
    usage:
      "[(-o|--output=)json|yaml|kyaml|name|go-template|go-template-file|template|templatefile|jsonpath|jsonpath-as-json|jsonpath-file] [--for TYPE/NAME] [--watch] [--types=Normal,Warning] [options]",
    flags:
      "A,all-namespaces=false for='' no-headers=false o,output='' types=[] w,watch=false",
  },
  {
    path: "exec",
    short: "Runs a command in a container",
    usage:
      "(POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...] [options]",
    flags:
      "c,container='' f,filename=[] pod-running-timeout=1m0s q,quiet=false i,stdin=false t,tty=false",
  },
  {
    path: "explain",
    short: "Tells what the fields of a kind are",
    usage:
      "TYPE [--recursive=FALSE|TRUE] [--api-version=api-version-group] [-o|--output=plaintext|plaintext-openapiv2] [options]",
    flags: "api-version='' o,output='plaintext' recursive=false",
  },
  {
    path: "expose",
    short: "Makes a Service for a workload or another Service",
    usage:
      "(-f FILENAME | TYPE NAME) [--port=port] [--protocol=TCP|UDP|SCTP] [--target-port=number-or-name] [--name=name] [--external-ip=external-ip-of-service] [--type=type] [options]",
    flags:
      "cluster-ip='' dry-run='none' external-ip='' field-manager='kubectl-expose' f,filename=[] l,labels='' load-balancer-ip='' name='' o,output='' override-type='merge' overrides='' port='' protocol='' R,recursive=false selector='' session-affinity='' show-managed-fields=false target-port='' template='' type=''",
  },
  {
    path: "get",
    short: "Shows objects",
    usage:
      "[(-o|--output=)json|yaml|kyaml|name|go-template|go-template-file|template|templatefile|jsonpath|jsonpath-as-json|jsonpath-file|custom-columns|custom-columns-file|wide] (TYPE[.VERSION][.GROUP] [NAME | -l label] | TYPE[.VERSION][.GROUP]/NAME ...) [flags] [options]",
    flags:
      "A,all-namespaces=false allow-missing-template-keys=true chunk-size=500 field-selector='' f,filename=[] ignore-not-found=false L,label-columns=[] no-headers=false o,output='' output-watch-events=false raw='' R,recursive=false l,selector='' server-print=true show-kind=false show-labels=false show-managed-fields=false sort-by='' subresource='' template='' w,watch=false watch-only=false",
  },
  {
    path: "label",
    short: "Sets and removes labels",
    usage:
      "[--overwrite] (-f FILENAME | TYPE NAME) KEY_1=VAL_1 ... KEY_N=VAL_N [--resource-version=version] [options]",
    flags:
      "all=false A,all-namespaces=false dry-run='none' field-manager='kubectl-label' field-selector='' f,filename=[] list=false local=false o,output='' overwrite=false R,recursive=false resource-version='' l,selector='' show-managed-fields=false template=''",
  },
  {
    path: "logs",
    short: "Shows what containers print",
    usage: "[-f] [-p] (POD | TYPE/NAME) [-c CONTAINER] [options]",
    flags:
      "all-containers=false all-pods=false c,container='' f,follow=false ignore-errors=false insecure-skip-tls-verify-backend=false limit-bytes=0 max-log-requests=5 pod-running-timeout=20s prefix=false p,previous=false l,selector='' since=0s since-time='' tail=-1 timestamps=false",
  },
  {
    path: "patch",
    short: "Changes fields of an object",
    usage: "(-f FILENAME | TYPE NAME) [-p PATCH|--patch-file FILE] [options]",
    flags:
      "dry-run='none' field-manager='kubectl-patch' f,filename=[] local=false o,output='' p,patch='' patch-file='' R,recursive=false show-managed-fields=false subresource='' template='' type='strategic'",
  },
  {
    path: "port-forward",
    short: "Forwards ports to a Pod",
    usage:
      "TYPE/NAME [options] [LOCAL_PORT:]REMOTE_PORT [...[LOCAL_PORT_N:]REMOTE_PORT_N]",
    flags: "address=[localhost] pod-running-timeout=1m0s",
  },
  {
    path: "proxy",
    short: "Serves the API on a local port",
    usage:
      "[--port=PORT] [--www=static-dir] [--www-prefix=prefix] [--api-prefix=prefix] [options]",
    flags:
      "accept-hosts='^localhost$,^127\\.0\\.0\\.1$,^\\[::1\\]$' accept-paths='^.*' address='127.0.0.1' api-prefix='/' append-server-path=false disable-filter=false keepalive=0s p,port=8001 reject-methods='^$' reject-paths='^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach' u,unix-socket='' w,www='' P,www-prefix='/static/'",
  },
  {
    path: "replace",
    short: "Puts a whole object in the place of the old one",
    usage: "-f FILENAME [options]",
    flags:
      "cascade='background' dry-run='none' field-manager='kubectl-replace' f,filename=[] force=false grace-period=-1 o,output='' R,recursive=false save-config=false show-managed-fields=false subresource='' template='' timeout=0s validate='strict' wait=false",
  },
  {
    path: "run",
    short: "Runs an image as a Pod",
    usage:
      'NAME --image=image [--env="key=value"] [--port=port] [--dry-run=server|client] [--overrides=inline-json] [--command] -- [COMMAND] [args...] [options]',
    flags:
      "annotations=[] attach=false command=false dry-run='none' env=[] expose=false field-manager='kubectl-run' image='' image-pull-policy='' l,labels='' leave-stdin-open=false o,output='' override-type='merge' overrides='' port='' privileged=false q,quiet=false restart='Always' rm=false show-managed-fields=false i,stdin=false template='' t,tty=false",
  },
  {
    path: "scale",
    short: "Changes the number of replicas",
    usage:
      "[--resource-version=version] [--current-replicas=count] --replicas=COUNT (-f FILENAME | TYPE NAME) [options]",
    flags:
      "all=false current-replicas=-1 dry-run='none' f,filename=[] o,output='' R,recursive=false replicas=0 resource-version='' l,selector='' show-managed-fields=false template='' timeout=0s",
  },
  {
    path: "taint",
    short: "Sets and removes taints of Nodes",
    usage:
      "NODE NAME KEY_1=VAL_1:TAINT_EFFECT_1 ... KEY_N=VAL_N:TAINT_EFFECT_N [options]",
    flags:
      "all=false dry-run='none' field-manager='kubectl-taint' o,output='' overwrite=false l,selector='' show-managed-fields=false template='' validate='strict'",
  },
  {
    path: "uncordon",
    short: "Gives a Node back to scheduling",
    usage: "NODE [options]",
    flags: "dry-run='none' l,selector=''",
  },
  {
    path: "version",
    short: "Tells the versions of client and server",
    usage: "[flags] [options]",
    flags: "client=false o,output=''",
  },
  {
    path: "wait",
    short: "Waits for a condition of objects",
    usage:
      "([-f FILENAME] | resource.group/resource.name | resource.group [(-l label | --all)]) [--for=create|--for=delete|--for condition=available|--for=jsonpath='{}'[=value]] [options]",
    flags:
      "all=false A,all-namespaces=false field-selector='' f,filename=[] for='' o,output='' R,recursive=true l,selector='' show-managed-fields=false template='' timeout=30s",
  },
];
