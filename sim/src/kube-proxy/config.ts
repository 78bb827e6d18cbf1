/** What a proxy is told of its node and its cluster. */
export interface ProxyConfig {
  readonly nodeName: string;
  /** Addresses that accept node ports. */
  readonly nodeIPs: readonly string[];
  /** Zone label of the node; "" for none. */
  readonly zone: string;
  /** Pods' addresses: what does not come from there is masqueraded. */
  readonly clusterCIDR: string;
  /** Range of the Services' addresses, for the nftables mode. */
  readonly serviceCIDR: string;
  /** `--ipvs-scheduler`: rr unless told. */
  readonly ipvsScheduler?: string;
}
