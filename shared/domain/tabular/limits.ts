const MEBIBYTE = 1024 * 1024;

/** A chunk is closed at whichever of the two comes first; a single row above the bytes has a chunk of its own. */
export const CHUNK_ROWS_MAX = 1000;
export const CHUNK_BYTES_MAX = 4 * MEBIBYTE;

/** The largest row, as text in the file and as its canonical line. Bounds what any reader or worker holds. */
export const ROW_BYTES_MAX = 16 * MEBIBYTE;

/** Bounds the manifest where objects use identifiers as keys. */
export const COLUMNS_MAX = 10_000;

/** Deeper nesting than this is refused: recursive readers further down would overflow their stacks. */
export const NESTING_MAX = 500;
