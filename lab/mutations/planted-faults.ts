import type { Mutation } from './table.ts';

/** A fault that is planted into a copy of the code, for the simulation to find (`npm run test:planted`). */
export interface PlantedFault extends Pick<Mutation, 'file' | 'search' | 'replace'> {
  /** What the broken code does. */
  readonly name: string;
  /** The step of a protocol that is wrong. */
  readonly step: string;
}

/** At least one for each kind of step; each changes what the simulation can reach. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'A launch takes credits that are not there',
    step: 'hold',
    file: 'shared/runs/store/ledger.ts',
    search: '#available >= :credits AND #active_runs',
    replace: '(#available >= :credits OR #available < :credits) AND #active_runs',
  },
  {
    name: 'A launch does not look how many runs are active',
    step: 'hold',
    file: 'shared/runs/store/ledger.ts',
    search: '#active_runs < :limit AND',
    replace: '(#active_runs < :limit OR #active_runs >= :limit) AND',
  },
  {
    name: 'A reservation has no entry in the ledger',
    step: 'hold',
    file: 'shared/runs/store/ledger.ts',
    search: '    reserve: putEntry(reserved.entry),\n',
    replace: '',
  },
  {
    name: 'A run is billed what it reserved, whatever it delivers',
    step: 'settle',
    file: 'shared/lifecycle/bill-run.ts',
    search: 'billedCredits: Math.min(reserved, priceDelivered(request, report))',
    replace: 'billedCredits: reserved',
  },
  {
    name: 'A run that has ended may be ended again',
    step: 'settle',
    file: 'shared/runs/store/ledger.ts',
    search: 'ConditionExpression: `#status = :running${waits',
    replace: 'ConditionExpression: `(#status = :running OR #status <> :running)${waits',
  },
  {
    name: 'The end of a run returns no credits',
    step: 'release',
    file: 'shared/runs/store/ledger.ts',
    search: '        available: reserved - ending.billedCredits,\n',
    replace: '',
  },
  {
    name: 'A run that failed keeps its hold',
    step: 'release',
    file: 'shared/runs/store/ledger.ts',
    search: '  if (hold !== null) Object.assign(actions, holdEnd(hold, run, ending));',
    replace:
      "  if (hold !== null && ending.status === 'succeeded') Object.assign(actions, holdEnd(hold, run, ending));",
  },
  {
    name: 'The end of a run does not free its place among the active ones',
    step: 'release',
    file: 'shared/runs/store/ledger.ts',
    search: '        active_runs: -1,\n',
    replace: '',
  },
  {
    name: 'A key is claimed although another request has it',
    step: 'claim',
    file: 'shared/access/store/idempotency.ts',
    search: "ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',",
    replace: "ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now OR expires_at > :now',",
  },
  {
    name: 'The record of a key is not written',
    step: 'claim',
    file: 'shared/runs/store/ledger.ts',
    search: '    ...(idempotency === null ? {} : { idempotency: claimIdempotencyKey(idempotency, now) }),\n',
    replace: '',
  },
  {
    name: 'A state is written without its event',
    step: 'outbox record',
    file: 'shared/events/store/put-event.ts',
    search: '      event: { Put: { Item: outboxItem(teamId, event, last + 1) } },\n',
    replace: '',
  },
  {
    name: 'An event is written after its state, in a transaction of its own',
    step: 'outbox record',
    file: 'shared/events/store/put-event.ts',
    search:
      "      event: { Put: { Item: outboxItem(teamId, event, last + 1) } },\n    } as Record<Name | 'event sequence' | 'event', Action>);\n",
    replace:
      "    } as Record<Name | 'event sequence' | 'event', Action>);\n    if (failed.size === 0) await putItem(table, outboxItem(teamId, event, last + 1));\n",
  },
  {
    name: 'Two events of a dataset get one number',
    step: 'outbox record',
    file: 'shared/events/store/put-event.ts',
    search: "      'event sequence': count(key, last, last + 1),\n",
    replace:
      "      'event sequence': { Update: { Key: key, UpdateExpression: 'SET #count = :to', ExpressionAttributeNames: { '#count': 'count' }, ExpressionAttributeValues: { ':to': last + 1 } } },\n",
  },
  {
    name: 'Events leave the outbox before the bus has them',
    step: 'delivery',
    file: 'shared/events/publish-events.ts',
    search:
      '    await publish(\n      teamId,\n      pending.map(({ numbered }) => numbered),\n    );\n    await outbox.remove(\n      teamId,\n      pending.map(({ place }) => place),\n    );\n',
    replace:
      '    await outbox.remove(\n      teamId,\n      pending.map(({ place }) => place),\n    );\n    await publish(\n      teamId,\n      pending.map(({ numbered }) => numbered),\n    );\n',
  },
  {
    name: 'Two publishers may give an event two places',
    step: 'delivery',
    file: 'shared/events/store/outbox.ts',
    search: '      const { events, reached } = inTurn(pending, before);',
    replace: '      const { events, reached } = inTurn(pending, new Map());',
  },
  {
    name: 'No sweep publishes what the stream has left',
    step: 'delivery',
    file: 'functions/consumers/sweep-events.ts',
    search: '      publishEvents(behind),',
    replace: '      publishEvents([]),',
  },
  {
    name: 'A run whose execution is missing is not swept',
    step: 'sweep',
    file: 'shared/lifecycle/sweep-runs.ts',
    search: "if (status === 'running') return null;",
    replace: "if (status === 'running' || status === 'missing') return null;",
  },
  {
    name: 'A run whose execution has failed is not swept',
    step: 'sweep',
    file: 'shared/lifecycle/sweep-runs.ts',
    search: "if (status === 'running') return null;",
    replace: "if (status === 'running' || status === 'failed' || status === 'timed_out') return null;",
  },
  {
    name: 'A run is swept between its transaction and its start',
    step: 'sweep',
    file: 'shared/lifecycle/sweep-runs.ts',
    search: 'const AGE_MILLISECONDS_MIN = 120_000;',
    replace: 'const AGE_MILLISECONDS_MIN = 0;',
  },
  {
    name: 'A run is swept while its execution is running',
    step: 'sweep',
    file: 'shared/lifecycle/sweep-runs.ts',
    search: "if (status === 'running') return null;",
    replace: "if (status === 'running' && run_id < '8') return null;",
  },
  {
    name: 'Erasures that were not begun are not swept',
    step: 'sweep',
    file: 'functions/consumers/sweep-runs.ts',
    search: 'const ERASURES_MAX = 400;',
    replace: 'const ERASURES_MAX = 0;',
  },
  {
    name: 'A worker overwrites the result that was counted',
    step: 'conditional write',
    file: 'shared/runs/run-rows.ts',
    search:
      '  const isWritten = await job.objects.writeNew(job.resultKey, toJsonLines(complete), JSON_LINES);',
    replace:
      '  await job.objects.write(job.resultKey, toJsonLines(complete), JSON_LINES);\n  const isWritten = true;',
  },
  {
    name: 'What is counted is not written as the result',
    step: 'conditional write',
    file: 'shared/runs/read-results.ts',
    search: '  if (await writeNewLines(objects, resultKey, results)) return byRow;',
    replace:
      '  if (results.length === 0 || (await writeNewLines(objects, resultKey, results))) return byRow;',
  },
  {
    name: 'A dataset runs twice at once',
    step: 'conditional write',
    file: 'shared/runs/store/ledger.ts',
    search: "      ConditionExpression: `team_id = :team AND ${allowed.text}${\n        target === 'running'",
    replace:
      "      ConditionExpression: `team_id = :team AND (${allowed.text} OR attribute_exists(pk))${\n        target === 'running'",
  },
  {
    name: 'The rows of an ended run are recorded',
    step: 'lease fence',
    file: 'shared/datasets/store/datasets.ts',
    search: "        ConditionExpression: 'run_id = :run',\n",
    replace: "        ConditionExpression: 'attribute_exists(pk) OR run_id = :run',\n",
  },
  {
    name: 'The end of a run moves a dataset that has another run',
    step: 'lease fence',
    file: 'shared/runs/store/ledger.ts',
    search: '          dataset: dataset?.run_id === run.run_id ? dataset : null,',
    replace: '          dataset,',
  },
  {
    name: 'A run is launched while rows are being appended',
    step: 'append',
    file: 'shared/runs/store/ledger.ts',
    search: 'attribute_not_exists(pending_appends) OR pending_appends = :none)`,\n  values: HAS_ROWS',
    replace: 'attribute_not_exists(pending_appends) OR pending_appends >= :none)`,\n  values: HAS_ROWS',
  },
  {
    name: 'An append that fails waits for ever',
    step: 'append',
    file: 'shared/runs/store/ledger.ts',
    search: '  if (isUnlanded(run)) actions.append = appendEnd(run);\n',
    replace: '',
  },
  {
    name: 'An append lands while a run is active',
    step: 'append',
    file: 'shared/ingest/land-rows.ts',
    search: '  if (!isIdle(dataset)) return waiting(run, now);\n',
    replace: '',
  },
  {
    name: 'Appended rows take the place of the rows before',
    step: 'append',
    file: 'shared/ingest/land-rows.ts',
    search: 'chunks: [...before.chunks, ...chunks] };',
    replace: 'chunks: [...before.chunks.slice(0, 1), ...chunks] };',
  },
  {
    name: 'A cancelled run bills nothing',
    step: 'cancel',
    file: 'shared/lifecycle/cancel-run.ts',
    search: '  const ended = await endFailedRun(ports, run, runCancelled, clock.now());',
    replace:
      '  const ended = await ports.endRun({ dataset_id: datasetId, run_id: runId, error: runCancelled, billedCredits: 0, now: clock.now() });',
  },
  {
    name: 'A cancelled run goes on',
    step: 'cancel',
    file: 'shared/lifecycle/cancel-run.ts',
    search: '  await ports.executions.stop(run.pipeline, runId);\n',
    replace: '',
  },
  {
    name: 'A request to cancel is answered before it is stored',
    step: 'cancel',
    file: 'shared/lifecycle/request-cancellation.ts',
    search:
      '  if (await runs.requestStop(dataset_id, run_id, runCancelled))\n    await startCancellation({ dataset_id, run_id });',
    replace: '  await startCancellation({ dataset_id, run_id: `${run_id}x` });',
  },
  {
    name: 'A dataset is deleted while appended rows are being read',
    step: 'delete',
    file: 'shared/datasets/store/datasets.ts',
    search:
      'AND (attribute_not_exists(pending_appends) OR pending_appends = :none)`,\n            ExpressionAttributeNames: names,',
    replace:
      'AND (attribute_not_exists(pending_appends) OR pending_appends >= :none)`,\n            ExpressionAttributeNames: names,',
  },
  {
    name: 'A dataset is deleted while a run is active',
    step: 'delete',
    file: 'shared/datasets/store/datasets.ts',
    search: '`team_id = :team AND ${allowed.text} AND (attribute_not_exists(pending_appends)',
    replace:
      '`team_id = :team AND (${allowed.text} OR attribute_exists(pk)) AND (attribute_not_exists(pending_appends)',
  },
  {
    name: 'A deletion is erased once and never again',
    step: 'delete',
    file: 'shared/datasets/store/datasets.ts',
    search: "...(next === null ? { UpdateExpression: 'REMOVE list_pk' } : placing(dataset, next)),",
    replace: "...(next !== undefined && { UpdateExpression: 'REMOVE list_pk' }),",
  },
  {
    name: 'A deleted dataset is still found',
    step: 'delete',
    file: 'shared/datasets/store/datasets.ts',
    search: "    return dataset?.state === 'deleted' ? null : dataset;",
    replace: '    return dataset;',
  },
  {
    name: 'A transaction that is sent twice is another one',
    step: 'retry',
    file: 'shared/platform/store/table.ts',
    search: '    ClientRequestToken: randomUUID(),\n',
    replace: '',
  },
  {
    name: 'A repetition is answered although it asks for something else',
    step: 'idempotent replay',
    file: 'shared/runs/launch-run.ts',
    search: '  if (record.request_hash !== requestHash) {',
    replace: "  if (record.request_hash === '') {",
  },
  {
    name: 'A run that a repetition was answered with may end as not started',
    step: 'idempotent replay',
    file: 'shared/runs/store/ledger.ts',
    search: "        ending.isUnstarted === true ? ' AND attribute_not_exists(is_answered)' : ''",
    replace: "        ''",
  },
  {
    name: 'A repetition does not start what was not started',
    step: 'idempotent replay',
    file: 'shared/runs/launch-run.ts',
    search: '    if (isStored) {\n      // The first',
    replace: '    if (!isStored) {\n      // The first',
  },
  {
    name: 'A repetition does not look whether the first request has broken off',
    step: 'idempotent replay',
    file: 'shared/runs/launch-run.ts',
    search: '    if (!isStored && !isYoung) {',
    replace: '    if (!isStored && !isYoung && run.request_key === null) {',
  },
  {
    name: 'Another team’s dataset is found',
    step: 'tenancy',
    file: 'shared/datasets/store/datasets.ts',
    search: '    if (dataset?.team_id !== caller.team_id) throw datasetNotFound();\n    return dataset;\n',
    replace:
      "    if (dataset === null || caller.team_id === '') throw datasetNotFound();\n    return dataset;\n",
  },
  {
    name: 'A failure tells callers of its cause',
    step: 'tenancy',
    file: 'shared/platform/errors/to-http.ts',
    search: '`The service failed. Try again; if it goes on, tell its operator the request id ${requestId}.`',
    replace: '`The service failed: ${String(error)} ${requestId}.`',
  },
  {
    name: 'A new attempt leaves the one before to its trainer',
    step: 'lease fence',
    file: 'shared/training/queue-attempt.ts',
    search: '  if (attempt > 1) await trainings.revokeAttempt({ ...id, attempt: attempt - 1 });\n',
    replace: '',
  },
  {
    name: 'A message that comes again revives an attempt that was replaced',
    step: 'lease fence',
    file: 'shared/training/store/trainings.ts',
    search: 'OR #attempt.#attempt <= :number)`',
    replace: 'OR #attempt.#attempt <= :number OR #attempt.#attempt > :number)`',
  },
  {
    name: 'An attempt that was revoked is queued again',
    step: 'conditional write',
    file: 'shared/training/store/trainings.ts',
    search:
      "await putItem(table, { ...attemptKey(id), ...attempt, state: 'queued' }, 'attribute_not_exists(pk)');",
    replace: "await putItem(table, { ...attemptKey(id), ...attempt, state: 'queued' });",
  },
  {
    name: 'A training that has ended goes on',
    step: 'lease fence',
    file: 'shared/training/store/trainings.ts',
    search: '    UpdateExpression: `SET ${assignments}`,\n    ConditionExpression: ACTIVE_CONDITION.text,\n',
    replace:
      '    UpdateExpression: `SET ${assignments}`,\n    ConditionExpression: `(${ACTIVE_CONDITION.text} OR attribute_exists(pk))`,\n',
  },
  {
    name: 'The end of a training leaves its attempt open',
    step: 'release',
    file: 'shared/training/store/training-transactions.ts',
    search: '    ...(attempt === null\n      ? {}\n      : {\n          attempt: {',
    replace: '    ...(attempt !== undefined\n      ? {}\n      : {\n          attempt: {',
  },
  {
    name: 'The end of a training does not give its dataset back',
    step: 'release',
    file: 'shared/training/store/training-transactions.ts',
    search:
      "    active: {\n      Delete: {\n        Key: keys.activeTraining(dataset_id),\n        ConditionExpression: 'experiment_id = :id',\n        ExpressionAttributeValues: { ':id': experiment_id },\n      },\n    },\n",
    replace: '',
  },
  {
    name: 'Two trainers claim one attempt',
    step: 'claim',
    file: 'trainer/embedded/aws-ports.ts',
    search: "        '#state = :queued',\n",
    replace: "        '#state = :queued OR #state <> :queued',\n",
  },
  {
    name: 'What a trainer wrote too late stays',
    step: 'sweep',
    file: 'shared/training/remove-late-outputs.ts',
    search:
      '      await removeLeftovers(objects, training ?? { experiment_id: id.experiment_id, best: null });\n',
    replace: '',
  },
  {
    name: 'A silent trainer is waited for',
    step: 'renew',
    file: 'shared/training/watch-trainers.ts',
    search: 'secondsSince(heartbeat_at ?? queued_at) > SILENCE_SECONDS',
    replace: 'secondsSince(heartbeat_at ?? queued_at) > 1e9',
  },
  {
    name: 'A trainer that is alive is given up',
    step: 'renew',
    file: 'shared/training/watch-trainers.ts',
    search: 'secondsSince(heartbeat_at ?? queued_at) > SILENCE_SECONDS',
    replace: 'secondsSince(queued_at) > SILENCE_SECONDS',
  },
  {
    name: 'A dataset is deleted while it is trained on',
    step: 'delete',
    file: 'shared/datasets/store/datasets.ts',
    search:
      "            Key: keys.activeTraining(datasetId),\n            ConditionExpression: 'attribute_not_exists(pk)',",
    replace:
      "            Key: keys.activeTraining(datasetId),\n            ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(pk)',",
  },
  {
    name: 'A dataset is trained on twice at once',
    step: 'hold',
    file: 'shared/training/store/training-transactions.ts',
    search:
      "        Item: { ...keys.activeTraining(dataset_id), experiment_id, source_run_id },\n        ConditionExpression: 'attribute_not_exists(pk)',",
    replace: '        Item: { ...keys.activeTraining(dataset_id), experiment_id, source_run_id },',
  },
  {
    name: 'A webhook rests although something was added',
    step: 'renew',
    file: 'shared/webhooks/store/deliveries.ts',
    search: "        ConditionExpression: 'additions = :additions',",
    replace: "        ConditionExpression: 'additions = :additions OR additions <> :additions',",
  },
  {
    name: 'Several calls send to one webhook at once',
    step: 'claim',
    file: 'shared/platform/store/claims.ts',
    search: "'attribute_not_exists(pk) OR expires_at <= :now' +",
    replace: "'attribute_not_exists(pk) OR expires_at <= :now OR expires_at > :now' +",
  },
  {
    name: 'A delivery without an answer counts as delivered',
    step: 'delivery',
    file: 'shared/webhooks/deliver-webhook.ts',
    search: 'const isDelivered = answered && posted.status >= 200 && posted.status < 300;',
    replace: 'const isDelivered = !answered || (posted.status >= 200 && posted.status < 300);',
  },
  {
    name: 'No sweep starts webhooks',
    step: 'sweep',
    file: 'functions/consumers/sweep-events.ts',
    search: '      const due = await dueWebhooks(timestamp(now), WEBHOOKS_MAX);',
    replace: '      const due = await dueWebhooks(timestamp(0), WEBHOOKS_MAX);',
  },
  {
    name: 'A delivery that failed is not tried again',
    step: 'retry',
    file: 'shared/webhooks/deliver-webhook.ts',
    search: "retry === null ? 'failed' : 'pending',",
    replace: "retry === null || attempts > 0 ? 'failed' : 'pending',",
  },
  {
    name: 'An event reaches the bus, and no webhook',
    step: 'outbox record',
    file: 'shared/webhooks/wire.ts',
    search: '        await addDeliveries(...published);\n        await bus(...published);',
    replace:
      '        await bus(...published);\n        if (published[1].length > 1) await addDeliveries(...published);',
  },
  {
    name: 'A run of an eval that has ended goes on',
    step: 'lease fence',
    file: 'shared/evals/store/evals.ts',
    search: "ConditionExpression: '#state IN (:queued, :working)',",
    replace: "ConditionExpression: '#state IN (:queued, :working) OR attribute_exists(pk)',",
  },
  {
    name: 'An eval gets runs while it is deleted',
    step: 'delete',
    file: 'shared/evals/store/evals.ts',
    search: "'attribute_exists(pk) AND attribute_not_exists(is_deleting)'",
    replace: "'attribute_exists(pk) OR attribute_not_exists(pk)'",
  },
  {
    name: 'What a worker writes after the deletion of its run stays',
    step: 'delete',
    file: 'shared/evals/work-eval-run.ts',
    search: 'if (left === null || left.is_deleting === true)',
    replace: "if (left?.status === 'queued')",
  },
  {
    name: 'Minutes of a model that no instance was started for stay counted',
    step: 'release',
    file: 'shared/deployments/advance-deployment.ts',
    search: 'await deployments.giveBack({ ...record, warm_until }, record.warm_until, from);',
    replace: 'await deployments.giveBack({ ...record, warm_until }, record.warm_until, from - 60_000);',
  },
  {
    name: 'Minutes are counted for each of those who ask at once',
    step: 'conditional write',
    file: 'shared/deployments/store/deployments.ts',
    search: "    until === null ? '(attribute_not_exists(#until) OR #until = :until)' : '#until = :until';",
    replace:
      "    until === null ? '(attribute_not_exists(#until) OR #until = :until OR #until <> :until)' : '(#until = :until OR #until <> :until)';",
  },
  {
    name: 'The record of a deployment goes before its endpoint',
    step: 'delete',
    file: 'shared/deployments/advance-deployment.ts',
    search: '    if (!isGone) return;\n',
    replace: '',
  },
  {
    name: 'The instance of a model that nobody asks stays',
    step: 'release',
    file: 'shared/deployments/decide/record.ts',
    search: 'warm_until !== null && Date.parse(warm_until) > now ? 1 : 0;',
    replace: 'warm_until !== null && now > 0 ? 1 : 0;',
  },
  {
    name: 'Deployments that were not begun are not swept',
    step: 'sweep',
    file: 'shared/deployments/sweep-deployments.ts',
    search: '    if (!isDue(record, idleDays, now)) continue;\n',
    replace: "    if (record.status !== 'ready' || !isDue(record, idleDays, now)) continue;\n",
  },
  {
    name: 'Two processes work on one deployment',
    step: 'claim',
    file: 'shared/deployments/advance-deployment.ts',
    search: "  if (!(await claims.take(claim, seconds, holder))) return { status: 'busy' };",
    replace: '  await claims.take(claim, seconds, holder);',
  },
];
