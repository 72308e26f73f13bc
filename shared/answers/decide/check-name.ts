import type { Diagnosis } from './diagnose.ts';

/** The name of the check that found a defect: its finding without the row's own words and numbers. */
export function checkNameOf({ why }: Extract<Diagnosis, { why: string }>): string {
  return why
    .replace(/^calculates wrongly: .*/s, 'calculates wrongly')
    .replace(/^has \S+ where the text has .*/s, 'has another number than the text')
    .replaceAll(/".*?"| \([a-z]{2}\)/gs, (part) => (part.startsWith('"') ? '"…"' : ''))
    .replaceAll(/\d[\d.,]*/g, 'n')
    .replace(/: .*$/s, '');
}
