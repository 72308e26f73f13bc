import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteRuleCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventBusName, functionName } from '#infra/names.ts';
import type { Event, EventPage } from '#shared/events/schema/event.ts';
import { callFunction } from '#shared/platform/adapters/call-function.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

/** Events on the deployed stacks: the table's stream sets off their publication, and an operator's rule gets them. */
const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const bus = { EventBusName: eventBusName('local') };
const RULE = 'events-of-the-test';

const bridge = new EventBridgeClient({});
const sqs = new SQSClient({});
let queue: { url: string; arn: string };
let api: ApiClient;
let key: string;
let datasetId: string;

const page = async (after = '0'): Promise<EventPage> =>
  (await api.send<EventPage>('GET', `/api/v1/events?after=${after}&limit=200`)).body;

async function untilTold(type: Event['type']): Promise<Event[]> {
  for (const deadline = Date.now() + 60_000; ; await sleep(300)) {
    const { events } = await page();
    if (events.some((event) => event.type === type)) return events;
    if (Date.now() > deadline) throw new Error(`No ${type} came: ${events.map((event) => event.type)}`);
  }
}

beforeAll(async () => {
  await controlScriptedModel(cloud.modelUrl).setScript({ judge: 'fair' });
  key = await admin.createKey('events', '--credits', '10');
  api = createApiClient(cloud.apiUrl, key);
  const { QueueUrl: url = '' } = await sqs.send(new CreateQueueCommand({ QueueName: RULE }));
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
  );
  queue = { url, arn: Attributes?.QueueArn ?? '' };
  await bridge.send(
    new PutRuleCommand({ ...bus, Name: RULE, EventPattern: JSON.stringify({ source: ['tunesmith'] }) }),
  );
  await bridge.send(
    new PutTargetsCommand({ ...bus, Rule: RULE, Targets: [{ Id: 'queue', Arn: queue.arn }] }),
  );
});

afterAll(async () => {
  await bridge.send(new RemoveTargetsCommand({ ...bus, Rule: RULE, Ids: ['queue'] }));
  await bridge.send(new DeleteRuleCommand({ ...bus, Name: RULE }));
  await sqs.send(new DeleteQueueCommand({ QueueUrl: queue.url }));
});

test('a dataset tells of its upload, its run and its evaluation, in order', async () => {
  const lines = Array.from({ length: 60 }, (_, n) => `how do i fix item ${n},go to shop`);
  datasetId = await api.upload('rows.csv', `question,answer\n${lines.join('\n')}\n`);
  await api.untilRead(datasetId);
  await api.adapt(datasetId, { column_mapping: { prompt: 'question', completion: 'answer' } });
  await api.untilEnded(datasetId);
  await untilTold('evaluation.ended');
  const events = await untilTold('run.ended');

  const own = events.filter(({ dataset_id }) => dataset_id === datasetId);
  expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, n) => n + 1));
  const [read, ...others] = own.filter(({ type }) => type !== 'run.progressed');
  expect(read).toMatchObject({ type: 'dataset.read', data: { status: 'succeeded', row_count: 60 } });
  expect(others.map(({ type }) => type).sort()).toEqual(['evaluation.ended', 'run.ended']);
  expect(others.find(({ type }) => type === 'run.ended')).toMatchObject({
    data: { kind: 'adapt', status: 'succeeded', version: 2, billed_credits: 1, error_code: null },
  });
});

test('an operator’s rule on the bus gets the same events, with their team', async () => {
  const { events } = await page();
  const got = new Map<string, Event & { team_id: string }>();
  for (const deadline = Date.now() + 30_000; got.size < events.length && Date.now() < deadline; ) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: queue.url, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
    );
    for (const { Body = '{}' } of Messages) {
      const { detail, source, 'detail-type': type } = JSON.parse(Body);
      expect([source, type]).toEqual(['tunesmith', detail.type]);
      got.set(detail.id, detail);
    }
  }

  const told = [...got.values()].filter(({ dataset_id }) => dataset_id === datasetId);
  expect(told.map(({ id }) => id).sort()).toEqual(
    events
      .filter(({ dataset_id }) => dataset_id === datasetId)
      .map(({ id }) => id)
      .sort(),
  );
  expect(new Set(told.map(({ team_id }) => team_id)).size).toBe(1);
});

test('a stream goes on after the last event that was read', async () => {
  const { events } = await page();
  const [first, ...rest] = events;
  const response = await fetch(`${cloud.apiUrl}/api/v1/events`, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      'last-event-id': `${first?.position}`,
    },
  });
  const got: { id: string | undefined; event: Event }[] = [];
  createParser({
    onEvent: ({ id, data }) => got.push({ id, event: JSON.parse(data) as Event }),
  }).feed(await response.text());

  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(got.map(({ event }) => event)).toEqual(rest);
  expect(got.map(({ id }) => id)).toEqual(rest.map(({ position }) => `${position}`));
});

test('the sweep finds nothing that the stream has left', async () => {
  expect(await callFunction(functionName('local', 'consumers/sweep-events'), {})).toMatchObject({
    published: 0,
  });
});
