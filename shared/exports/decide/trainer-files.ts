import type { FormColumns } from '#shared/tabular/decide/forms/training-row.ts';

const TAGS = {
  role_tag: 'from',
  content_tag: 'value',
  user_tag: 'human',
  assistant_tag: 'gpt',
  observation_tag: 'observation',
  function_tag: 'function_call',
  system_tag: 'system',
} as const;

/**
 * `dataset_info.json` of LLaMA-Factory, for the rows in the form of ShareGPT:
 * https://github.com/hiyouga/LLaMA-Factory/blob/main/data/README.md
 */
export function datasetInfo(fileName: string, { chosen, rejected, tools }: FormColumns): string {
  const isPairs = chosen !== null && rejected !== null;
  const columns = {
    messages: 'conversations',
    ...(isPairs ? { chosen: 'chosen', rejected: 'rejected' } : {}),
    ...(tools === null ? {} : { tools: 'tools' }),
  };
  const entry = {
    file_name: fileName,
    formatting: 'sharegpt',
    ...(isPairs ? { ranking: true } : {}),
    columns,
    tags: TAGS,
  };
  return `${JSON.stringify({ [fileName.replace(/\.sharegpt\.jsonl$/, '')]: entry }, null, 2)}\n`;
}

/**
 * The part of an Axolotl configuration that reads the rows: conversations in the form of OpenAI, or pairs in that of TRL.
 * https://docs.axolotl.ai/docs/dataset-formats/conversation.html and …/docs/rlhf.html
 */
export function axolotlConfig(
  fileOf: (form: 'openai' | 'trl') => string,
  { chosen, rejected }: FormColumns,
): string {
  const isPairs = chosen !== null && rejected !== null;
  const lines = [
    ...(isPairs ? ['rl: dpo'] : []),
    'datasets:',
    `  - path: ${JSON.stringify(fileOf(isPairs ? 'trl' : 'openai'))}`,
    '    ds_type: json',
    ...(isPairs
      ? [
          '    split: train',
          '    type: chat_template.default',
          '    field_messages: prompt',
          '    field_chosen: chosen',
          '    field_rejected: rejected',
        ]
      : ['    type: chat_template', '    field_messages: messages']),
  ];
  return `${lines.join('\n')}\n`;
}
