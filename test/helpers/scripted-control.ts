import type { Script, ScriptedStats } from './scripted-model.ts';

/** What the model of a cloud does at its start, and at the start of each file. */
export const STANDARD_SCRIPT: Script = { judge: 'fair' };

/** Steers a scripted model that runs in another process. */
export interface ScriptedControl {
  /** Replaces script and faults, and starts all counts anew. */
  setScript(script: Script): Promise<void>;
  stats(): Promise<ScriptedStats>;
}

/** @param modelUrl address of the model, ending in `/v1` */
export function controlScriptedModel(modelUrl: string): ScriptedControl {
  const root = modelUrl.replace(/\/v1$/, '');
  return {
    setScript: async (script) => {
      await fetch(`${root}/_scripted/script`, { method: 'POST', body: JSON.stringify(script) });
    },
    stats: async () => (await fetch(`${root}/_scripted/stats`)).json() as Promise<ScriptedStats>,
  };
}
