import * as z from 'zod';
import type { GgufMetadata } from '#local/model/gguf-file.ts';

const controlToken = 3;

const TokenizerMetadata = z.object({
  tokenizer: z.object({
    ggml: z.object({
      model: z.literal('gpt2'),
      pre: z.literal('smollm'),
      tokens: z.array(z.string()),
      token_type: z.array(z.number()),
      merges: z.array(z.string()),
      bos_token_id: z.number(),
      eos_token_id: z.number(),
      unknown_token_id: z.number(),
      padding_token_id: z.number(),
    }),
    chat_template: z.string(),
  }),
  llama: z.object({ context_length: z.number() }),
});

/**
 * The tokenizer files for transformers, from the GGUF metadata: byte-level BPE with separate digits, which llama.cpp
 * calls `smollm`.
 * @throws {ZodError} for another kind of tokenizer.
 */
export function tokenizerFiles(metadata: GgufMetadata): Readonly<Record<string, unknown>> {
  const { tokenizer, llama } = TokenizerMetadata.parse(metadata);
  const { ggml } = tokenizer;
  const added = ggml.tokens.flatMap((content, id) =>
    ggml.token_type[id] === controlToken ? [{ id, content }] : [],
  );
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const special = {
    bos_token: ggml.tokens[ggml.bos_token_id],
    eos_token: ggml.tokens[ggml.eos_token_id],
    unk_token: ggml.tokens[ggml.unknown_token_id],
    pad_token: ggml.tokens[ggml.padding_token_id],
  };
  return {
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: added.map(({ id, content }) => ({ id, content, ...flags })),
      normalizer: null,
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [
          { type: 'Digits', individual_digits: true },
          { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
        ],
      },
      post_processor: null,
      decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: null,
        end_of_word_suffix: null,
        fuse_unk: false,
        byte_fallback: false,
        ignore_merges: false,
        vocab: Object.fromEntries(ggml.tokens.map((token, id) => [token, id])),
        merges: ggml.merges.map((merge) => merge.split(' ')),
      },
    },
    'tokenizer_config.json': {
      ...special,
      added_tokens_decoder: Object.fromEntries(added.map(({ id, content }) => [id, { content, ...flags }])),
      chat_template: tokenizer.chat_template,
      clean_up_tokenization_spaces: false,
      model_max_length: llama.context_length,
      // The class that uses tokenizer.json unchanged.
      tokenizer_class: 'PreTrainedTokenizerFast',
    },
    'special_tokens_map.json': special,
  };
}
