import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler as probe } from '#functions/consumers/probe.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { writeMetrics } from '#shared/platform/runtime/metrics.ts';
import { theSecrets } from '#shared/platform/wire.ts';
import { theApi } from '#shared/probe/wire.ts';
import { context } from '#test/helpers/call.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { createWorld } from '#test/helpers/world.ts';
import { collectMetrics, type WrittenMetric } from '#test/helpers/written-metrics.ts';

const ACCESS = JSON.stringify({ api_url: 'https://api.example', api_key: 'pt_live_key' });
const unused = async (): Promise<never> => {
  throw new Error('GET /datasets: 401 the key is revoked');
};

let written: () => WrittenMetric[];
beforeEach(() => {
  vi.spyOn(logger, 'warn').mockImplementation(() => {});
  written = collectMetrics();
});
afterEach(() => {
  writeMetrics();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const run = (secret: string) => {
  const world = createWorld(Date.now, [
    standIn(theSecrets, () => async () => secret),
    standIn(theApi, () => ({ json: unused, text: unused, put: unused })),
  ]);
  return probe.with({}, world.installed({}))({}, context());
};

test.each([
  ['clear', ACCESS, 'The step "clear" failed: GET /datasets: 401 the key is revoked'],
  ['access', 'unset', 'The probe has no key: npm run admin -- --stage NAME probe start'],
  ['access', 'no JSON', expect.any(String)],
])(
  'a probe that fails at "%s" is counted and logged, and is no failure of its function',
  async (step, secret, said) => {
    expect(await run(secret)).toEqual({ outcome: 'failed' });

    expect(logger.warn).toHaveBeenCalledWith('probe failed', expect.objectContaining({ step }));
    const logged = vi.mocked(logger.warn).mock.calls[0]?.[1] as { error_message?: string };
    if (step !== 'access' || secret === 'unset') expect(logged.error_message).toEqual(said);
    expect(JSON.stringify(logged)).not.toContain('pt_live_key');
    expect(written().map(({ name, of }) => [name, of.outcome])).toEqual([['ProbesDone', 'failed']]);
  },
);
