import { beforeEach, expect, test } from 'vitest';
import { type AuditPorts, recorded } from '#bin/audit-trail.ts';
import { createAuditLog } from '#shared/access/store/audit.ts';
import { createMemoryStore } from '#test/helpers/memory-store.ts';

const NOW = Date.parse('2026-11-29T12:00:00.000Z');
const ADA = 'arn:aws:sts::123456789012:assumed-role/Operator/ada';

let ports: AuditPorts;
const entries = () => ports.audit.list(new Date(NOW).toISOString(), 10);

beforeEach(() => {
  const { table } = createMemoryStore(() => NOW);
  ports = { audit: createAuditLog(table), whoAmI: async () => ADA, newId: () => 'entry-1', now: () => NOW };
});

test('a deployment is recorded before it begins, and again when it has ended', async () => {
  const change = async (): Promise<string> => {
    expect(await entries()).toMatchObject([{ by: ADA, command: 'deploy', outcome: 'begun' }]);
    return 'changed';
  };

  expect(await recorded(ports, 'deploy', { release: '0.2.0' }, change)).toBe('changed');

  expect(await entries()).toEqual([
    {
      entry_id: 'entry-1',
      at: '2026-11-29T12:00:00.000Z',
      by: ADA,
      command: 'deploy',
      given: '{"release":"0.2.0"}',
      outcome: 'done',
      error: null,
    },
  ]);
});

test('a deployment that fails is recorded with its error, which goes on', async () => {
  const change = () => Promise.reject(new Error('cdk deploy failed (status 1).'));

  await expect(recorded(ports, 'restore', {}, change)).rejects.toThrow('cdk deploy failed');

  expect(await entries()).toMatchObject([{ outcome: 'failed', error: 'cdk deploy failed (status 1).' }]);
});

test('a deployment that was made stays made where its end cannot be written, and its error is its own', async () => {
  const audit = { ...ports.audit, end: () => Promise.reject(new Error('ExpiredToken')) };
  expect(await recorded({ ...ports, audit }, 'deploy', {}, async () => 'changed')).toBe('changed');
  const failing = recorded({ ...ports, audit }, 'deploy', {}, () => Promise.reject(new Error('cdk failed')));
  await expect(failing).rejects.toThrow('cdk failed');
});

test('a deployment changes nothing where no entry can be written', async () => {
  let changed = false;
  const begin = () => Promise.reject(new Error('AccessDeniedException'));

  const denied = recorded({ ...ports, audit: { ...ports.audit, begin } }, 'deploy', {}, async () => {
    changed = true;
  });

  await expect(denied).rejects.toThrow('AccessDeniedException');
  expect(changed).toBe(false);
});
