import { contracts } from '#shared/service/contracts/index.ts';

/** Endpoints for which version 0.16.0 of the public client has a method. `test/clients/package.cloud.test.ts` compares. */
const COVERED: ReadonlySet<string> = new Set([
  'autoscientist.cancel',
  'autoscientist.create',
  'autoscientist.download',
  'autoscientist.get',
  'autoscientist.list',
  'autoscientist.models',
  'autoscientist.recommend-hyperparams',
  'datasets.adapt',
  'datasets.augment',
  'datasets.best-launch-config',
  'datasets.combine.create',
  'datasets.combine.validate',
  'datasets.create',
  'datasets.custom-evals.create',
  'datasets.custom-evals.get',
  'datasets.custom-evals.list',
  'datasets.delete',
  'datasets.download',
  'datasets.evaluation',
  'datasets.export-links',
  'datasets.extend-trajectories',
  'datasets.get',
  'datasets.invent.create',
  'datasets.invent.domains',
  'datasets.list',
  'datasets.localize',
  'datasets.publish',
  'datasets.run',
  'datasets.status',
  'datasets.translate',
  'datasets.uploads.complete',
  'datasets.uploads.complete-batch',
  'datasets.uploads.complete-by-id',
  'datasets.uploads.initiate',
  'datasets.uploads.initiate-batch',
  'models.list',
  'responses.create',
  'responses.delete',
  'responses.get',
  'responses.input-items',
  'tools.list',
  'training-models.list',
]);

/** The page on clients with its table of the endpoints that the public client does not cover. */
export function clientsPage(page: string): string {
  const rows = contracts
    .filter(({ id, path }) => path.startsWith('/api/v1/') && !COVERED.has(id))
    // The order of a module's exports depends on the loader.
    .sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1))
    .map(({ method, path, summary }) => `| \`${method} ${path}\` | ${summary} |`);
  const table = /(\| Route \| What it does \|\n\| --- \| --- \|\n)(?:\|.*\n)+/;
  if (!table.test(page)) throw new Error('docs/clients.md has no table of routes.');
  return page.replace(table, (_, head: string) => `${head}${rows.join('\n')}\n`);
}
