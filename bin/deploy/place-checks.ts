import * as z from 'zod';
import type { Config } from '#infra/config.ts';
import { functionIds } from '#infra/names.ts';
import { networkOf, servicesOf } from '#infra/network.ts';
import { permissionsOf } from '#infra/permissions.ts';
import type { Network } from '#shared/platform/schema/network.ts';
import type { Finding } from '../findings.mjs';
import type { Look } from './account-checks.ts';
import type { Endpoint, FoundKey, InNetwork, Place, RouteTable } from './place.ts';

type Judged = Omit<Finding, 'name'>;

const SECONDS = 20;
const NETWORK_PERMISSIONS = [
  'ec2:DescribeSubnets',
  'ec2:DescribeSecurityGroups',
  'ec2:DescribeVpcEndpoints',
  'ec2:DescribeRouteTables',
];

/** How AWS says that there is no such thing. */
const NOT_FOUND = /NotFound|NoSuchEntity/;

/** The checks of what the settings name: networks, endpoints, a key, a boundary. They are read-only. */
export function placeLooks(place: Place, config: Config, region: string, account: string): Look[] {
  const { network, sagemaker, trainedModels, apiVpcEndpoints, keyArn, permissionsBoundary } = config;
  const looks: Look[] = [];
  const add = (
    name: string,
    permissions: readonly string[],
    advice: string,
    look: (signal: AbortSignal) => Promise<Judged>,
  ): void => {
    looks.push({
      name,
      permissions,
      seconds: SECONDS,
      look: (signal) =>
        look(signal).catch((error: unknown) => {
          if (!(error instanceof Error) || !NOT_FOUND.test(error.name)) throw error;
          return { state: 'missing', found: error.message, advice };
        }),
    });
  };
  const other = `Name one of ${region}, or take another region.`;
  if (network !== null) {
    add('Private network', NETWORK_PERMISSIONS, other, (signal) =>
      lookAtNetwork(place, network, servicesInside(config), signal),
    );
  }
  const jobs = sagemaker?.network ?? trainedModels?.network ?? null;
  if (jobs !== null) {
    // A trainer asks hubs as well as AWS; the container of a trained model asks nothing, and its files come from S3.
    const services =
      sagemaker === null ? ['s3'] : ['s3', 'lambda', 'states', 'dynamodb', 'the hub of the base models'];
    add('Jobs network', NETWORK_PERMISSIONS, other, (signal) => lookAtNetwork(place, jobs, services, signal));
  }
  if (apiVpcEndpoints.length > 0) {
    add('API endpoints', ['ec2:DescribeVpcEndpoints'], other, async (signal) =>
      judgeApiEndpoints(await place.endpoints(apiVpcEndpoints, signal)),
    );
  }
  if (keyArn !== null) {
    add(
      'Key',
      ['kms:DescribeKey', 'kms:GetKeyPolicy'],
      'Set KMS_KEY_ARN to a key that is there.',
      async (signal) => judgeKey(await place.key(keyArn, signal), region, account),
    );
  }
  if (permissionsBoundary !== null) {
    const partition = region.startsWith('cn-')
      ? 'aws-cn'
      : region.startsWith('us-gov-')
        ? 'aws-us-gov'
        : 'aws';
    const arn = `arn:${partition}:iam::${account}:policy/${permissionsBoundary}`;
    add(
      'Boundary',
      ['iam:GetPolicy'],
      'Set PERMISSIONS_BOUNDARY to a policy that is there.',
      async (signal) => {
        await place.policy(arn, signal);
        return { state: 'ok', found: arn };
      },
    );
  }
  return looks;
}

/** The services of AWS that functions call from inside of the private network. */
function servicesInside(config: Config): string[] {
  const inside = functionIds.map(permissionsOf).filter((uses) => networkOf(uses, config) !== null);
  return [...new Set(inside.flatMap((uses) => servicesOf(uses, config)))].sort();
}

async function lookAtNetwork(
  place: Place,
  { subnets, securityGroups }: Network,
  services: readonly string[],
  signal: AbortSignal,
): Promise<Judged> {
  const [inSubnets, groups] = await Promise.all([
    place.subnets(subnets, signal),
    place.securityGroups(securityGroups, signal),
  ]);
  const [vpcId = '', ...others] = new Set([...inSubnets, ...groups].map((each) => each.vpcId));
  if (others.length > 0) return judgeNetworks([...inSubnets, ...groups]);
  const [endpoints, tables] = await Promise.all([
    place.endpointsOf(vpcId, signal),
    place.routeTables(vpcId, signal),
  ]);
  return judgeWays(vpcId, subnets, services, endpoints, tables);
}

const judgeNetworks = (all: readonly InNetwork[]): Judged => ({
  state: 'missing',
  found: `several networks: ${all.map(({ id, vpcId }) => `${id} in ${vpcId}`).join(', ')}`,
  advice: 'Name subnets and security groups of one VPC.',
});

/** Whether each subnet has a way to each service: an endpoint of the VPC, or a route that leads out. */
export function judgeWays(
  vpcId: string,
  subnets: readonly string[],
  services: readonly string[],
  endpoints: readonly Endpoint[],
  tables: readonly RouteTable[],
): Judged {
  const tableOf = (subnet: string): RouteTable | undefined =>
    tables.find((table) => table.subnets.includes(subnet)) ?? tables.find(({ isMain }) => isMain);
  // A function in a private network has no public address, so that an internet gateway leads nowhere.
  const inside = subnets.filter((subnet) => (tableOf(subnet)?.way ?? 'igw-').startsWith('igw-'));
  if (inside.length === 0) return { state: 'ok', found: `${vpcId}, with a way out of each subnet` };
  const without = services.filter((service) =>
    inside.some((subnet) => !hasEndpoint(endpoints, service, tableOf(subnet)?.id ?? '')),
  );
  if (without.length === 0) {
    return { state: 'ok', found: `${vpcId}, with endpoints of AWS and no way to the internet` };
  }
  return {
    state: 'missing',
    found: `${vpcId}: no way from ${inside.join(', ')} to ${without.join(', ')}`,
    advice:
      'Make VPC endpoints of these services (interfaces with private DNS, gateways in the route table of the subnets), or a route to a NAT gateway. A route to an internet gateway is none: functions there have no public address.',
  };
}

const hasEndpoint = (endpoints: readonly Endpoint[], service: string, table: string): boolean =>
  endpoints.some(
    (endpoint) =>
      endpoint.isAvailable &&
      endpoint.service.endsWith(`.${service}`) &&
      (endpoint.hasPrivateDns ?? endpoint.routeTables.includes(table)),
  );

function judgeApiEndpoints(found: readonly Endpoint[]): Judged {
  const wrong = found.filter(({ service, isAvailable }) => !isAvailable || !service.endsWith('.execute-api'));
  if (wrong.length === 0) return { state: 'ok', found: found.map(({ id }) => id).join(', ') };
  return {
    state: 'missing',
    found: wrong
      .map(
        ({ id, service, isAvailable }) => `${id} is of ${service}${isAvailable ? '' : ', and not available'}`,
      )
      .join('; '),
    advice: 'API_VPC_ENDPOINTS takes endpoints of execute-api that are available.',
  };
}

const texts = z.union([z.string().transform((text) => [text]), z.array(z.string())]);
const KeyPolicy = z.looseObject({
  Statement: z.array(
    z.looseObject({
      Effect: z.string(),
      Principal: z
        .union([z.literal('*').transform((): Record<string, string[]> => ({})), z.record(z.string(), texts)])
        .optional(),
      Action: texts.optional(),
    }),
  ),
});

/** Whether services may use a key that come with no role, and the account's policies decide on all others. */
export function judgeKey({ state, usage, spec, policy }: FoundKey, region: string, account: string): Judged {
  if (state !== 'Enabled' || usage !== 'ENCRYPT_DECRYPT' || spec !== 'SYMMETRIC_DEFAULT') {
    return {
      state: 'missing',
      found: `the key is ${state}, for ${usage} (${spec})`,
      advice: 'KMS_KEY_ARN takes an enabled symmetric key for encryption.',
    };
  }
  const parsed = KeyPolicy.safeParse(JSON.parse(policy));
  const allowed = (kind: string, name: RegExp, action: string): boolean =>
    (parsed.data?.Statement ?? []).some(
      ({ Effect, Principal = {}, Action = [] }) =>
        Effect === 'Allow' &&
        Object.entries(Principal).some(
          ([key, values]) => key === kind && values.some((value) => name.test(value)),
        ) &&
        Action.some((given) => covers(given, action)),
    );
  const suffix = '\\.amazonaws\\.com(?:\\.cn)?$';
  const services = [`logs\\.${region}`, 'cloudwatch', 'events'].filter(
    (name) =>
      !['kms:Decrypt', 'kms:GenerateDataKey'].every((action) =>
        allowed('Service', new RegExp(`^${name}${suffix}`), action),
      ),
  );
  const isAccounts = allowed(
    'AWS',
    new RegExp(`^(?:${account}|arn:[a-z-]+:iam::${account}:root)$`),
    'kms:Decrypt',
  );
  const without = [
    ...(isAccounts ? [] : [`the account ${account}, whose policies then decide`]),
    ...services.map((name) => `${name.replaceAll('\\', '')}.amazonaws.com`),
  ];
  if (without.length === 0)
    return { state: 'ok', found: 'its policy lets the account and the services use it' };
  return {
    state: 'missing',
    found: `the policy of the key does not let it be used by ${without.join(', ')}`,
    advice: 'Add the statements of docs/operations/configure.md, "A key of your own".',
  };
}

/** Whether an action of a policy, which may end in a star, is or includes another. */
const covers = (given: string, action: string): boolean =>
  given.endsWith('*') ? action.startsWith(given.slice(0, -1)) : given === action;
