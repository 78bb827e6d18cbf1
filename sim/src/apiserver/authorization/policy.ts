/**
 * The cluster roles and bindings that every cluster has, one rule a line:
 * verbs, groups, resources; `@` before paths; `=` before resource names.
 * Groups: `-` is the core group. R reads, W writes, RW both.
 * Models:     plugin/pkg/auth/authorizer/rbac/bootstrappolicy/{policy,
 *             controller_policy}.go @ v1.36
 * Leaves out: roles of parts that the simulator does not have.
 * Longer because: it is data.
 */
export const CLUSTER_ROLES = `
cluster-admin
  * * *
  * @ *
system:discovery
  get @ /api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/
system:basic-user
  create authorization.k8s.io selfsubjectaccessreviews,selfsubjectrulesreviews
  create authentication.k8s.io selfsubjectreviews
system:public-info-viewer
  get @ /healthz /livez /readyz /version /version/
system:monitoring
  get @ /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*
system:service-account-issuer-discovery
  get @ /.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/
admin <admin
edit <edit
view <view
system:aggregate-to-admin >admin
  create authorization.k8s.io localsubjectaccessreviews
  RW rbac.authorization.k8s.io roles,rolebindings
system:aggregate-to-edit >edit
  R - pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy
  impersonate - serviceaccounts
  W - pods,pods/attach,pods/exec,pods/portforward,pods/proxy
  create - pods/eviction
  W - configmaps,events,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy
  create - serviceaccounts/token
  W apps daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale
  W autoscaling horizontalpodautoscalers
  W batch cronjobs,jobs
  W networking.k8s.io ingresses,networkpolicies
  W policy poddisruptionbudgets
  RW coordination.k8s.io leases
system:aggregate-to-view >view
  R - configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status
  R - bindings,events,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status
  R - namespaces
  R discovery.k8s.io endpointslices
  R apps controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status
  R autoscaling horizontalpodautoscalers,horizontalpodautoscalers/status
  R batch cronjobs,cronjobs/status,jobs,jobs/status
  R networking.k8s.io ingresses,ingresses/status,networkpolicies
  R policy poddisruptionbudgets,poddisruptionbudgets/status
system:node
system:node-proxier
  list,watch - services,endpoints
  get,list,watch - nodes
  create,patch,update -,events.k8s.io events
  list,watch discovery.k8s.io endpointslices
system:node-problem-detector
  get - nodes
  patch - nodes/status
  create,patch,update -,events.k8s.io events
system:kubelet-api-admin
  proxy,get,list,watch - nodes
  * - nodes/proxy,nodes/metrics,nodes/stats,nodes/log,nodes/configz,nodes/healthz,nodes/pods
system:auth-delegator
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
system:heapster
  R - events,pods,nodes,namespaces
  R apps deployments
system:kube-dns
  list,watch - endpoints,services
system:persistent-volume-provisioner
  R,create,delete - persistentvolumes
  R,update - persistentvolumeclaims
  R storage.k8s.io storageclasses
  R - events
  create,patch,update -,events.k8s.io events
system:kube-scheduler
  create,patch,update -,events.k8s.io events
  create coordination.k8s.io leases
  get,list,watch,update coordination.k8s.io leases =kube-scheduler
  R - nodes
  delete,get,list,watch - pods
  create - bindings,pods/binding
  patch,update - pods/status
  R - replicationcontrollers,services
  R apps replicasets,statefulsets
  R policy poddisruptionbudgets
  R - persistentvolumeclaims,persistentvolumes
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
  R storage.k8s.io csinodes,csidrivers,csistoragecapacities,storageclasses,volumeattachments
  R - namespaces
system:volume-scheduler
  R,patch,update - persistentvolumes
  R storage.k8s.io storageclasses
  R,patch,update - persistentvolumeclaims
system:certificates.k8s.io:certificatesigningrequests:nodeclient
  create certificates.k8s.io certificatesigningrequests/nodeclient
system:certificates.k8s.io:certificatesigningrequests:selfnodeclient
  create certificates.k8s.io certificatesigningrequests/selfnodeclient
system:node-bootstrapper
  create,get,list,watch certificates.k8s.io certificatesigningrequests
system:kube-controller-manager
  create,patch,update -,events.k8s.io events
  create coordination.k8s.io leases
  get,update coordination.k8s.io leases =kube-controller-manager
  create - secrets,serviceaccounts
  delete - secrets
  get - configmaps,namespaces,secrets,serviceaccounts
  update - secrets,serviceaccounts
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
  list,watch * *
  create - serviceaccounts/token
system:controller:attachdetach-controller
  list,watch - persistentvolumeclaims,persistentvolumes
  R - nodes
  patch,update - nodes/status
  list,watch - pods
  create,patch,update -,events.k8s.io events
  R,create,delete storage.k8s.io volumeattachments
  R storage.k8s.io csidrivers,csinodes
system:controller:certificate-controller
  R,delete certificates.k8s.io certificatesigningrequests
  update certificates.k8s.io certificatesigningrequests/status,certificatesigningrequests/approval
  approve certificates.k8s.io signers =kubernetes.io/kube-apiserver-client-kubelet
  sign certificates.k8s.io signers =kubernetes.io/legacy-unknown,kubernetes.io/kube-apiserver-client,kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving
  create authorization.k8s.io subjectaccessreviews
  create,patch,update -,events.k8s.io events
system:controller:cronjob-controller
  R,update batch cronjobs
  R,create,update,delete,patch batch jobs
  update batch cronjobs/status,cronjobs/finalizers
  list,delete - pods
  create,patch,update -,events.k8s.io events
system:controller:daemon-set-controller
  R apps daemonsets
  update apps daemonsets/status,daemonsets/finalizers
  list,watch - nodes
  R,create,delete,patch - pods
  create - pods/binding
  R,create,delete,update,patch apps controllerrevisions
  create,patch,update -,events.k8s.io events
system:controller:deployment-controller
  R,update apps deployments
  update apps deployments/status,deployments/finalizers
  R,create,update,patch,delete apps replicasets
  R,update - pods
  create,patch,update -,events.k8s.io events
system:controller:disruption-controller
  R apps deployments,replicasets,statefulsets
  R - replicationcontrollers
  R policy poddisruptionbudgets
  update policy poddisruptionbudgets/status
  list,watch - pods
  patch,update - pods/status
  get * */scale
  create,patch,update -,events.k8s.io events
system:controller:endpoint-controller
  R - pods,services
  create,delete,get,list,update,watch - endpoints
  create - endpoints/restricted
  create,patch,update -,events.k8s.io events
system:controller:endpointslice-controller
  R - nodes,pods,services
  update - services/finalizers
  R,create,update,delete discovery.k8s.io endpointslices
  create,patch,update -,events.k8s.io events
system:controller:endpointslicemirroring-controller
  R - endpoints,services
  update - endpoints/finalizers,services/finalizers
  R,create,update,delete discovery.k8s.io endpointslices
  create,patch,update -,events.k8s.io events
system:controller:generic-garbage-collector
  delete,get,list,patch,update,watch * *
  create,patch,update -,events.k8s.io events
system:controller:horizontal-pod-autoscaler
  R autoscaling horizontalpodautoscalers
  update autoscaling horizontalpodautoscalers/status
  get,update * */scale
  list - pods
  list metrics.k8s.io pods
  get,list custom.metrics.k8s.io,external.metrics.k8s.io *
  create,patch,update -,events.k8s.io events
system:controller:job-controller
  R,update,patch batch jobs
  update batch jobs/status,jobs/finalizers
  R,create,delete,patch - pods
  create,patch,update -,events.k8s.io events
system:controller:namespace-controller
  R,delete - namespaces
  update - namespaces/finalize,namespaces/status
  get,list,delete,deletecollection * *
system:controller:node-controller
  get,list,update,delete,patch - nodes
  patch,update - nodes/status
  patch,update - pods/status
  list,delete,get - pods
  create,patch,update -,events.k8s.io events
  get,create,update coordination.k8s.io leases
system:controller:persistent-volume-binder
  R,create,delete,update - persistentvolumes
  update - persistentvolumes/status,persistentvolumeclaims/status
  R,update - persistentvolumeclaims
  R,create,delete - pods
  R storage.k8s.io storageclasses
  get,list,watch - nodes
  create,patch,update -,events.k8s.io events
system:controller:pod-garbage-collector
  list,watch,delete - pods
  get,list - nodes
  patch - pods/status
system:controller:pv-protection-controller
  R,update - persistentvolumes
system:controller:pvc-protection-controller
  R,update - persistentvolumeclaims
  R - pods
system:controller:replicaset-controller
  R,update apps replicasets
  update apps replicasets/status,replicasets/finalizers
  R,create,delete,patch - pods
  create,patch,update -,events.k8s.io events
system:controller:replication-controller
  R,update - replicationcontrollers
  update - replicationcontrollers/status,replicationcontrollers/finalizers
  R,create,delete,patch - pods
  create,patch,update -,events.k8s.io events
system:controller:resourcequota-controller
  list,watch * *
  update - resourcequotas/status
  create,patch,update -,events.k8s.io events
system:controller:root-ca-cert-publisher
  create,update - configmaps
  create,patch,update -,events.k8s.io events
system:controller:route-controller
  list,watch - nodes
  patch - nodes/status
  create,patch,update -,events.k8s.io events
system:controller:service-account-controller
  create - serviceaccounts
  create,patch,update -,events.k8s.io events
system:controller:service-controller
  R - services
  patch,update - services/status
  list,watch - nodes
  create,patch,update -,events.k8s.io events
system:controller:expand-controller
  R,update,patch - persistentvolumes
  update,patch - persistentvolumeclaims/status
  R - persistentvolumeclaims
  R storage.k8s.io storageclasses
  create,patch,update -,events.k8s.io events
system:controller:statefulset-controller
  list,watch - pods
  R apps statefulsets
  update apps statefulsets/status,statefulsets/finalizers
  get,create,delete,update,patch - pods
  R,create,delete,update,patch apps controllerrevisions
  get,create,list,watch,update,delete - persistentvolumeclaims
  create,patch,update -,events.k8s.io events
system:controller:ttl-after-finished-controller
  R,delete batch jobs
  create,patch,update -,events.k8s.io events
system:controller:ttl-controller
  update,patch,list,watch - nodes
  create,patch,update -,events.k8s.io events
`;

/** Binding, role if not of the same name, then who: g: group, u: user. */
export const CLUSTER_ROLE_BINDINGS = `
cluster-admin g:system:masters
system:monitoring g:system:monitoring
system:discovery g:system:authenticated
system:basic-user g:system:authenticated
system:public-info-viewer g:system:authenticated g:system:unauthenticated
system:node-proxier u:system:kube-proxy
system:kube-controller-manager u:system:kube-controller-manager
system:kube-dns s:kube-system/kube-dns
system:kube-scheduler u:system:kube-scheduler
system:volume-scheduler u:system:kube-scheduler
system:node
system:service-account-issuer-discovery g:system:serviceaccounts
`;
