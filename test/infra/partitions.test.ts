import { expect, it } from 'vitest';
import { guardedPartitions } from '#infra/grants.ts';
import { AUTHORIZER_FUNCTION_ID, endpointFunctionId, functionName, taskFunctionId } from '#infra/names.ts';
import { permissionsOf } from '#infra/permissions.ts';
import { keys, lists } from '#shared/platform/store/keys.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { backgroundFunctions } from '#shared/service/pipelines/background.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { wiringFiles } from '#test/helpers/source/layer-files.ts';
import { flatten, type Grant, grantsOf, resourcesOf, synthesize } from './synthesize.ts';

/** Partition keys of items of every kind, and of lists, by what opens them. */
const partitions = {
  credits: [
    keys.balance('t').pk,
    keys.hold('t', 'r').pk,
    keys.ledgerEntry('t', 'at', 'e').pk,
    keys.meterShard('t', 3).pk,
    keys.dayUsage('t', 3, 'd', 'm').pk,
    keys.usage('t', 'r').pk,
    keys.voucher('v').pk,
  ],
  apiKeys: [keys.key('hash').pk, keys.teamKey('t', 'k').pk],
  others: [
    keys.dataset('d').pk,
    keys.run('d', 'r').pk,
    keys.chunk('r', 1).pk,
    keys.idempotency('t', 'o', 'd', 'k').pk,
    keys.rate('t', 1).pk,
    keys.tokens('t', 1).pk,
    keys.claim('work').pk,
    keys.approval('t', 'a').pk,
    keys.training('e').pk,
    keys.trainerAttempt('e', 1, 1).pk,
  ],
  operators: [
    keys.team('t').pk,
    keys.teamName('t').pk,
    keys.member('t', 'u').pk,
    keys.stack('t', 's').pk,
    keys.organization('o').pk,
    keys.organizationName('o').pk,
    keys.user('u').pk,
    keys.userName('u').pk,
    keys.plan('p').pk,
  ],
  audit: [keys.auditEntry('2026-11-29T00:00:00.000Z', 'e').pk],
  lists: [lists.datasets('t'), lists.activeRuns, lists.revokedAttempts],
} as const;

const functions: readonly string[] = [
  AUTHORIZER_FUNCTION_ID,
  ...contracts.map(endpointFunctionId),
  ...pipelines.flatMap(({ id, tasks }) => Object.keys(tasks).map((name) => taskFunctionId(id, name))),
  ...backgroundFunctions.map(({ id }) => id),
];
const stacks = synthesize('dev', { MODEL_ID: 'vendor.text-model-v1:0' });

/** What the role of each function allows, by the function's name. */
const grants = new Map<string, Grant[]>(
  [stacks.pipelines, stacks.api].flatMap((template) =>
    resourcesOf(template, 'AWS::Lambda::Function').map(([, { Properties }]): [string, Grant[]] => {
      const role = template.Resources[flatten(Properties.Role).replace(/^<(.*)\.Arn>$/, '$1')];
      return [String(Properties.FunctionName), role === undefined ? [] : grantsOf(role)];
    }),
  ),
);

type Condition = Readonly<Record<string, { readonly 'dynamodb:LeadingKeys'?: readonly string[] }>>;

const matches = (pattern: string, value: string): boolean =>
  pattern.endsWith('*') ? value.startsWith(pattern.slice(0, -1)) : value === pattern;

/** Whether IAM lets the function do it: ForAllValues of a request that has exactly one leading key. */
function isAllowed(id: string, action: string, partition: string): boolean {
  return (grants.get(functionName('dev', id)) ?? []).some((grant) => {
    if (grant.action !== action || !grant.resource.startsWith('TABLE')) return false;
    const condition = grant.condition === '' ? {} : (JSON.parse(grant.condition) as Condition);
    return Object.entries(condition).every(([operator, { 'dynamodb:LeadingKeys': patterns = [] }]) => {
      const isLike = patterns.some((pattern) => matches(pattern, partition));
      if (operator === 'ForAllValues:StringLike') return isLike;
      if (operator === 'ForAllValues:StringNotLike') return !isLike;
      throw new Error(`The condition ${operator} is not known here.`);
    });
  });
}

it.each(functions.map((id) => [id, permissionsOf(id)] as const))(
  'a function reaches the partitions that its needs name, and no others: %s',
  (id, { table, credits, apiKeys, audit }) => {
    const reached = (action: string, kind: keyof typeof partitions): (boolean | undefined)[] => [
      ...new Set(partitions[kind].map((partition) => isAllowed(id, action, partition))),
    ];
    const isRead = table !== undefined;
    const isWritten = table === 'write';

    expect(reached('dynamodb:GetItem', 'credits')).toEqual([isRead && credits !== undefined]);
    expect(reached('dynamodb:Query', 'apiKeys')).toEqual([isRead && apiKeys !== undefined]);
    expect(reached('dynamodb:GetItem', 'others')).toEqual([isRead]);
    expect(reached('dynamodb:PutItem', 'credits')).toEqual([isWritten && credits === 'write']);
    expect(reached('dynamodb:UpdateItem', 'apiKeys')).toEqual([false]);
    expect(reached('dynamodb:DeleteItem', 'others')).toEqual([isWritten]);
    expect(reached('dynamodb:GetItem', 'operators')).toEqual([isRead]);
    expect(reached('dynamodb:PutItem', 'operators')).toEqual([false]);
    expect(reached('dynamodb:Query', 'audit')).toEqual([audit === 'read']);
    expect(reached('dynamodb:GetItem', 'audit')).toEqual([false]);
    expect(reached('dynamodb:PutItem', 'audit')).toEqual([false]);
    expect(reached('dynamodb:Query', 'lists')).toEqual([isRead]);
    for (const partition of Object.values(partitions).flat()) {
      expect(isAllowed(id, 'dynamodb:Scan', partition)).toBe(false);
    }
  },
);

it('the audit log is read by the function of its route alone, which reads nothing else', () => {
  const reading = functions.filter((id) => permissionsOf(id).audit !== undefined);

  expect(reading).toEqual(['api/audit/list']);
  expect(permissionsOf('api/audit/list').table).toBeUndefined();
});

it('the partitions that are guarded are those of the keys above', () => {
  const beginnings = Object.values(guardedPartitions).flat();

  expect(partitions.others.filter((pk) => beginnings.some((beginning) => pk.startsWith(beginning)))).toEqual(
    [],
  );
  for (const kind of ['credits', 'apiKeys', 'operators', 'audit'] as const) {
    for (const pk of partitions[kind]) {
      expect(guardedPartitions[kind].some((beginning) => pk.startsWith(beginning))).toBe(true);
    }
  }
});

it('the partitions are declared by whatever makes the adapters that read and write them', () => {
  const made = /connectLedger|createLedger\(|createMeterRepository\(|createBooks\(/;
  // Each of these adapters is made inside a need that declares what it reaches.
  const needs = [...wiringFiles().values()].flatMap((text) => text.split(/\n(?=(?:export )?const |\/\*\*)/));
  const making = needs.filter(
    (text) => text.includes('need') && made.test(text) && text.startsWith('export'),
  );
  const undeclared = making.filter((text) => !/credits(?::|\b)/.test(text));

  expect(undeclared).toEqual([]);
  expect(making.length).toBeGreaterThan(4);
});
