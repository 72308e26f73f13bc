export const pythonCandidates: readonly string[];
export const oldestPython: string;
export const pythonAdvice: string;
export function isNewEnough(versionLine: string): boolean;
