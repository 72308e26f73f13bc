import type { CodeCheck } from './decide/lint/row-linter.ts';

/** Most functions that check rows see no code: the parsers are a fifth of the function that loads them. */
export const loadCodeCheck = async (): Promise<CodeCheck> => {
  const { codeFault } = await import('./decide/lint/code.ts');
  return codeFault;
};
