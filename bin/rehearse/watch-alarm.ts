import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AlarmHistoryItem,
  CloudWatchClient,
  type CloudWatchClientConfig,
  DescribeAlarmHistoryCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { note, type Outcome, passed } from './steps.ts';

const POLL_MS = 2000;
const ACTION_SECONDS = 120;

/**
 * Raises an alarm manually and waits until its history has the state change and the notification of its topic;
 * CloudWatch resets it with the next evaluation of its metric.
 * @throws {Error} if the topic could not be notified
 */
export async function raiseAlarm(
  alarmName: string,
  isEmulator: boolean,
  connection: CloudWatchClientConfig,
): Promise<Outcome> {
  const client = new CloudWatchClient(connection);
  const since = new Date(Date.now() - 1000);
  try {
    await client.send(
      new SetAlarmStateCommand({
        AlarmName: alarmName,
        StateValue: 'ALARM',
        StateReason: 'npm run rehearse: does an alarm reach its topic?',
      }),
    );
    const deadline = Date.now() + ACTION_SECONDS * 1000;
    for (;;) {
      const { AlarmHistoryItems = [] } = await client.send(
        new DescribeAlarmHistoryCommand({ AlarmName: alarmName, StartDate: since }),
      );
      const judged = judgeHistory(AlarmHistoryItems, isEmulator);
      if (judged !== null) return { ...judged, result: `${alarmName}: ${judged.result}` };
      if (Date.now() > deadline) throw new Error(`${alarmName} told nobody within ${ACTION_SECONDS} s.`);
      await sleep(POLL_MS);
    }
  } finally {
    client.destroy();
  }
}

/**
 * The result in an alarm's history; null while it is incomplete.
 * @throws {Error} if its action failed
 */
export function judgeHistory(
  items: readonly Pick<AlarmHistoryItem, 'HistoryItemType' | 'HistorySummary'>[],
  isEmulator: boolean,
): Outcome | null {
  const summaries = (type: AlarmHistoryItem['HistoryItemType']): string[] =>
    items.flatMap((item) => (item.HistoryItemType === type ? [item.HistorySummary ?? ''] : []));
  const wasRaised = summaries('StateUpdate').some((summary) => /to ALARM/.test(summary));
  const failure = summaries('Action').find((summary) => /fail/i.test(summary));
  if (failure !== undefined) throw new Error(failure);
  if (!wasRaised) return null;
  if (summaries('Action').some((summary) => /success/i.test(summary))) {
    return passed('raised, and its topic was told');
  }
  return isEmulator ? note('raised; this endpoint keeps no history of who was told') : null;
}
