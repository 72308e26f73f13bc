import type { Config } from '#infra/config.ts';
import type { Look } from './account-checks.ts';
import { requireEndable } from './deployed-models.ts';
import { requireQuiet } from './guard.ts';
import { PRESENT, requireReadable } from './releases.ts';
import type { DeployedStage } from './stage.ts';

/** What a deployment asks of the stage that it changes. */
export interface Requirement {
  /** In the table of `--check`. */
  readonly name: string;
  readonly permissions: readonly string[];
  /**
   * @param stage what is deployed; null before the first deployment
   * @returns what is found
   * @throws {Refusal} if a deployment would be refused
   */
  require(stage: DeployedStage | null): Promise<string>;
}

/** Why a deployment is refused, with what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

const FIRST = 'nothing is deployed yet';

/** What a rule finds, or its words as a refusal. Other errors, such as those of AWS, come before the rule. */
function ruled(found: string, rule: () => void): string {
  try {
    rule();
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
  return found;
}

/**
 * For what a deployment of this release is refused by what is deployed, in order: `npm run deploy` stops at the first, and `--check`
 * tells all.
 */
export function requirementsOf(
  { stage, trainedModels }: Pick<Config, 'stage' | 'trainedModels'>,
  guardMinutes: number | null,
): Requirement[] {
  return [
    {
      name: 'Data format',
      permissions: ['cloudformation:DescribeStacks'],
      require: async (deployed) =>
        deployed === null
          ? FIRST
          : ruled(`${deployed.dataFormat ?? 1}, which this release reads`, () =>
              requireReadable(deployed.dataFormat, PRESENT),
            ),
    },
    {
      name: 'Deployed models',
      permissions: ['dynamodb:Query'],
      require: async (deployed) => {
        if (deployed === null) return FIRST;
        const models = await deployed.models();
        return ruled(`${models.length}, which the settings can end`, () =>
          requireEndable(stage, models, trainedModels?.platforms ?? []),
        );
      },
    },
    ...(guardMinutes === null ? [] : [guardRequirement]),
  ];
}

const guardRequirement: Requirement = {
  name: 'Alarms',
  permissions: ['cloudwatch:DescribeAlarms'],
  require: async (deployed) => {
    if (deployed === null) {
      throw new Refusal(
        '--guard watches alarms of the stage, and a first deployment has none: deploy without it.',
      );
    }
    const alarmsOn = await deployed.alarmsOn();
    return ruled('those that take a change back are off', () => requireQuiet(alarmsOn));
  },
};

/** The requirements as checks. @param find the deployed stage; asked once for all of them */
export const requirementLooks = (
  requirements: readonly Requirement[],
  find: () => Promise<DeployedStage | null>,
): Look[] =>
  requirements.map(({ name, permissions, require }) => ({
    name,
    permissions,
    seconds: LOOK_SECONDS,
    look: async () => {
      try {
        return { state: 'ok', found: await require(await find()) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { state: 'missing', found: 'npm run deploy refuses this change', advice: error.message };
      }
    },
  }));

const LOOK_SECONDS = 30;
