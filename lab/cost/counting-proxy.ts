import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One write of an item; in a transaction it costs twice as much. */
export interface ItemWrite {
  readonly pk: string;
  readonly sk: string;
  readonly isTransaction: boolean;
}

export interface ItemRead {
  /** Size of the response; a read is billed by its size. */
  readonly bytes: number;
  readonly isConsistent: boolean;
}

/** Requests of functions to AWS. */
export interface Requests {
  s3: Record<'put' | 'list' | 'get' | 'delete', number>;
  itemWrites: ItemWrite[];
  itemReads: ItemRead[];
  /** By service and action: requests other than S3 and DynamoDB. */
  others: Record<string, number>;
}

const empty = (): Requests => ({
  s3: { put: 0, list: 0, get: 0, delete: 0 },
  itemWrites: [],
  itemReads: [],
  others: {},
});

type Key = { readonly pk: { readonly S: string }; readonly sk: { readonly S: string } };
interface Write {
  readonly Item?: Key;
  readonly Key?: Key;
}

function countTable(requests: Requests, action: string, body: Buffer, answerBytes: number): void {
  const input = JSON.parse(body.toString('utf8')) as Write & {
    readonly ConsistentRead?: boolean;
    readonly TransactItems?: readonly Record<string, Write>[];
  };
  const write = ({ Item, Key }: Write, isTransaction: boolean): void => {
    const key = Item ?? Key;
    if (key !== undefined) requests.itemWrites.push({ pk: key.pk.S, sk: key.sk.S, isTransaction });
  };
  if (action === 'TransactWriteItems') {
    for (const item of input.TransactItems ?? []) for (const each of Object.values(item)) write(each, true);
  } else if (/^(Put|Update|Delete)Item$/.test(action)) {
    write(input, false);
  } else if (action === 'GetItem' || action === 'Query') {
    requests.itemReads.push({ bytes: answerBytes, isConsistent: input.ConsistentRead === true });
  } else {
    throw new Error(`DynamoDB's ${action} is not counted here.`);
  }
}

function countObjects(requests: Requests, { method, url = '' }: IncomingMessage): void {
  const isListing = method === 'GET' && /[?&]list-type=2/.test(url);
  if (isListing) requests.s3.list += 1;
  else if (method === 'PUT' || method === 'POST') requests.s3.put += 1;
  else if (method === 'DELETE') requests.s3.delete += 1;
  else requests.s3.get += 1;
}

/**
 * A proxy between functions and the emulator that forwards every request unchanged, and counts it by AWS's billing
 * units.
 */
export async function startCountingProxy(): Promise<{
  readonly port: number;
  /** Sets the port that requests are forwarded to; call it before the first. */
  forwardTo(port: number): void;
  /** Returns the counts and resets them. */
  take(): Requests;
  stop(): Promise<void>;
}> {
  let target = 0;
  let requests = empty();

  function count(incoming: IncomingMessage, body: Buffer, answerBytes: number): void {
    const action = String(incoming.headers['x-amz-target'] ?? '');
    const [, service = ''] =
      /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)/.exec(incoming.headers.authorization ?? '') ?? [];
    if (action.startsWith('DynamoDB_')) countTable(requests, action.split('.')[1] ?? '', body, answerBytes);
    else if (service === 's3') countObjects(requests, incoming);
    else {
      const name = `${service} ${action.split('.')[1] ?? incoming.method}`;
      requests.others[name] = (requests.others[name] ?? 0) + 1;
    }
  }

  async function handOn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const { method, url, rawHeaders } = incoming;
    const forwarded = request({ host: '127.0.0.1', port: target, method, path: url, headers: rawHeaders });
    const answered = once(forwarded, 'response');
    forwarded.end(body);
    const [answer] = (await answered) as [IncomingMessage];
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    let bytes = 0;
    for await (const part of answer) {
      bytes += (part as Buffer).length;
      outgoing.write(part);
    }
    outgoing.end();
    count(incoming, body, bytes);
  }

  const server = createServer((incoming, outgoing) => {
    handOn(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    forwardTo: (port) => {
      target = port;
    },
    take: () => {
      const taken = requests;
      requests = empty();
      return taken;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
