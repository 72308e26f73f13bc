/** Where the pages come from that may call the clouds of the tests. */
export const PAGE_ORIGIN = 'https://app.example';
