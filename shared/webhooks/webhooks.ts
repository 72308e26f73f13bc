import { newEvent, type TeamEvent } from '#shared/events/decide/event.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { DeliveryRepository, Start, WebhookRepository } from './decide/ports.ts';
import { OVERLAP_HOURS, webhookSecret } from './decide/sign.ts';
import { HEALTHY, requireReadable, toWebhook, WEBHOOKS_MAX, type WebhookRecord } from './decide/webhook.ts';
import {
  type CreateWebhookRequest,
  DELIVERIES_PAGE_DEFAULT,
  DELIVERIES_PAGE_MAX,
  type UpdateWebhookRequest,
  type Webhook,
  WebhookDelivery,
  type WebhookWithSecret,
} from './schema/webhook.ts';

type Team = Pick<Caller, 'team_id'>;

interface Stores {
  readonly webhooks: WebhookRepository;
  readonly deliveries: DeliveryRepository;
}

export interface WebhookPorts extends Stores {
  /** The secret of the installation. */
  readonly signingKey: () => Promise<string>;
  /** @throws {ServiceError} if the address is none that callers may name */
  readonly checkUrl: (url: string) => Promise<void>;
  /** Writes an event of a team. */
  readonly addEvent: (teamId: string, event: TeamEvent) => Promise<void>;
  readonly start: Start;
  readonly newId: () => string;
}

type Ports<Name extends keyof WebhookPorts> = Pick<WebhookPorts, Name>;

/** Deliveries that are read for a page of one status. */
const READ_MAX = 1000;

/** The webhooks of the team, the oldest first. */
export async function listWebhooks({ webhooks }: Ports<'webhooks'>, { team_id }: Team): Promise<Webhook[]> {
  return (await webhooks.list(team_id)).map(toWebhook);
}

/** @throws {ServiceError} `webhook_not_found` */
export async function getWebhook(
  ports: Ports<'webhooks'>,
  caller: Team,
  webhookId: string,
): Promise<Webhook> {
  return toWebhook(await requireWebhook(ports, caller, webhookId));
}

/** A webhook of the team; one of another team is as if it were not there. */
async function requireWebhook(
  { webhooks }: Ports<'webhooks'>,
  { team_id }: Team,
  webhookId: string,
): Promise<WebhookRecord> {
  const found = await webhooks.find(team_id, webhookId);
  if (found === null) throw notFound();
  return found;
}

/** @throws {ServiceError} `webhooks_limit_reached`, `scope_missing`, or if the address is refused */
export async function createWebhook(
  ports: Ports<'webhooks' | 'checkUrl' | 'signingKey' | 'newId'>,
  { team_id, scopes }: Caller,
  { url, event_types, description }: CreateWebhookRequest,
  now: number,
): Promise<WebhookWithSecret> {
  requireReadable(scopes, event_types);
  await ports.checkUrl(url);
  const webhook: WebhookRecord = {
    team_id,
    webhook_id: ports.newId(),
    url,
    event_types: event_types ?? null,
    description: description ?? null,
    status: 'enabled',
    disabled_reason: null,
    scopes,
    created_at: timestamp(now),
    secret_salt: ports.newId(),
    previous_salt: null,
    previous_until: null,
    ...HEALTHY,
    additions: 0,
  };
  if (await ports.webhooks.create(webhook)) return withSecret(ports, webhook);
  throw new ServiceError(
    'webhooks_limit_reached',
    `A team has ${WEBHOOKS_MAX} webhooks at most. Delete one, or send several types of events to one.`,
  );
}

/** @throws {ServiceError} `webhook_not_found`, `scope_missing`, or if the address is refused */
export async function updateWebhook(
  ports: Ports<'webhooks' | 'deliveries' | 'checkUrl' | 'start'>,
  caller: Caller,
  webhookId: string,
  { url, event_types, description, status }: UpdateWebhookRequest,
  now: number,
): Promise<Webhook> {
  const webhook = await requireWebhook(ports, caller, webhookId);
  // Whoever names a new address gets no events that they could not read.
  const scopes =
    url === undefined ? webhook.scopes : webhook.scopes.filter((each) => caller.scopes.includes(each));
  requireReadable(scopes, event_types);
  if (url !== undefined) await ports.checkUrl(url);
  const isMoved = url !== undefined && url !== webhook.url;
  const isEnabled = status === 'enabled' && webhook.status === 'disabled';
  const after = await change(ports, webhook, {
    webhook_id: webhookId,
    ...(url === undefined ? {} : { url, scopes }),
    // What the receiver before it did says nothing of this one.
    ...(isMoved ? HEALTHY : {}),
    ...(event_types === undefined ? {} : { event_types }),
    ...(description === undefined ? {} : { description }),
    ...(status === 'disabled' ? { status, disabled_reason: 'requested' as const } : {}),
    ...(isEnabled ? { status, disabled_reason: null, ...HEALTHY } : {}),
  });
  if (after.status === 'enabled' && (isEnabled || isMoved)) {
    await ports.deliveries.wake(after, timestamp(now));
    await ports.start({ team_id: after.team_id, webhook_id: webhookId });
  }
  return toWebhook(after);
}

/** @throws {ServiceError} `webhook_not_found` */
export async function deleteWebhook(
  { webhooks }: Ports<'webhooks'>,
  { team_id }: Team,
  webhookId: string,
): Promise<void> {
  if (!(await webhooks.delete(team_id, webhookId))) throw notFound();
}

/** @throws {ServiceError} `webhook_not_found` */
export async function rotateSecret(
  ports: Ports<'webhooks' | 'signingKey' | 'newId'>,
  caller: Team,
  webhookId: string,
  now: number,
): Promise<WebhookWithSecret> {
  const webhook = await requireWebhook(ports, caller, webhookId);
  return withSecret(
    ports,
    await change(ports, webhook, {
      secret_salt: ports.newId(),
      previous_salt: webhook.secret_salt,
      previous_until: timestamp(now + OVERLAP_HOURS * 3_600_000),
    }),
  );
}

/** @throws {ServiceError} `webhook_not_found`, `webhook_disabled` */
export async function testWebhook(
  ports: Ports<'webhooks' | 'addEvent' | 'newId'>,
  caller: Team,
  webhookId: string,
  now: number,
): Promise<{ event_id: string }> {
  const { team_id, webhook_id } = requireEnabled(await requireWebhook(ports, caller, webhookId));
  const event = newEvent({ type: 'webhook.test', data: { webhook_id } }, ports.newId(), {
    datasetId: null,
    at: timestamp(now),
  });
  await ports.addEvent(team_id, event);
  return { event_id: event.id };
}

export interface DeliveriesWanted {
  readonly before?: string | undefined;
  readonly status?: WebhookDelivery['status'] | undefined;
  readonly limit?: number | undefined;
}

/**
 * A page of deliveries, the newest first. With a status it may be short, or empty, and go on.
 * @throws {ServiceError} `webhook_not_found`
 */
export async function listDeliveries(
  ports: Ports<'webhooks' | 'deliveries'>,
  caller: Team,
  webhookId: string,
  { before, status, limit = DELIVERIES_PAGE_DEFAULT }: DeliveriesWanted,
): Promise<{ deliveries: WebhookDelivery[]; next_before: string | null }> {
  await requireWebhook(ports, caller, webhookId);
  const deliveries: WebhookDelivery[] = [];
  let next = before === undefined ? null : Number(before);
  // As many as a page has at most, so that a small limit takes no more queries.
  const atOnce = status === undefined ? limit : DELIVERIES_PAGE_MAX;
  for (let read = 0; read < READ_MAX; read += atOnce) {
    const page = await ports.deliveries.list(webhookId, { before: next, limit: atOnce });
    for (const delivery of page) {
      next = delivery.position;
      if (status === undefined || delivery.status === status) deliveries.push(toDelivery(delivery));
      if (deliveries.length === limit) return { deliveries, next_before: String(next) };
    }
    if (page.length < atOnce) return { deliveries, next_before: null };
  }
  return { deliveries, next_before: String(next) };
}

/** @throws {ServiceError} `webhook_not_found`, `webhook_disabled`, `delivery_not_found` */
export async function retryDelivery(
  ports: Ports<'webhooks' | 'deliveries' | 'start'>,
  caller: Team,
  webhookId: string,
  position: number,
  now: number,
): Promise<WebhookDelivery> {
  const webhook = requireEnabled(await requireWebhook(ports, caller, webhookId));
  const delivery = await ports.deliveries.retry(webhook, position, timestamp(now));
  if (delivery === null) {
    throw new ServiceError(
      'delivery_not_found',
      `The webhook has no delivery of the position ${position}. List those that it has; they are kept for 30 days.`,
    );
  }
  await ports.start({ team_id: webhook.team_id, webhook_id: webhookId });
  return toDelivery(delivery);
}

const toDelivery = (delivery: WebhookDelivery): WebhookDelivery => WebhookDelivery.parse(delivery);

async function change(
  { webhooks }: Ports<'webhooks'>,
  { team_id, webhook_id }: WebhookRecord,
  changes: Partial<WebhookRecord>,
): Promise<WebhookRecord> {
  const after = await webhooks.update(team_id, webhook_id, changes);
  if (after === null) throw notFound();
  return after;
}

async function withSecret(
  { signingKey }: Ports<'signingKey'>,
  webhook: WebhookRecord,
): Promise<WebhookWithSecret> {
  return {
    ...toWebhook(webhook),
    secret: webhookSecret(await signingKey(), webhook.webhook_id, webhook.secret_salt),
    previous_secret_until: webhook.previous_until,
  };
}

function requireEnabled(webhook: WebhookRecord): WebhookRecord {
  if (webhook.status === 'enabled') return webhook;
  throw new ServiceError(
    'webhook_disabled',
    'The webhook is disabled. Enable it first: POST /api/v1/webhooks/{webhook_id} with {"status": "enabled"}.',
  );
}

const notFound = (): ServiceError =>
  new ServiceError('webhook_not_found', 'Your team has no webhook with this id. List those that it has.');
