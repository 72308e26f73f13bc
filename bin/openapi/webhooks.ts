import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { Event } from '#shared/events/schema/event.ts';
import { exampleOf } from './example-of.ts';

const headers = z.object({
  'webhook-id': z.string().meta({
    description: 'The `id` of the event. It is the same in every attempt: keep the ids that you have seen.',
  }),
  'webhook-timestamp': z
    .string()
    .regex(/^[0-9]+$/)
    .meta({ description: 'Time of this attempt, in seconds since 1970.' }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several are separated by spaces, one for each secret.',
  }),
});

/** The requests that the service sends to webhooks: the section `webhooks` of the document. */
export const webhooks: ZodOpenApiPathsObject = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'Receive an event',
      description:
        'The service sends each event of the team to each webhook at least once, by the Standard Webhooks ' +
        'specification. Verify the signature of the body as it came, before it is parsed. Answer within 10 seconds; ' +
        'another status than 2xx, or none, is another attempt later.',
      tags: ['Account'],
      security: [],
      requestParams: { header: headers },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Event' },
            example: exampleOf('events.list', Event),
          },
        },
      },
      responses: {
        '2XX': { description: 'The event has arrived. The body is not read.' },
        410: { description: 'The receiver is gone: the webhook is disabled.' },
        default: { description: 'The event is sent again, nine attempts in about a day.' },
      },
    },
  },
};
