import * as z from 'zod';

/**
 * What a subscription of CloudWatch Logs invokes a function with: a {@link LogBatch} as JSON, compressed by gzip, in base64
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html#LambdaFunctionExample).
 */
export const LogDelivery = z.object({ awslogs: z.object({ data: z.base64() }) });
export type LogDelivery = z.output<typeof LogDelivery>;

/** Messages of the structured log of which each line becomes a span. */
export const SPAN_MESSAGES = [
  'request',
  'task',
  'task failed',
  'run started',
  'run ended',
  'model call',
] as const;

/** Lines of one stream of a log group. A control message has lines that no function wrote. */
export const LogBatch = z.object({
  messageType: z.string(),
  logGroup: z.string(),
  logStream: z.string(),
  logEvents: z.array(z.object({ id: z.string(), timestamp: z.number(), message: z.string() })),
});
export type LogBatch = z.output<typeof LogBatch>;
