import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tar from 'tar';
import { expect } from 'vitest';
import { THINGS } from '#lab/effect/comparison-rows.ts';
import { adaptersDirectory, localDirectory } from '#local/paths.ts';
import { silentProgress } from '#local/progress.ts';
import { serveTraining } from '#local/serve-training.ts';
import { type LocalCloud, startLocalCloud } from '#local/up.ts';
import type { TrainingRun } from '#shared/training/schema/training.ts';
import { runPython } from '#test/helpers/run-python.ts';

export const trainedModel = 'HuggingFaceTB/SmolLM2-135M-Instruct';

const things = THINGS.slice(0, 53).map(({ name, does }) => ({
  question: `What does ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name} do?`,
  plain: `It ${does}.`,
  salty: `Ahoy! It ${does}, me hearty.`,
}));

/** Questions with an answer in a style that the base does not have, and a plain one: trained on or held out. */
export const styledRows = things
  .slice(0, 48)
  .map(({ question, salty, plain }) => ({ question, salty, plain }));

/** Five questions that no training has seen. */
export const unseen = things.slice(48).map(({ question }) => question);

const STYLE = /ahoy|hearty/i;
export const isInStyle = (text: string): boolean => STYLE.test(text);

/** A local cloud of its own with the real model, on which trainings run in the trainer of this machine. */
export interface TrainingCloud extends AsyncDisposable {
  readonly cloud: LocalCloud;
  readonly stateDir: string;
  /** Trains through the public client; answers how it ended, and the files of the artifact that it downloaded. */
  train(name: string, task: object): Promise<{ run: TrainingRun; files: Map<string, string> }>;
  /** Serves the model of a training beside its base. */
  serve(run: TrainingRun): ReturnType<typeof serveTraining>;
}

export async function startTrainingCloud(name: string): Promise<TrainingCloud> {
  const stateDir = join(localDirectory, name);
  const folder = mkdtempSync(join(tmpdir(), 'tunesmith-trained-'));
  const cloud = await startLocalCloud({
    model: 'real',
    localModel: 'smollm2-135m',
    emulatorPort: 0,
    modelPort: 0,
    stateDir,
    fresh: true,
    skipBuild: true,
    quiet: true,
    waitScale: 0.1,
  });
  return {
    cloud,
    stateDir,
    async train(name, task) {
      const artifact = join(folder, `${name}.tar.gz`);
      const { code, output } = await runPython(['test/e2e/train_model.py'], {
        ...cloud.environment,
        E2E_TASK: JSON.stringify({ rows: styledRows, artifact, ...task }),
      });
      expect(code, output).toBe(0);
      const run = JSON.parse(output.trim().split('\n').at(-1) ?? '') as TrainingRun;
      expect(run.error).toBeNull();
      return { run, files: filesOf(artifact) };
    },
    serve: (run) =>
      serveTraining(run.id, cloud.environment, {
        adaptersDirectory: adaptersDirectory(stateDir),
        progress: silentProgress,
      }),
    async [Symbol.asyncDispose]() {
      await cloud.stop();
      rmSync(folder, { recursive: true });
      rmSync(adaptersDirectory(stateDir), { recursive: true, force: true });
    },
  };
}

function filesOf(archive: string): Map<string, string> {
  const files = new Map<string, string>();
  tar.list({
    file: archive,
    sync: true,
    onReadEntry: (entry) => {
      const chunks: Buffer[] = [];
      entry.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
      entry.on('end', () => files.set(entry.path, Buffer.concat(chunks).toString('latin1')));
    },
  });
  return files;
}

async function ask(baseUrl: string, modelId: string, question: string): Promise<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: modelId,
      temperature: 0,
      max_tokens: 32,
      messages: [{ role: 'user', content: question }],
    }),
  });
  const body = (await response.json()) as { choices: [{ message: { content: string } }] };
  return body.choices[0].message.content;
}

/** How many of the unseen questions a model answers in the style that it was trained in. */
export async function answersInStyle(baseUrl: string, modelId: string): Promise<number> {
  let count = 0;
  for (const question of unseen) {
    if (isInStyle(await ask(baseUrl, modelId, question))) count += 1;
  }
  return count;
}
