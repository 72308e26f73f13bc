/** The name by which a client of AWS tells an error; empty for what is none. */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
