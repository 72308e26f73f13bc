import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PromptStates, type StatefulSequence, sharedPrefixLength } from '#local/model/prompt-states.ts';

const tokens = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const prefix = tokens(200);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'prompt-states-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A sequence whose state is its tokens; each takes a byte. */
function sequence(
  contextTokens: readonly number[] = [],
): StatefulSequence & { contextTokens: readonly number[] } {
  return {
    contextTokens,
    async saveStateToFile(path) {
      writeFileSync(path, JSON.stringify(this.contextTokens));
      return { fileSize: this.contextTokens.length };
    },
    async loadStateFromFile(path) {
      this.contextTokens = JSON.parse(readFileSync(path, 'utf8'));
    },
  };
}

it('saved states of prompts gives another sequence what a prompt shares with an earlier one', async () => {
  const states = new PromptStates({ directory, bytesMax: 1_000 });
  await states.save(sequence([...prefix, 900, 901]), 202);
  const other = sequence();

  await states.restore(other, [...prefix, 950]);

  expect(sharedPrefixLength(other.contextTokens, [...prefix, 950])).toBe(200);
});

it('saved states of prompts leaves a sequence alone that holds as much itself', async () => {
  const states = new PromptStates({ directory, bytesMax: 1_000 });
  await states.save(sequence([...prefix, 900]), 201);
  const own = sequence([...prefix.slice(0, 150), 800]);

  await states.restore(own, [...prefix, 950]);

  expect(own.contextTokens).toEqual([...prefix.slice(0, 150), 800]);
});

it('saved states of prompts takes the state that shares most', async () => {
  const states = new PromptStates({ directory, bytesMax: 1_000 });
  await states.save(sequence([...prefix, ...tokens(100, 500)]), 300);
  await states.save(sequence([...prefix, ...tokens(50, 700)]), 250);
  const other = sequence();

  await states.restore(other, [...prefix, ...tokens(100, 500), 1]);

  expect(other.contextTokens).toHaveLength(300);
});

it('saved states of prompts saves nothing of a prompt of which little was read anew', async () => {
  const states = new PromptStates({ directory, bytesMax: 1_000 });

  await states.save(sequence([...prefix, 900]), 40);

  expect(readdirSync(directory)).toEqual([]);
});

it('saved states of prompts deletes the state that was used least recently when its bytes run out', async () => {
  const states = new PromptStates({ directory, bytesMax: 450 });
  await states.save(sequence(tokens(200)), 200);
  await states.save(sequence(tokens(200, 1_000)), 200);
  await states.restore(sequence(), tokens(200));

  await states.save(sequence(tokens(200, 2_000)), 200);

  const [used, unused] = [sequence(), sequence()];
  await states.restore(used, tokens(200));
  await states.restore(unused, tokens(200, 1_000));
  expect([used.contextTokens.length, unused.contextTokens.length]).toEqual([200, 0]);
  expect([states.bytes, readdirSync(directory).length]).toEqual([400, 2]);
});

it('saved states of prompts keeps no state that is larger than all of its room', async () => {
  const states = new PromptStates({ directory, bytesMax: 100 });

  await states.save(sequence(prefix), 200);

  expect([states.bytes, existsSync(join(directory, '1.state'))]).toEqual([0, false]);
});
