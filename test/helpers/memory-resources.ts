import { setTimeout as sleep } from 'node:timers/promises';
import { theEventBus } from '#shared/events/wire.ts';
import type { RowsOf } from '#shared/exports/index-rows.ts';
import { createReadColumns } from '#shared/ingest/read-columns.ts';
import { COLUMN_READER, theColumnReader } from '#shared/ingest/wire.ts';
import { theCatalog, theEndpoints, theUploads } from '#shared/mcp/wire.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { createLeftOutParts } from '#shared/models/measure-models.ts';
import { theClock } from '#shared/models/wire.ts';
import type { ModelEndpoint } from '#shared/models/wire-providers.ts';
import { theLeftOutParts, theSearch } from '#shared/models/wire-providers.ts';
import { createEnv } from '#shared/platform/runtime/env.ts';
import { createUse, type Need, type Resource, type Use } from '#shared/platform/runtime/need.ts';
import { theConnections, theIds, theRandom, theSecrets, theTable } from '#shared/platform/wire.ts';
import { theObjects } from '#shared/platform/wire-bucket.ts';
import { theFunctions, theInvokers } from '#shared/platform/wire-functions.ts';
import { unpackArchive } from '#shared/publishing/adapters/unpack-archive.ts';
import { theArchives } from '#shared/publishing/wire.ts';
import { theAnsweringModels } from '#shared/responses/wire.ts';
import { theDatasetSearch, theLinkCheck, theToolServers } from '#shared/responses/wire-responder.ts';
import { theExecutions } from '#shared/runs/wire.ts';
import { theConsoleFiles, theOpenApiDocument } from '#shared/service/wire.ts';
import { readColumns } from '#shared/tabular/adapters/read-columns.ts';
import { theImages } from '#shared/tabular/wire.ts';
import { thePost, theUrlCheck } from '#shared/webhooks/wire.ts';
import { theSandbox } from '#shared/witnesses/wire.ts';
import { indexRows } from '#test/helpers/operations.ts';
import { grantedObjects } from './granted-objects.ts';
import { catalogOfTests } from './mcp-catalog.ts';
import { createMemoryExecutions } from './memory-executions.ts';
import { createMemoryObjects } from './memory-objects.ts';
import { createMemoryTable } from './memory-table.ts';
import { createScriptedAnswerer, saying } from './scripted-answerer.ts';

/** The model that embeds, as an installation of the tests has it. */
export const EMBEDDING_MODEL = 'scripted-embedder';

/** What an installation of the tests is told. */
const SETTINGS = {
  BUCKET_ORIGIN: 'https://bucket.example',
  EGRESS_ALLOW: 'hub.internal:8080',
  GOOGLE_SHEETS_BASE_URL: 'https://docs.google.com',
  HOSTED_MODELS: JSON.stringify([{ id: 'scripted', input_credits: 0.001, output_credits: 0.002 }]),
  HUGGINGFACE_BASE_URL: 'https://huggingface.co',
  KAGGLE_BASE_URL: 'https://www.kaggle.com',
  MODEL_ID_ANSWER: 'scripted',
  MODEL_ID_EMBED: EMBEDDING_MODEL,
  MODEL_ID_JUDGE: 'scripted-judge',
  MODEL_SEES_IMAGES: 'true',
  STAGE: 'dev',
  TRAINERS: 'gpu',
  UPLOAD_BYTES_MAX: '1000000',
};

/** What stands in for a resource in a test. */
export type StandIn = readonly [resource: Resource<never>, value: unknown];

export const standIn = <T>(resource: Resource<T>, value: T): StandIn => [resource as Resource<never>, value];

/**
 * The resources in memory, on which the wiring of production runs. One without a stand-in fails the test that needs it.
 * @param now the time of the table and of clocks, in milliseconds since the epoch
 * @param given what a test has in place of the stand-ins below
 */
export function createMemoryResources(now: () => number = Date.now, given: readonly StandIn[] = []) {
  const table = createMemoryTable(now);
  const objects = createMemoryObjects();
  const executions = createMemoryExecutions();
  /** Payloads by function, in the order in which they were handed over. */
  const invoked: { functionId: string; payload: unknown }[] = [];
  const columnsOf = createReadColumns({ objects, readColumns });
  const random = Math.random;

  const standIns = new Map<Resource<never>, unknown>([
    standIn(theTable, table),
    standIn(theObjects, objects),
    standIn(theExecutions, executions),
    standIn(theClock, {
      now,
      sleep: async (milliseconds, signal) =>
        void (await sleep(milliseconds, undefined, signal && { signal })),
    }),
    standIn(theRandom, random),
    standIn(theIds, () => crypto.randomUUID()),
    standIn(theSecrets, (name) => async () => `${name} of the tests`),
    standIn(theConnections, async () => null),
    standIn(theInvokers, (functionId) => ({
      start: async (payload) => {
        invoked.push({ functionId, payload });
        // Callers wait for the index, and for nothing else that they set off.
        if (functionId === 'tasks/exports/index-rows') await resources.use(indexRows)(payload as RowsOf);
      },
    })),
    standIn(theFunctions, async (functionId) => {
      if (functionId !== 'tasks/topics/infer-topics') throw new Error(`${functionId} has no stand-in.`);
      return { problem: 'unavailable' };
    }),
    standIn(theColumnReader, (files) => {
      invoked.push({ functionId: COLUMN_READER, payload: { files } });
      return columnsOf(files);
    }),
    standIn(theEventBus, async () => {}),
    standIn(theSearch, null),
    standIn(theImages, async () => null),
    standIn(theLeftOutParts, createLeftOutParts()),
    standIn(theAnsweringModels, async () => ({
      answering: () => createScriptedAnswerer([saying('Hello.')]),
      imported: () => createScriptedAnswerer([saying('Hello from an imported model.')]),
      onEndpoint: () => createScriptedAnswerer([saying('Hello from an endpoint.')]),
      served: { find: async () => null, list: async () => ({ ids: [], failure: null }) },
    })),
    standIn(theToolServers, { list: unscripted, call: unscripted, leave: unscripted }),
    standIn(theDatasetSearch, { search: async () => [], requireSearchable: async () => {} }),
    standIn(theArchives, unpackArchive),
    standIn(theConsoleFiles, async () => ''),
    standIn(theOpenApiDocument, async () => '{"openapi":"3.1.0"}'),
    standIn(theLinkCheck, async () => {}),
    standIn(theCatalog, catalogOfTests),
    standIn(theEndpoints, uncalled),
    standIn(theUploads, uncalled),
    standIn(theUrlCheck, async () => {}),
    standIn(theSandbox, { run: unsandboxed, close: async () => {} }),
    standIn(thePost, async () => ({ status: 200, retryAfterSeconds: null })),
    ...given,
  ]);

  const connect = <T>(wanted: Resource<T>): T => {
    const resource = wanted as Resource<never>;
    if (standIns.has(resource)) return standIns.get(resource) as T;
    throw new Error(`Nothing stands in for ${wanted.name}: give a stand-in to createWorld.`);
  };
  const grant = ({ uses: { bucket = {} } }: Need<unknown>, value: unknown): unknown =>
    // Where a need names no prefix, another of its function does.
    value === objects && Object.keys(bucket).length > 0 ? grantedObjects(objects, bucket) : value;
  /** The same resources under other settings than those above. */
  const installed = (settings: Readonly<Record<string, string>>): Use =>
    createUse(createEnv({ ...SETTINGS, ...settings }), connect, grant);
  const resources = { table, objects, executions, invoked, installed, use: installed({}) };
  return resources;
}

/** An endpoint with one model, whatever it is called. */
export const endpointOf = (model: ModelClient) => async (): Promise<ModelEndpoint> => ({
  model: () => model,
  embeddings: () => {
    throw new Error('The endpoint of this test embeds nothing.');
  },
});

async function unsandboxed(): Promise<never> {
  throw new Error('No code runs in this test: give it a sandbox.');
}

async function uncalled(): Promise<never> {
  throw new Error('The MCP server of this test calls nothing: see test/helpers/mcp.ts.');
}

async function unscripted(): Promise<never> {
  throw new Error('No tool server is scripted.');
}
