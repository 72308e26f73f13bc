import { expect, test } from 'vitest';
import { acceptedExample, answerExample } from '#bin/openapi/whole-examples.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { bodies } from '#test/helpers/sample-bodies.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The examples of a contract: its request, its answer and that of its 202. */
const examples = contracts.flatMap((contract) => {
  const { id, response, accepted } = contract;
  const shown = [
    bodies[id],
    ...(response === undefined ? [] : [answerExample(id, response)]),
    ...(accepted === undefined ? [] : [acceptedExample(id, accepted)]),
  ];
  return shown.filter((value) => value !== undefined).map((value) => ({ contract, value }));
});

/** Every object inside a value, itself included. */
function objectsIn(value: unknown): Fields[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : [value as Fields]), ...Object.values(value).flatMap(objectsIn)];
}

const objects = examples.flatMap(({ contract, value }) =>
  objectsIn(value).map((fields) => ({ contract, fields })),
);

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const whole = ({ source }: RegExp): RegExp => new RegExp(`^${source}$`);

/** Ids of things in lists of OpenAI’s API. */
const LISTED =
  /msg_[0-9a-f]{12}|(?:ftjob-|ftevent-|ftckpt_|file-|batch_|eval_|evalrun_|outputitem_)[0-9a-f]{32}[a-z0-9_-]*/;

/** Ids that are no UUID, by the name of their field. */
const shapes: Readonly<Record<string, RegExp>> = {
  entry_id: new RegExp(`${UUID.source}(?:-settle)?`),
  event_id: new RegExp(`evt_${UUID.source}`),
  response_id: /resp_[0-9a-f]{32}/,
  first_id: LISTED,
  last_id: LISTED,
  fine_tuning_job_id: /ftjob-[0-9a-f]{32}/,
  batch_id: /batch_[0-9a-f]{32}/,
  input_file_id: /file-[0-9a-f]{32}/,
  output_file_id: /file-[0-9a-f]{32}/,
  error_file_id: /file-[0-9a-f]{32}/,
  eval_id: /eval_[0-9a-f]{32}/,
  run_id: new RegExp(`${UUID.source}|evalrun_[0-9a-f]{32}`),
};

/** What a field identifies, where its name says it in another way. A merge's job has the id of its dataset. */
const kinds: Readonly<Record<string, string>> = {
  combine_job_id: 'dataset_id',
  source_dataset_id: 'dataset_id',
  training_experiment_id: 'experiment_id',
  created_by_user_id: 'user_id',
};

const ids = objects.flatMap(({ contract, fields }) =>
  Object.entries(fields).flatMap(([name, value]) =>
    name.endsWith('_id') && typeof value === 'string'
      ? [{ contract: contract.id, name, kind: kinds[name] ?? name, value }]
      : [],
  ),
);

test('the example of an id has the shape of the ids of its kind', () => {
  expect(ids.length).toBeGreaterThan(50);
  for (const { contract, name, value } of ids) {
    expect(value, `${name} of ${contract}`).toMatch(whole(shapes[name] ?? UUID));
  }
});

test('the example of an id stands for things of one kind only', () => {
  const kindsOf = new Map<string, Set<string>>();
  for (const { kind, value } of ids) kindsOf.set(value, (kindsOf.get(value) ?? new Set()).add(kind));

  const shared = [...kindsOf].filter(([value, of]) => of.size > 1 && !LISTED.test(value));
  expect(shared.map(([value, of]) => `${value}: ${[...of].join(', ')}`)).toEqual([]);
});

test('the example of a file name has the format of the file that its address leads to', () => {
  const files = objects.filter(({ fields }) => typeof fields.file_name === 'string');

  expect(files.length).toBeGreaterThan(3);
  for (const { contract, fields } of files) {
    const format = /(?:\.tar)?\.[a-z0-9]+$/.exec(String(fields.file_name))?.[0];
    const addresses = [fields.url, fields.upload_url, fields.s3_key].filter((each) => each !== undefined);
    expect(format, contract.id).toBeDefined();
    for (const address of addresses)
      expect(
        String(address)
          .split('?')[0]
          ?.endsWith(format ?? ''),
        contract.id,
      ).toBe(true);
    if (fields.file_format !== undefined) expect(format).toBe(`.${fields.file_format}`);
  }
});

test('the example of an address in the bucket names things that other examples name', () => {
  const known = new Set([...ids.map(({ value }) => value), ...objects.map(({ fields }) => fields.id)]);
  const addresses = objects.flatMap(({ contract, fields }) =>
    ['url', 'upload_url', 's3_key'].flatMap((name) => {
      const address = String(fields[name] ?? '');
      return name === 's3_key' || address.includes('amazonaws') ? [{ contract: contract.id, address }] : [];
    }),
  );

  expect(addresses.filter(({ address }) => address !== '').length).toBeGreaterThan(5);
  for (const { contract, address } of addresses.filter((each) => each.address !== '')) {
    const named = address.match(new RegExp(UUID.source, 'g')) ?? [];
    expect(named.length, `${contract} ${address}`).toBeGreaterThan(0);
    for (const id of named) expect(known, `${contract} ${address}`).toContain(id);
  }
});

test('the example of a deletion tells of what its route deletes', () => {
  const told = examples.flatMap(({ contract, value }) =>
    contract.method === 'DELETE' && 'message' in (value as Fields)
      ? [{ path: contract.path, message: (value as Fields).message }]
      : [],
  );

  expect(told.length).toBeGreaterThan(2);
  for (const { path, message } of told) {
    const [, noun = ''] = /\/(\w+)s\/\{\w+\}$/.exec(path) ?? [];
    expect(message).toMatch(new RegExp(`\\b${noun}\\b.* was deleted`, 'i'));
  }
});

test('the example of a published model has the address of a model', () => {
  const urls = objects.flatMap(({ contract, fields }) =>
    typeof fields.url === 'string' && fields.url.includes('huggingface.co')
      ? [{ isModel: contract.tag === 'Training', url: fields.url }]
      : [],
  );

  expect(urls.map(({ isModel }) => isModel).sort()).toEqual([false, true]);
  for (const { isModel, url } of urls) expect(url.includes('/datasets/')).toBe(!isModel);
});

test('the example of hyperparameters names the adapter in an answer, and few of them in a request', () => {
  const given = examples.flatMap(({ contract, value }) =>
    objectsIn(value).flatMap(({ hyperparams }) =>
      hyperparams === undefined
        ? []
        : [{ isRequest: value === bodies[contract.id], hyperparams: hyperparams as Fields }],
    ),
  );

  expect(given.some(({ isRequest }) => isRequest)).toBe(true);
  for (const { isRequest, hyperparams } of given) {
    if (isRequest) expect(Object.keys(hyperparams).length).toBeLessThanOrEqual(3);
    else if (hyperparams.training_type === 'lora')
      expect(hyperparams).toMatchObject({ lora_r: 16, lora_alpha: 32 });
  }
});
