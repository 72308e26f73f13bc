import { expect, it } from 'vitest';
import { takeLook } from '#bin/deploy/look.ts';
import { requirementLooks, requirementsOf } from '#bin/deploy/refusals.ts';
import type { DeployedStage } from '#bin/deploy/stage.ts';
import { makeDeployment } from '#test/helpers/deploying.ts';

const SETTINGS = { stage: 'trial', trainedModels: null };

const stage = (changes: Partial<DeployedStage> = {}) =>
  ({ dataFormat: '1', models: async () => [], alarmsOn: async () => [], ...changes }) as DeployedStage;

/** What the check says, and what stops the deployment. */
async function both(deployed: DeployedStage | null, guardMinutes: number | null = null) {
  const requirements = requirementsOf(SETTINGS, guardMinutes);
  const looks = requirementLooks(requirements, async () => deployed);
  const findings = await Promise.all(looks.map((look) => takeLook(look, false)));
  const deploy = async (): Promise<void> => {
    for (const { require } of requirements) await require(deployed);
  };
  return {
    missing: findings.filter(({ state }) => state === 'missing').map(({ name }) => name),
    advice: findings.map(({ advice = '' }) => advice).join(),
    refused: await deploy().then(
      () => null,
      (error: Error) => error.message,
    ),
  };
}

it.each([
  ['in a data format of a later release', { dataFormat: '3' }, null, 'Data format', /holds format 3/],
  [
    'with models that nothing could end',
    { models: async () => [makeDeployment()] },
    null,
    'Deployed models',
    /deployment delete --platform amazon_sagemaker/,
  ],
  ['with an alarm that is on', { alarmsOn: async () => ['api-errors'] }, 10, 'Alarms', /api-errors/],
] as const)(
  'A deployment over a stage %s is refused, and the check says so in the same words',
  async (_, changes, guardMinutes, name, told) => {
    const found = await both(stage(changes), guardMinutes);

    expect(found.missing).toEqual([name]);
    expect(found.refused).toMatch(told);
    expect(found.advice).toContain(found.refused);
  },
);

it('A deployment over a stage that can take it is refused by nothing, and a first one only with a guard', async () => {
  expect(await both(stage(), 10)).toMatchObject({ missing: [], refused: null });
  expect(await both(null)).toMatchObject({ missing: [], refused: null });
  expect(await both(null, 10)).toMatchObject({
    missing: ['Alarms'],
    refused: expect.stringContaining('deploy without it'),
  });
});

it('A deployment whose stage may not be looked at lacks a right, which the check names', async () => {
  const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
  const [, look] = requirementLooks(requirementsOf(SETTINGS, null), async () =>
    stage({ models: () => Promise.reject(denied) }),
  );
  if (look === undefined) throw new Error('no look');

  expect(await takeLook(look, false)).toMatchObject({
    state: 'missing',
    advice: 'Allow dynamodb:Query to whoever runs this.',
  });
});
