/** Where a page lies. */
export const PAGING_SDL = `# ======== Paging ========

"Where a page lies; both flags are exact in both directions."
type PageInfo {
  hasNextPage: Boolean! hasPreviousPage: Boolean!
  "null on an empty page" startCursor: Cursor
  "null on an empty page" endCursor: Cursor
}

`;
