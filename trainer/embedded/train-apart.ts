import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typescriptLoader } from '#local/paths.ts';
import type { TrainerMessage, TrainingJob } from '#shared/training/schema/training-job.ts';
import type { Training, TrainingEnd } from './attempt.ts';
import type { TrainingProgress } from './run-job.ts';
import { TrainingNews, type TrainingOrder } from './training-messages.ts';

/** Trains the job of a message in a process of its own, so that this one stays free and all memory is given back in the end. */
export function trainApart(job: TrainingJob, asked: TrainerMessage): Training {
  const directory = dirname(fileURLToPath(import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'tunesmith-training-'));
  const child = fork(join(directory, 'training-process.ts'), {
    execArgv: ['--import', typescriptLoader],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let progress: TrainingProgress = { phase: 'starting' };
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  }).finally(() => rmSync(folder, { recursive: true, force: true }));
  const ended = new Promise<TrainingEnd>((resolve) => {
    child.on('message', (message) => {
      const news = TrainingNews.parse(message);
      if (news.kind === 'progress') progress = withoutUndefined(news.progress);
      else if (news.kind === 'reported') resolve({ outcome: 'reported', reportKey: news.report_key });
      else resolve({ outcome: news.kind, cause: news.cause });
    });
    const lost = () =>
      resolve({ outcome: 'failed', cause: 'The process that trains has ended before it was done.' });
    // Comes after all of its messages; the exit event may come before.
    child.once('disconnect', lost);
    child.once('error', lost);
  });
  child.send({ asked, job, folder } satisfies TrainingOrder);
  return {
    progress: () => progress,
    ended,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function withoutUndefined(news: Extract<TrainingNews, { kind: 'progress' }>['progress']): TrainingProgress {
  const { phase, method, step, steps } = news;
  return {
    phase,
    ...(method === undefined ? {} : { method }),
    ...(step === undefined ? {} : { step }),
    ...(steps === undefined ? {} : { steps }),
  };
}
