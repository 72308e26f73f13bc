import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { theConnections } from '#shared/platform/wire.ts';
import { createHuggingFace } from '#shared/publishing/adapters/hugging-face.ts';
import { createPublicationRepository } from '#shared/publishing/store/publications.ts';
import { theHuggingFace, theKaggle } from '#shared/publishing/wire.ts';
import { shownTraining } from '#shared/training/decide/record.ts';
import { publish, startModelPublication } from '#test/helpers/operations.ts';
import { createHubRepositories, HUB_TOKEN } from './hub-repositories.ts';
import { standIn } from './memory-resources.ts';
import { seedModel } from './published-model.ts';
import { seedTeam } from './records.ts';
import { createWorld } from './world.ts';

/**
 * Publishes artifacts of trainers, as the service does, to a stand-in for the hub, which stays until the input ends. Arguments: for
 * each the path of its archive and the id of its base model. Prints a line of JSON with the hub’s address and the repositories.
 */
const hub = createHubRepositories();
const server = createServer(async (request, response) => {
  const isKnown = await hub.handle(request, response, new URL(request.url ?? '/', 'http://hub'));
  if (!isKnown) response.writeHead(404, { 'x-error-code': 'RepoNotFound' }).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
const world = createWorld(Date.now, [
  standIn(theConnections, async () => HUB_TOKEN),
  standIn(theHuggingFace, createHuggingFace({ hubUrl: `http://${host}`, allowed: [host] })),
  standIn(theKaggle, () => Promise.reject(new Error('Models go to Hugging Face alone.'))),
]);
const owner = await seedTeam(world.store, 0);

async function publishModel(path: string, model: string): Promise<string> {
  const { dataset, training } = await seedModel(world, owner, await readFile(path), { model });
  const { experiment_id } = training;
  const current = await world.store.trainings.find(owner.team_id, experiment_id);
  const asked = { target: 'huggingface', target_spec: { repo_name: experiment_id } } as const;
  const { publish_id } = await world.use(startModelPublication)(shownTraining(current), asked, Date.now());
  const { dataset_id } = dataset;
  await world.use(publish)({ dataset_id, publish_id });
  const ended = await createPublicationRepository(world.table).find(dataset_id, publish_id);
  if (ended?.status !== 'succeeded') throw new Error(`The publication ${ended?.status}: ${ended?.message}`);
  return ended.repository;
}

const given = process.argv.slice(2);
const repositories: string[] = [];
for (let at = 0; at < given.length; at += 2) {
  repositories.push(await publishModel(given[at] ?? '', given[at + 1] ?? ''));
}
console.log(JSON.stringify({ endpoint: `http://${host}`, token: HUB_TOKEN, repositories }));
process.stdin.resume().on('end', () => process.exit(0));
