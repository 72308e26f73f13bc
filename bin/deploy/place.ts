import {
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcEndpointsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { GetPolicyCommand, IAMClient } from '@aws-sdk/client-iam';
import { DescribeKeyCommand, GetKeyPolicyCommand, KMSClient } from '@aws-sdk/client-kms';

/** A subnet or a security group, and its network. */
export interface InNetwork {
  readonly id: string;
  readonly vpcId: string;
}

/** A VPC endpoint. */
export interface Endpoint {
  readonly id: string;
  /** Such as `com.amazonaws.eu-west-1.s3`. */
  readonly service: string;
  readonly isAvailable: boolean;
  /** Whether names of the service lead to it; null for a gateway, which is in route tables. */
  readonly hasPrivateDns: boolean | null;
  readonly routeTables: readonly string[];
}

/** A route table, and the target of its default route; null without one. */
export interface RouteTable {
  readonly id: string;
  readonly isMain: boolean;
  readonly subnets: readonly string[];
  readonly way: string | null;
}

export interface FoundKey {
  readonly state: string;
  readonly usage: string;
  readonly spec: string;
  /** Its policy, as JSON. */
  readonly policy: string;
}

/**
 * What settings name that the operator has made: networks, a key, a boundary. Every call ends with its signal.
 * @throws AWS's error for what is not there
 */
export interface Place {
  subnets(ids: readonly string[], signal: AbortSignal): Promise<readonly InNetwork[]>;
  securityGroups(ids: readonly string[], signal: AbortSignal): Promise<readonly InNetwork[]>;
  /** Endpoints of a network. */
  endpointsOf(vpcId: string, signal: AbortSignal): Promise<readonly Endpoint[]>;
  endpoints(ids: readonly string[], signal: AbortSignal): Promise<readonly Endpoint[]>;
  routeTables(vpcId: string, signal: AbortSignal): Promise<readonly RouteTable[]>;
  key(arn: string, signal: AbortSignal): Promise<FoundKey>;
  policy(arn: string, signal: AbortSignal): Promise<void>;
}

const inVpc = (vpcId: string) => ({ Filters: [{ Name: 'vpc-id', Values: [vpcId] }] });

/** The region of the environment, by the current credentials. */
export function connectPlace(): Place {
  async function findEndpoints(
    asked: { readonly VpcEndpointIds: string[] } | ReturnType<typeof inVpc>,
    abortSignal: AbortSignal,
  ): Promise<Endpoint[]> {
    const { VpcEndpoints = [] } = await new EC2Client().send(new DescribeVpcEndpointsCommand(asked), {
      abortSignal,
    });
    return VpcEndpoints.map((found) => ({
      id: found.VpcEndpointId ?? '',
      service: found.ServiceName ?? '',
      isAvailable: found.State?.toLowerCase() === 'available',
      hasPrivateDns: found.VpcEndpointType === 'Interface' ? found.PrivateDnsEnabled === true : null,
      routeTables: found.RouteTableIds ?? [],
    }));
  }
  return {
    async subnets(ids, abortSignal) {
      const { Subnets = [] } = await new EC2Client().send(
        new DescribeSubnetsCommand({ SubnetIds: [...ids] }),
        { abortSignal },
      );
      return Subnets.map(({ SubnetId: id = '', VpcId: vpcId = '' }) => ({ id, vpcId }));
    },
    async securityGroups(ids, abortSignal) {
      const { SecurityGroups = [] } = await new EC2Client().send(
        new DescribeSecurityGroupsCommand({ GroupIds: [...ids] }),
        { abortSignal },
      );
      return SecurityGroups.map(({ GroupId: id = '', VpcId: vpcId = '' }) => ({ id, vpcId }));
    },
    endpointsOf: (vpcId, signal) => findEndpoints(inVpc(vpcId), signal),
    endpoints: (ids, signal) => findEndpoints({ VpcEndpointIds: [...ids] }, signal),
    async routeTables(vpcId, abortSignal) {
      const { RouteTables = [] } = await new EC2Client().send(new DescribeRouteTablesCommand(inVpc(vpcId)), {
        abortSignal,
      });
      return RouteTables.map(({ RouteTableId: id = '', Associations = [], Routes = [] }) => {
        const found = Routes.find(
          (route) => route.DestinationCidrBlock === '0.0.0.0/0' && route.State === 'active',
        );
        return {
          id,
          isMain: Associations.some(({ Main }) => Main === true),
          subnets: Associations.flatMap(({ SubnetId }) => SubnetId ?? []),
          way:
            found?.NatGatewayId ??
            found?.TransitGatewayId ??
            found?.NetworkInterfaceId ??
            found?.GatewayId ??
            null,
        };
      });
    },
    async key(KeyId, abortSignal) {
      const client = new KMSClient();
      const [{ KeyMetadata }, { Policy = '{}' }] = await Promise.all([
        client.send(new DescribeKeyCommand({ KeyId }), { abortSignal }),
        client.send(new GetKeyPolicyCommand({ KeyId, PolicyName: 'default' }), { abortSignal }),
      ]);
      return {
        state: KeyMetadata?.KeyState ?? '',
        usage: KeyMetadata?.KeyUsage ?? '',
        spec: KeyMetadata?.KeySpec ?? '',
        policy: Policy,
      };
    },
    async policy(PolicyArn, abortSignal) {
      await new IAMClient().send(new GetPolicyCommand({ PolicyArn }), { abortSignal });
    },
  };
}
