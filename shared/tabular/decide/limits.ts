const MEBIBYTE = 1024 * 1024;

/** A chunk ends at whichever limit comes first; a single row above the byte limit has its own chunk. */
export const CHUNK_ROWS_MAX = 1000;
export const CHUNK_BYTES_MAX = 4 * MEBIBYTE;

/** Maximum size of a row, as text in the file and as its canonical line. Limits the memory of readers and workers. */
export const ROW_BYTES_MAX = 16 * MEBIBYTE;

/** Limits the manifest if objects use identifiers as keys. */
export const COLUMNS_MAX = 10_000;

/** Maximum nesting: recursive readers further down would overflow their stacks. */
export const NESTING_MAX = 500;

/** Maximum of turns in a conversation: far more than any has, and few enough that their objects fit into a function's memory. */
export const TURNS_MAX = 10_000;

/** How much of a text file is looked at to tell its delimiter and its columns, in bytes. */
export const SAMPLE_BYTES = 64 * 1024;
