import { expect, it } from 'vitest';
import { CLOSED_SECONDS, type DrainPorts, whileDrained } from '#bin/deploy/drain.ts';
import { INTAKE_CLAIM } from '#shared/platform/storage/claims.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { createMemoryTable } from '#test/helpers/memory-table.ts';

const NOW = Date.UTC(2026, 10, 29);

/** A stage where as much runs, look by look, as `looks` says; the last one stays. */
function stageWith(...looks: readonly Readonly<Record<string, number>>[]) {
  let now = NOW;
  let asked = 0;
  const claims = createClaims(createMemoryTable(() => now));
  const printed: string[] = [];
  const ports: DrainPorts = {
    claims,
    holder: 'me',
    running: async () => new Map(Object.entries(looks[Math.min(asked++, looks.length - 1)] ?? {})),
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
    print: (line) => void printed.push(line),
  };
  return {
    ports,
    printed,
    isClosed: () => claims.isTaken(INTAKE_CLAIM),
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
    seconds: () => (now - NOW) / 1000,
  };
}

it('A drain closes the intake, waits until nothing has run for half a minute, and opens it after the change', async () => {
  const stage = stageWith({ adapt: 2, train: 1 }, { train: 1 }, {}, { ingest: 1 }, {});

  const changed = await whileDrained(stage.ports, 10, async () => {
    expect(await stage.isClosed()).toBe(true);
    return stage.seconds();
  });

  // Looks at 0, 10, 20 (idle), 30 (a late request had begun something), and idle from 40 to 70.
  expect(changed).toBe(70);
  expect(await stage.isClosed()).toBe(false);
  expect(stage.printed).toContain('Running: adapt: 2, train: 1');
  expect(stage.printed).toContain('Running: train: 1');
});

it('A drain that waits in vain changes nothing, says what runs, and opens the intake', async () => {
  const stage = stageWith({ train: 1 });
  let changes = 0;

  await expect(
    whileDrained(stage.ports, 2, async () => {
      changes += 1;
    }),
  ).rejects.toThrow('After 2 minutes this still runs: train: 1. Nothing was changed.');

  expect(changes).toBe(0);
  expect(await stage.isClosed()).toBe(false);
});

it('A drain opens the intake after a change that failed', async () => {
  const stage = stageWith({});

  await expect(whileDrained(stage.ports, 2, () => Promise.reject(new Error('no')))).rejects.toThrow('no');

  expect(await stage.isClosed()).toBe(false);
});

it('A drain does not begin beside another, and the intake opens by itself when its command has died', async () => {
  const stage = stageWith({});
  await stage.ports.claims.take(INTAKE_CLAIM, CLOSED_SECONDS, 'another');

  await expect(whileDrained(stage.ports, 2, async () => 1)).rejects.toThrow('Another command');
  expect(await stage.isClosed()).toBe(true);

  stage.pass(CLOSED_SECONDS + 1);
  expect(await stage.isClosed()).toBe(false);
  expect(await whileDrained(stage.ports, 2, async () => 1)).toBe(1);
});
