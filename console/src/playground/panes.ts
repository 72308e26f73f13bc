import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { TunesmithError } from 'tunesmith';
import { useApi } from '../api.tsx';
import { type Answer, type ApprovalRequest, approvalsOf, NO_ANSWER } from './answer.ts';
import { type Decision, type ResponseRequest, requestAfter } from './request.ts';
import { ask } from './stream.ts';

/** One model's side of a comparison: its turns, which are several if calls of tools had to be approved. */
export interface Pane {
  readonly model: string;
  readonly request: ResponseRequest;
  readonly turns: readonly Answer[];
  readonly isRunning: boolean;
  /** Seconds that the model has worked, in all turns. */
  readonly seconds: number;
  /** Why a request was refused or the connection was lost. */
  readonly error: TunesmithError | null;
}

/** The calls that wait for a person in a pane that has ended its turn. */
export function waitingIn({ turns, isRunning }: Pane): readonly ApprovalRequest[] {
  const last = turns.at(-1);
  return isRunning || last === undefined || last.status !== 'completed' ? [] : approvalsOf(last);
}

/** The tokens of all turns; null while none is known. */
export function tokensOf({ turns }: Pane): { readonly input: number; readonly output: number } | null {
  const known = turns.flatMap(({ usage }) => usage ?? []);
  if (known.length === 0) return null;
  return known.reduce((sum, each) => ({ input: sum.input + each.input, output: sum.output + each.output }));
}

/** Asks models side by side; each can be stopped, and goes on after decisions about its calls of tools. */
export function usePanes() {
  const { client } = useApi();
  const queries = useQueryClient();
  const [panes, setPanes] = useState<readonly Pane[]>([]);
  const controls = useRef(new Map<string, AbortController>());

  const stop = useCallback((): void => {
    for (const control of controls.current.values()) control.abort();
  }, []);
  useEffect(() => stop, [stop]);

  const turn = useCallback(
    async (model: string, request: ResponseRequest): Promise<void> => {
      const control = new AbortController();
      controls.current.set(model, control);
      const isLatest = (): boolean => controls.current.get(model) === control;
      const change = (changed: (pane: Pane) => Pane): void => {
        if (!isLatest()) return;
        setPanes((all) => all.map((pane) => (pane.model === model ? changed(pane) : pane)));
      };
      const show = (answer: Answer): void =>
        change((pane) => ({ ...pane, turns: [...pane.turns.slice(0, -1), answer] }));
      const startedAt = performance.now();
      change((pane) => ({ ...pane, isRunning: true, error: null, turns: [...pane.turns, NO_ANSWER] }));
      let error: TunesmithError | null = null;
      try {
        show(await ask(client, request, control.signal, show));
      } catch (failure) {
        if (!(failure instanceof TunesmithError)) throw failure;
        error = failure;
      } finally {
        change((pane) => ({
          ...pane,
          isRunning: false,
          error,
          seconds: pane.seconds + (performance.now() - startedAt) / 1000,
        }));
      }
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
    [client, queries],
  );

  const start = useCallback(
    (requests: readonly ResponseRequest[]): void => {
      stop();
      controls.current.clear();
      setPanes(
        requests.map((request) => ({
          model: request.model,
          request,
          turns: [],
          isRunning: true,
          seconds: 0,
          error: null,
        })),
      );
      for (const request of requests) void turn(request.model, request);
    },
    [stop, turn],
  );

  const decide = useCallback(
    (pane: Pane, decisions: readonly Decision[]): void => {
      const id = pane.turns.at(-1)?.id;
      if (id != null) void turn(pane.model, requestAfter(pane.request, id, decisions));
    },
    [turn],
  );

  return { panes, start, stop, decide };
}
