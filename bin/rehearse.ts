import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type Config, loadConfig } from '#infra/config.ts';
import { functionName } from '#infra/names.ts';
import { runCommand } from '#local/child.ts';
import {
  buildKey,
  type DeploymentOptions,
  destroy,
  isBuilt,
  readOutputs,
  requireOutput,
  type StackOutputs,
} from '#local/deployment.ts';
import { localDirectory, repositoryRoot, typescriptLoader } from '#local/paths.ts';
import { createProgress } from '#local/progress.ts';
import { envNames } from '#shared/platform/runtime/env-names.ts';
import { connectAccount } from './deploy/account.ts';
import { awsVariables, regionOfProfile } from './deploy/aws-environment.ts';
import { forgetAddress, readRehearsalArguments, refuseRehearsal } from './rehearse/arguments.ts';
import { copyTable, holdings, removeDataset, untilRestorable } from './rehearse/holdings.ts';
import { type Place, placeOnAws, placeOnEmulator } from './rehearse/place.ts';
import {
  adapted,
  adaptRows,
  type Caller,
  findEmpty,
  refusedStart,
  releaseOf,
  startAdapting,
  streamAnswer,
  train,
} from './rehearse/service.ts';
import {
  isSuccess,
  note,
  type Outcome,
  passed,
  renderResults,
  runSteps,
  type Step,
} from './rehearse/steps.ts';
import { raiseAlarm } from './rehearse/watch-alarm.ts';

/**
 * `npm run rehearse -- --stage NAME`: an end-to-end rehearsal of a stage: deploys it, adapts and evaluates a hundred
 * rows, trains a model, streams a response, raises an alarm, deletes the stage and deploys it again. Prints the
 * duration and result of each step, and leaves nothing of the stage behind.
 */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const STACKS = ['operations', 'api', 'pipelines', 'data'];
const LOOK_MS = 20_000;
const CREDITS = 10_000;
const OUTPUTS = join(repositoryRoot, 'cdk.out', 'outputs.json');
/** What an upgrade changes: a rehearsal has one release, of which functions can tell. */
const OTHER_SETTINGS = { EVALUATION_SAMPLE_ROWS: '50' } as const;

const given = readRehearsalArguments(process.argv.slice(2));
const { stage } = given;
/** The stage of the restoration. */
const second = `${stage.slice(0, 11)}2`;
const isEmulated = stage.startsWith('local');
forgetAddress(process.env);
const progress = createProgress();
const stateDir = join(localDirectory, `rehearse-${stage}`);

async function choosePlace(): Promise<Place> {
  if (isEmulated) return placeOnEmulator(stage, stateDir, progress);
  Object.assign(process.env, await awsVariables(given.profile, process.env, regionOfProfile));
  return placeOnAws();
}

/** Runs the steps of a stage's rehearsal. */
class Rehearsal {
  private readonly place: Place;
  private readonly config: Config;
  private readonly deployment: DeploymentOptions;
  /** What a restoration goes into. */
  private readonly second: DeploymentOptions;
  private outputs: StackOutputs = {};
  private caller: Caller = { apiUrl: '', apiKey: '' };

  constructor(place: Place, config: Config) {
    this.place = place;
    this.config = config;
    this.deployment = { stage, stateDir, environment: place.environment };
    this.second = { ...this.deployment, stage: second };
  }

  steps(): Step[] {
    const again = [
      this.destroyStep('Destroy', ['Deploy']),
      this.deployStep('Deploy again', ['Destroy']),
      this.step(
        'Empty again',
        ['Deploy again'],
        5,
        'Something outlived its stack: see docs/adr/0007.',
        async () => {
          await this.makeKey();
          return findEmpty(this.caller);
        },
      ),
    ];
    // Also after a failed step.
    const last = given.keep ? [] : [this.destroyStep('Destroy again', [])];
    return [this.deployStep('Deploy', []), ...this.serviceSteps(), ...again, ...last];
  }

  private serviceSteps(): Step[] {
    const log = `npm run admin, and the logs of the run by its id (docs/operations/watch.md#follow-a-run-by-its-id)`;
    return [
      this.step('Key', ['Deploy'], 5, 'See that the credentials may write to the table.', async () => {
        await this.makeKey();
        return passed(`of a new team with ${CREDITS} credits`);
      }),
      this.step(
        'Adapt 100 rows',
        ['Key'],
        60,
        `npm run deploy -- --check asks the models; ${log}`,
        (detail) => adaptRows(this.caller, stateDir, detail),
      ),
      this.step(
        'Train',
        ['Key'],
        7 * 60,
        'docs/operations/configure.md#training-on-gpus says where its logs are.',
        (detail) => this.train(detail),
      ),
      this.step(
        'Upgrade over a run',
        ['Adapt 100 rows'],
        60,
        'docs/operations/upgrade.md#deploy-a-new-version',
        (detail) => this.upgrade(detail),
      ),
      this.step(
        'Drain and roll back',
        ['Upgrade over a run'],
        60,
        'docs/operations/upgrade.md#go-back',
        (detail) => this.rollBack(detail),
      ),
      this.step('Restore', ['Adapt 100 rows'], 60, 'docs/operations/restore.md', (detail) =>
        this.restore(detail),
      ),
      this.step(
        'Stream an answer',
        ['Key'],
        15,
        'npm run deploy -- --check asks the model of the role respond as a stream; docs/operations/repair.md#answers-failed',
        () => streamAnswer(this.caller),
      ),
      this.step('Raise an alarm', ['Deploy'], 5, 'See the policy of the topic of the stack operations.', () =>
        raiseAlarm(`tunesmith-${stage}-dead-letters`, this.place.isEmulator, {}),
      ),
    ];
  }

  private step(
    name: string,
    needs: readonly string[],
    minutesMax: number,
    advice: string,
    run: Step['run'],
  ): Step {
    return { name, needs, minutesMax, advice, run };
  }

  private deployStep(name: string, needs: readonly string[]): Step {
    return this.step(
      name,
      needs,
      60,
      'npm run deploy -- --check says what the account lacks; the console of CloudFormation has the events.',
      async () => {
        await this.deployCommand({});
        this.outputs = readOutputs(OUTPUTS);
        return passed(requireOutput(this.outputs, 'ApiUrl'));
      },
    );
  }

  /** `npm run deploy`, with other settings than the stage has. */
  private async deployCommand(
    settings: Readonly<Record<string, string>>,
    { of = stage, args = [] }: { readonly of?: string; readonly args?: readonly string[] } = {},
  ): Promise<string> {
    return runCommand(
      process.execPath,
      [
        ...['--import', typescriptLoader, 'bin/deploy.ts', '-c', `stage=${of}`],
        ...['--require-approval', 'never', ...args],
      ],
      {
        what: 'npm run deploy',
        directory: repositoryRoot,
        environment: { ...this.place.environment, ...settings },
      },
    );
  }

  /** Upgrades the stage while rows are adapted: the run goes on with the functions of the new release. */
  private async upgrade(detail: (text: string) => void): Promise<Outcome> {
    const id = await startAdapting(this.caller, stateDir);
    await this.deployCommand(OTHER_SETTINGS);
    const { result } = await adapted(this.caller, id, detail);
    await this.requireSample(OTHER_SETTINGS.EVALUATION_SAMPLE_ROWS);
    return passed(`to release ${await releaseOf(this.caller)}; a run went on over it: ${result}`);
  }

  /** Goes back to the first deployment, while rows are adapted: the change waits for them, and nothing new starts. */
  private async rollBack(detail: (text: string) => void): Promise<Outcome> {
    const id = await startAdapting(this.caller, stateDir);
    const rollback = this.deployCommand({}, { args: ['--rollback', '--drain'] });
    const [refusal] = await Promise.all([refusedStart(this.caller, id), rollback]);
    const { result } = await adapted(this.caller, id, detail);
    await this.requireSample('100');
    await adapted(this.caller, await startAdapting(this.caller, stateDir), detail);
    return passed(`back, after a run had ended (${result}); new ones were told ${refusal}, and start again`);
  }

  /**
   * Restores the stage as it was before a dataset was deleted, into a second stage, and finds the dataset, its rows and the
   * team's credits there.
   */
  private async restore(detail: (text: string) => void): Promise<Outcome> {
    const source = requireOutput(this.outputs, 'TableName');
    const id = await startAdapting(this.caller, stateDir);
    await adapted(this.caller, id, detail);
    const before = await holdings(this.caller, id);
    // S3 tells whole seconds.
    await sleep(2000);
    const moment = new Date();
    const copy = this.place.isEmulator ? `${source}-copy` : null;
    // An emulator restores a table as it is, so here it is copied at the moment.
    if (copy !== null) await copyTable(source, copy);
    await sleep(2000);
    await removeDataset(this.caller, id);
    await this.deployCommand({}, { of: second });
    if (copy === null) await untilRestorable(source, moment, detail);
    const started = performance.now();
    await runCommand(
      process.execPath,
      [
        ...['--import', typescriptLoader, 'bin/restore.ts', '--from', stage, '--into', second],
        ...['--to', moment.toISOString(), ...(copy === null ? [] : ['--table', copy])],
      ],
      { what: 'npm run restore', directory: repositoryRoot, environment: this.place.environment },
    );
    const seconds = (performance.now() - started) / 1000;
    const restored = { ...this.caller, apiUrl: requireOutput(readOutputs(OUTPUTS), 'ApiUrl') };
    const after = await holdings(restored, id);
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      throw new Error(
        `It had ${JSON.stringify(before)}, and after the restoration ${JSON.stringify(after)}.`,
      );
    }
    return passed(
      `${after.rows} rows of a deleted dataset and ${after.credits} credits are back, after ${seconds.toFixed(0)} s`,
    );
  }

  /** @throws {Error} if the functions have another setting of the rows that an evaluation samples */
  private async requireSample(rows: string): Promise<void> {
    const { Environment } = await new LambdaClient().send(
      new GetFunctionConfigurationCommand({ FunctionName: functionName(stage, 'api/me/get') }),
    );
    const found = Environment?.Variables?.[envNames.evaluationSampleRows];
    if (found !== rows) throw new Error(`The functions sample ${found} rows for evaluations, not ${rows}.`);
  }

  private destroyStep(name: string, needs: readonly string[]): Step {
    return this.step(
      name,
      needs,
      60,
      `Delete what is left by hand: the console of CloudFormation has the stacks tunesmith-${stage}-* and why they stay. ` +
        'A policy of trainers that is attached to a machine is detached first (docs/operations/install.md#delete-a-stage).',
      async () => {
        if ((await deployedStacks(second)).length > 0) await destroy(this.second);
        if ((await deployedStacks(stage)).length === 0) return note('nothing of it was there');
        await destroy(this.deployment);
        const left = [...(await deployedStacks(stage)), ...(await deployedStacks(second))];
        if (left.length > 0) throw new Error(`These stacks are left: ${left.join(', ')}.`);
        return passed('no stack of it is left');
      },
    );
  }

  private async makeKey(): Promise<void> {
    const key = await runCommand(
      process.execPath,
      [
        ...['--import', typescriptLoader, 'bin/admin.ts'],
        ...['key', 'create', '--team', 'rehearsal', '--credits', String(CREDITS)],
      ],
      {
        what: 'Creating a key',
        directory: repositoryRoot,
        environment: {
          ...this.place.environment,
          STAGE: stage,
          TABLE_NAME: requireOutput(this.outputs, 'TableName'),
        },
      },
    );
    this.caller = { apiUrl: requireOutput(this.outputs, 'ApiUrl'), apiKey: key.trim() };
  }

  private async train(detail: (text: string) => void): Promise<Outcome> {
    const { trainers, sagemaker } = this.config;
    if (trainers.includes('gpu') && (sagemaker !== null || given.ownGpu)) {
      return train(this.caller, stateDir, 'gpu', detail);
    }
    if (!trainers.includes('embedded') || this.place.startTrainer === null) {
      return note(
        'not rehearsed: SAGEMAKER_INSTANCE_TYPE is not set; where a machine of yours takes jobs, say --own-gpu',
      );
    }
    const trainer = await this.place.startTrainer(this.outputs);
    try {
      return await train(this.caller, stateDir, 'embedded', detail);
    } finally {
      await trainer.stop();
    }
  }
}

/** The existing stacks of the stage. */
async function deployedStacks(of: string): Promise<string[]> {
  const account = connectAccount();
  const names = STACKS.map((part) => `tunesmith-${of}-${part}`);
  const found = await Promise.all(names.map((name) => account.stack(name, AbortSignal.timeout(LOOK_MS))));
  return names.filter((_name, index) => found[index] !== null);
}

async function rehearse(place: Place): Promise<boolean> {
  // The clients of this process use the same AWS as the stage's deployments, and no other.
  for (const name of Object.keys(process.env)) if (!(name in place.environment)) delete process.env[name];
  Object.assign(process.env, place.environment);
  const config = loadConfig((name) => (name === 'stage' ? stage : undefined), place.environment);
  const refusal = refuseRehearsal(
    {
      name: stage,
      isRetained: config.retain,
      isDeployed: (await deployedStacks(stage)).length > 0,
      isEmulated,
      endpoint: process.env.AWS_ENDPOINT_URL,
    },
    given,
  );
  if (refusal !== null) throw new Error(refusal);
  progress.note(`The stage "${stage}" on ${place.description}`);
  if (!isBuilt(buildKey())) {
    await progress.step('Build', () =>
      runCommand('npm', ['run', '--silent', 'build'], {
        what: 'The build',
        environment: place.environment,
        directory: repositoryRoot,
      }),
    );
  }
  await progress.step('Prepare', place.prepare);
  const started = performance.now();
  const rehearsal = new Rehearsal(place, config);
  const results = await runSteps(rehearsal.steps(), progress);
  console.log(`\n${renderResults(results)}\n`);
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  const isDone = isSuccess(results);
  console.log(`${isDone ? 'Everything passed' : 'Not everything passed'}, in ${minutes} minutes.`);
  const left = await deployedStacks(stage);
  if (left.length > 0) {
    console.log(
      `The stage is there: ${left.join(', ')}.${place.isEmulator ? '' : ' It costs money at rest.'}`,
    );
  }
  return isDone;
}

let status = 1;
try {
  const place = await choosePlace();
  try {
    status = (await rehearse(place)) ? 0 : 1;
  } finally {
    await place.stop();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
process.exit(status);
