import { mkdir } from 'node:fs/promises';
import { setUpModels } from '#local/model/setup.ts';
import { localDirectory } from '#local/paths.ts';
import { createProgress, silentProgress } from '#local/progress.ts';
import { bytecodeEnvironment, ensurePython } from '#local/python.ts';
import { ensureTrainedCheckpoint, ensureTrainerEnvironment } from '#local/trainer-environment.ts';
import { trainerModelIds } from '#trainer/embedded/models.ts';
import { ALL_REPETITIONS, createStages, type Tally, UNIT_PROJECTS } from './test-stages.ts';

/**
 * `npm test`: installs what the tests need besides the npm packages, checks the code, builds, and runs the unit tests
 * and the main job through the deployed stacks. `--all` runs everything except the long tests, `--long` only those.
 * Arguments after `--` go to vitest, which then runs only these tests, without checks. The last lines name the tests
 * that failed and count those that passed.
 */

/** The main job, by the public client and with faults: it shows first what a change breaks for users. */
const mainJob = ['client', 'client-datasets', 'faults'].map((name) => `test/e2e/${name}.cloud.test.ts`);

const modes = ['--all', '--long'];
const isAll = process.argv.includes('--all');
const isLong = process.argv.includes('--long');
const forwarded = process.argv.slice(2).filter((argument) => !modes.includes(argument));
if (isAll) process.env[ALL_REPETITIONS] = '1';
const { command, vitest, trainerTests } = createStages();

Object.assign(process.env, bytecodeEnvironment);
await mkdir(localDirectory, { recursive: true });
const tallies = await (forwarded.length > 0 || isLong ? runSome() : runStages()).catch(endWithError);
const sum = (of: 'passed' | 'failed' | 'skipped') => tallies.reduce((total, tally) => total + tally[of], 0);
const failures = tallies.flatMap((tally) => tally.failures);
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') > 0 ? 1 : 0;

async function runSome(): Promise<Tally[]> {
  await ensurePython(['emulator', 'test'], createProgress());
  if (forwarded.length === 0) {
    await requireDone(command('Format, lint, types, dead code', 'npm', ['run', '--silent', 'check']));
  }
  await requireDone(command('Build', 'npm', ['run', '--silent', 'build']));
  const projects = isLong ? ['long'] : [...UNIT_PROJECTS, 'model', 'cloud'];
  return [await vitest('Tests', projects, forwarded)];
}

async function runStages(): Promise<Tally[]> {
  const python = ensurePython(['emulator', 'test'], createProgress());
  // Told where it is awaited, after the build.
  python.catch(() => undefined);
  // Mostly downloads: in parallel with everything until the tests that need them.
  const models = isAll ? python.then(() => setUpModels(trainerModelIds, createProgress())) : undefined;
  const trainer = models?.then(installTrainer);
  trainer?.catch(() => undefined);
  // It says at once what it found. The tests do not wait for it: they need only the build.
  const check = command('Format, lint, types, dead code', 'npm', ['run', '--silent', 'check'], 'beside');
  // Without the document and the permissions, which the check compares with the committed ones.
  await requireDone(command('Build', 'npm', ['exec', '--', 'tsx', 'bin/build.ts']));
  await python;
  // The tests of the deployed stacks wait as much as they compute. The unit tests fill the gaps; they use all cores, so
  // they are what may be left in the end. The trainer's tests use one core: they have the priority of the deployed ones.
  const beside = async (): Promise<Tally[]> => {
    const projects = UNIT_PROJECTS.filter((name) => isAll || name !== 'exhaustive');
    const unit = () => vitest('Unit tests', projects, [], 'background');
    if (trainer === undefined) return [await unit()];
    // If this fails, the set-up of the tests fails with the same error.
    await models?.catch(() => undefined);
    const model = await vitest('Model tests', ['model'], [], 'beside');
    const trained = trainer.then(() => trainerTests('Trainer tests'), failedInstallation);
    return [model, ...(await Promise.all([unit(), trained]))];
  };
  const [cloud, rest, checked] = await Promise.all([
    vitest('Cloud tests', ['cloud'], isAll ? [] : mainJob),
    beside(),
    check,
  ]);
  return [cloud, ...rest, ...(checked.isDone ? [] : [failedStage(checked.title)])];
}

async function installTrainer(): Promise<void> {
  const python = await ensureTrainerEnvironment(createProgress());
  await ensureTrainedCheckpoint(python, silentProgress);
}

function failedInstallation(error: unknown): Tally {
  const message = error instanceof Error ? error.message : String(error);
  console.log(`\n— Trainer tests\n${message}`);
  return failedStage(`Trainer tests: ${message.slice(0, 400)}`);
}

const failedStage = (failure: string): Tally => ({ passed: 0, failed: 1, skipped: 0, failures: [failure] });

/** Ends the run if a step, which everything else needs, has failed. */
async function requireDone(step: Promise<{ title: string; isDone: boolean }>): Promise<void> {
  const { title, isDone } = await step;
  if (!isDone) endWithError(new Error(`${title} failed.`));
}

function endWithError(error: unknown): never {
  console.log(`\n${error instanceof Error ? error.message : error}`);
  console.log('0 passed, 1 failed, 0 skipped');
  process.exit(1);
}
