import { BatchWriteItemCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { copyItems, namingTable, requireRestorable } from '#bin/restore/copy-items.ts';

/** A client that answers commands with this function, and asks nobody. */
const clientOf = (answer: (command: unknown) => unknown): DynamoDBClient =>
  Object.assign(new DynamoDBClient({ region: 'eu-west-1' }), {
    send: async (command: unknown) => answer(command),
  });

const refusal = (name: string) => Object.assign(new Error(`refused: ${name}`), { name });

/** A table of one item, whose batch is refused with these errors before it is taken. */
function copyOver(errors: string[]) {
  const written: unknown[] = [];
  const client = clientOf((command) => {
    if (command instanceof ScanCommand) {
      return { Items: command.input.Segment === 0 ? [{ pk: { S: 'TEAM#1' }, sk: { S: 'TEAM' } }] : [] };
    }
    const error = errors.shift();
    if (error !== undefined) throw refusal(error);
    if (command instanceof BatchWriteItemCommand) written.push(command.input.RequestItems);
    return {};
  });
  return { written, copying: copyItems(client, { from: 'restored', to: 'new' }, () => {}) };
}

it('A restoration sends a batch again that the table refused as a whole for its load', async () => {
  const { written, copying } = copyOver(['ThrottlingException', 'ProvisionedThroughputExceededException']);

  expect(await copying).toEqual({ copied: 1, leftOut: 0 });
  expect(written).toHaveLength(1);
});

it('A restoration writes entries of the audit log one by one, which operators may, and no batch with them', async () => {
  const item = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
  const items = [item('TEAM#1'), item('AUDIT#2026-11'), item('AUDIT#2026-12')];
  const put: unknown[] = [];
  const batched: string[] = [];
  const client = clientOf((command) => {
    if (command instanceof ScanCommand) return { Items: command.input.Segment === 0 ? items : [] };
    if (command instanceof PutItemCommand) put.push(command.input);
    if (command instanceof BatchWriteItemCommand) batched.push(JSON.stringify(command.input));
    return {};
  });

  expect(await copyItems(client, { from: 'restored', to: 'new' }, () => {})).toEqual({
    copied: 3,
    leftOut: 0,
  });

  expect(put).toEqual(items.slice(1).map((Item) => ({ TableName: 'new', Item })));
  expect(batched).toHaveLength(1);
  expect(batched[0]).not.toContain('AUDIT#');
});

it('A restoration ends at any other error of the table', async () => {
  await expect(copyOver(['AccessDeniedException']).copying).rejects.toThrow('refused: AccessDeniedException');
});

it('A restoration that fails over its items names the table with which to go on', async () => {
  expect(await namingTable('data-restored-1', async () => 'copied')).toBe('copied');
  await expect(namingTable('data-restored-1', () => Promise.reject(new Error('No room.')))).rejects.toThrow(
    /^No room\. .*--table data-restored-1/,
  );
});

it('A restoration is refused outside the backups of the table, whose bounds it names', async () => {
  const client = clientOf(() => ({
    ContinuousBackupsDescription: {
      PointInTimeRecoveryDescription: {
        EarliestRestorableDateTime: new Date('2026-11-01T00:00:00Z'),
        LatestRestorableDateTime: new Date('2026-11-29T05:00:00Z'),
      },
    },
  }));

  await expect(
    requireRestorable(client, 'data', Date.parse('2026-11-29T05:00:00Z')),
  ).resolves.toBeUndefined();
  await expect(requireRestorable(client, 'data', Date.parse('2026-11-29T05:00:01Z'))).rejects.toThrow(
    'from 2026-11-01T00:00:00.000Z to 2026-11-29T05:00:00.000Z',
  );
});
