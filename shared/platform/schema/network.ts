/** Where something is inside a private network: ids of EC2. */
export interface Network {
  readonly subnets: readonly string[];
  readonly securityGroups: readonly string[];
}
