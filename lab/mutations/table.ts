/**
 * Mutations by hand: those that no operator of a mutation runner makes, of guarantees that matter (permissions, state
 * machines, prompts, the order of two effects). Each breaks the code in one place; the named test file must then fail.
 * `npm run test:mutations -- by-hand` replays them. There are at most 40.
 */
export interface Mutation {
  /** What no longer holds when the code is broken. */
  readonly guarantee: string;
  readonly file: string;
  /** Text that occurs in the file exactly once. */
  readonly search: string;
  readonly replace: string;
  /** Test file that must fail. */
  readonly test: string;
}

export const mutations: readonly Mutation[] = [
  // Permissions and stacks
  {
    guarantee: 'Training jobs read their source from a bucket with a key of its own',
    file: 'infra/constructs/training-jobs.ts',
    search: "actions: ['kms:Decrypt']",
    replace: "actions: ['kms:DescribeKey']",
    test: 'test/infra/training-jobs.test.ts',
  },
  {
    guarantee: 'A machine’s role allows what its definition does',
    file: 'infra/constructs/pipeline.ts',
    search: '[objects, data.bucket.arnForObjects(`${bucketPrefixes.trainings}*`)],',
    replace: '[objects],',
    test: 'test/infra/machine-roles.test.ts',
  },
  {
    guarantee: 'Functions without a need for credits cannot reach them',
    file: 'infra/grants.ts',
    search: '...(credits === undefined ? guardedPartitions.credits : []),',
    replace: '',
    test: 'test/infra/partitions.test.ts',
  },
  {
    guarantee: 'A function’s role holds nothing that its contract does not name',
    file: 'infra/grants.ts',
    search: '...tableGrants(data.table, uses),',
    replace: "...tableGrants(data.table, { ...uses, table: 'write' }),",
    test: 'test/infra/grants.test.ts',
  },
  {
    guarantee: 'No function that parses callers’ files holds the table',
    file: 'functions/api/datasets/start-adaption.ts',
    search: "import { serve } from '#shared/platform/runtime/serve.ts';",
    replace:
      "import { serve } from '#shared/platform/runtime/serve.ts';\nimport '#shared/tabular/adapters/read-columns.ts';",
    test: 'test/infra/parsing-functions.test.ts',
  },
  {
    guarantee: 'What parses files reaches no dataset',
    file: 'permissions.json',
    search: '"tasks/ingest/convert-file": [',
    replace: '"tasks/ingest/convert-file": [\n    {"bucket":{"read":["datasets"]}},',
    test: 'test/infra/parsing-functions.test.ts',
  },
  {
    guarantee: 'A production stage takes no allowance',
    file: 'infra/config.ts',
    search: 'if (egressAllow.length > 0 && PRODUCTION_STAGES.includes(stage)) {',
    replace: 'if (false) {',
    test: 'test/infra/config.test.ts',
  },
  {
    guarantee: 'CloudWatch may tell the topic of alarms',
    file: 'infra/operations-stack.ts',
    search: "new ServicePrincipal('cloudwatch.amazonaws.com')",
    replace: "new ServicePrincipal('events.amazonaws.com')",
    test: 'test/infra/operations-stack.test.ts',
  },
  {
    guarantee: 'An alarm watches a metric that is written, with its dimensions',
    file: 'infra/alarms.ts',
    search: "metric: metrics.own('RunsFailed', { cause: 'service' }),",
    replace: "metric: metrics.own('RunsFailed'),",
    test: 'test/infra/operations-stack.test.ts',
  },
  {
    guarantee: 'A sweeper that is not heard of raises an alarm',
    file: 'infra/operations-stack.ts',
    search: 'contract.isAlive === true ? TreatMissingData.BREACHING',
    replace: 'contract.isAlive === true ? TreatMissingData.NOT_BREACHING',
    test: 'test/infra/operations-stack.test.ts',
  },
  {
    guarantee: 'Credentials of an attempt put its item into no list',
    file: 'infra/constructs/attempt-role.ts',
    search: "'dynamodb:Attributes': [...ATTEMPT_ATTRIBUTES]",
    replace: "'dynamodb:Attributes': [...ATTEMPT_ATTRIBUTES, 'list_pk']",
    test: 'test/infra/outside-callers.test.ts',
  },
  {
    guarantee: 'Credentials of an attempt write no job',
    file: 'infra/constructs/attempt-role.ts',
    search: '            effect: Effect.DENY,\n',
    replace: '',
    test: 'test/infra/outside-callers.test.ts',
  },
  {
    guarantee: 'Long answers leave the authorizer its share of the concurrency',
    file: 'infra/api-stack.ts',
    search: 'reservedConcurrency: config.concurrency.authorizer,',
    replace: 'reservedConcurrency: null,',
    test: 'test/infra/api-stack.test.ts',
  },
  {
    guarantee: 'ARNs name the partition that a stage is deployed in',
    file: 'statemachines/ingest.asl.yaml',
    search:
      '    Resource: arn:${Partition}:states:::lambda:invoke\n    Arguments:\n      FunctionName: ${ConvertFileFunctionArn}',
    replace:
      '    Resource: arn:aws:states:::lambda:invoke\n    Arguments:\n      FunctionName: ${ConvertFileFunctionArn}',
    test: 'test/infra/arn-partitions.test.ts',
  },
  // State machines
  {
    guarantee: 'A worker that fails for good costs only its own rows',
    file: 'statemachines/map-chunks.asl.yaml',
    search: 'ToleratedFailurePercentage: 100',
    replace: 'ToleratedFailurePercentage: 0',
    test: 'test/statemachines/definitions.test.ts',
  },
  {
    guarantee: 'Every task’s failure ends in the settlement of its run',
    file: 'statemachines/adapt.asl.yaml',
    search: '    Catch: {fail: Settle Failed Run}\n    Next: Find Doubts',
    replace: '    Next: Find Doubts',
    test: 'test/statemachines/definitions.test.ts',
  },
  {
    guarantee: 'An execution ends before its history is full',
    file: 'statemachines/train.asl.yaml',
    search: '$waits < 155',
    replace: '$waits < 1550',
    test: 'test/statemachines/history.test.ts',
  },
  {
    guarantee: 'A chunk that finds no place is not failed',
    file: 'statemachines/map-chunks.asl.yaml',
    search: '            - ErrorEquals: [Lambda.TooManyRequestsException]\n              Assign:',
    replace: '            - ErrorEquals: [Lambda.ServiceException]\n              Assign:',
    test: 'test/statemachines/definitions.test.ts',
  },
  {
    guarantee: 'A machine that merges ends its loop',
    file: 'statemachines/combine.asl.yaml',
    search: '$status = "unfinished" and $invocations < 10',
    replace: '$status = "unfinished"',
    test: 'test/statemachines/definitions.test.ts',
  },
  {
    guarantee: 'A function that a state machine found too busy is asked again',
    file: 'statemachines/policies.yaml',
    search: '        - Lambda.Unknown\n',
    replace: '',
    test: 'test/statemachines/definitions.test.ts',
  },
  // The API
  {
    guarantee: 'An unknown key of a body is refused by name',
    file: 'shared/adaptation/schema/adaptation.ts',
    search: 'export const AdaptRequest = z\n  .strictObject({',
    replace: 'export const AdaptRequest = z\n  .object({',
    test: 'test/contract/every-endpoint.test.ts',
  },
  {
    guarantee: 'A function’s permissions are what its handler needs, and permissions.json says so',
    file: 'functions/tasks/ingest/convert-file.ts',
    search: "objects({ read: ['imports'], write: ['converted'] })",
    replace: "objects({ read: ['imports', 'datasets'], write: ['converted'] })",
    test: 'test/infra/permissions.test.ts',
  },
  {
    guarantee: 'A failure tells callers nothing of its cause',
    file: 'shared/platform/errors/to-http.ts',
    search: '`The service failed. Try again; if it goes on, tell its operator the request id ${requestId}.`',
    replace: '`The service failed: ${String(error)} ${requestId}.`',
    test: 'test/contract/every-endpoint.test.ts',
  },
  {
    guarantee: 'Another team’s dataset is a missing one',
    file: 'functions/api/datasets/status.ts',
    search: 'await datasets.require(caller, params.dataset_id)',
    replace:
      '((await datasets.find(params.dataset_id)) ?? (await datasets.require(caller, params.dataset_id)))',
    test: 'test/contract/every-endpoint.test.ts',
  },
  // Order of two effects
  {
    guarantee: 'No call of the model is sent before its upper bound is reserved',
    file: 'shared/responses/decide/answer.ts',
    search: 'const turn = await ports.reserve({',
    replace: 'const turn = ((asked: TurnRequest) => asked)({',
    test: 'test/shared/responses/respond.test.ts',
  },
  {
    guarantee: 'A stored response is there before its last event',
    file: 'shared/responses/decide/answer.ts',
    search: 'await ports.keep(draft.response, draft.withheld);',
    replace: 'void ports.keep(draft.response, draft.withheld);',
    test: 'test/shared/responses/respond.test.ts',
  },
  {
    guarantee: 'A new attempt revokes the one before',
    file: 'shared/training/queue-attempt.ts',
    search: 'if (attempt > 1) await trainings.revokeAttempt({ ...id, attempt: attempt - 1 });',
    replace: '',
    test: 'test/shared/training/training-loop.test.ts',
  },
  {
    guarantee: 'A load belongs to the pool when all of it is embedded',
    file: 'shared/growth/load-pool.ts',
    search: '  await Promise.all(working);\n\n  const',
    replace: '  const',
    test: 'test/shared/growth/load-pool.test.ts',
  },
  // Prompts and models
  {
    guarantee: 'Rows are described only within fences',
    file: 'shared/datasets/decide/describe.ts',
    search: "{ name: 'columns', text: columns.join(', ') },",
    replace: "],) + fence([{ name: 'columns', text: '' },",
    test: 'test/shared/datasets/decide/describe.test.ts',
  },
  {
    guarantee: 'A text of a model that repeats the marks of the prompt is no answer',
    file: 'shared/answers/decide/read-text.ts',
    search: 'if (repeatsMarks(text)) {',
    replace: "if (text === 'marks') {",
    test: 'test/shared/datasets/echoing-model.test.ts',
  },
  {
    guarantee: 'Users of two teams are two to the provider, whatever they are called',
    file: 'shared/responses/decide/answer.ts',
    search: 'update(`${teamId}\\n${value}`)',
    replace: 'update(value)',
    test: 'test/shared/responses/respond-fields.test.ts',
  },
  // Secrets
  {
    guarantee: 'The secret of an attempt is not printed by SageMaker’s image',
    file: 'shared/training/adapters/training-jobs.ts',
    search: '        lender,\n',
    replace: '        lender,\n        secret,\n',
    test: 'test/shared/training/adapters/training-jobs.test.ts',
  },
  {
    guarantee: 'A credential goes to no other host',
    file: 'shared/platform/adapters/egress/guarded-fetch.ts',
    search: 'authorization !== null && url.origin === start.origin',
    replace: 'authorization !== null',
    test: 'test/shared/platform/adapters/egress/guarded-fetch.test.ts',
  },
  {
    guarantee: 'Requests to tool servers are not logged',
    file: 'functions/tasks/tools/call-tool-server.ts',
    search: '  const signal = AbortSignal.timeout(',
    replace: '  console.info(JSON.stringify(input));\n  const signal = AbortSignal.timeout(',
    test: 'test/functions/tasks/tools/call-tool-server.test.ts',
  },
  {
    guarantee: 'The credential for a tool server is in no answer and in nothing that is kept',
    file: 'shared/responses/respond.ts',
    search: 'const { authorization: _, server_url: url, ...shown } = tool;',
    replace: 'const { server_url: url, ...shown } = tool;',
    test: 'test/shared/responses/respond-tools.test.ts',
  },
  {
    guarantee: 'A team’s credential for imports is sent to no tool server',
    file: 'shared/responses/decide/tool-catalog.ts',
    search: '`tools/${label}`',
    replace: 'label',
    test: 'test/shared/responses/decide/tool-catalog.test.ts',
  },
  // The trainer
  {
    guarantee: 'The update of a map is in its gradient as it is in its output',
    file: 'trainer/embedded/network.ts',
    search: 'const through = np.matmul(dReduced, factors.a);',
    replace: 'const through = np.matmul(dReduced, factors.a).mul(0.9);',
    test: 'test/trainer/embedded/gradients.test.ts',
  },
  {
    guarantee: 'A training that goes on from a checkpoint has its optimiser’s state',
    file: 'trainer/embedded/run-job.ts',
    search: 'optimizer.squares.set(checkpoint.squares);',
    replace: '',
    test: 'test/trainer/embedded/run-job.test.ts',
  },
];
