import { afterEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/consumers/watch-trainers.ts';
import { writeMetrics } from '#shared/platform/runtime/metrics.ts';
import { context } from '#test/helpers/call.ts';
import { IMPORTING } from '#test/helpers/deploying.ts';
import { createWorld } from '#test/helpers/world.ts';
import { collectMetrics } from '#test/helpers/written-metrics.ts';

afterEach(() => {
  writeMetrics();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test.each([
  [['amazon_sagemaker'], ['DeploymentSweeps']],
  [['model_server'], []],
  [[], []],
] as const)(
  'the sweep of deployed models on %j counts itself where they cost money, so that its silence is an alarm',
  async (platforms, counted) => {
    const written = collectMetrics();
    const world = createWorld();
    const deploymentSettings = { ...IMPORTING, platforms };
    const run = handler.with({ deploymentSettings, tokens: {} } as never, world.installed({}));

    await run({}, context());

    expect(written().map(({ name }) => name)).toEqual(counted);
  },
);
