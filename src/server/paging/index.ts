export { type Connection, connectionOf, type Edge, type ListOf, type PageInfo } from './connection.ts';
export { cursorKey } from './cursor-key.ts';
export { Cursors } from './cursors.ts';
export { type PageArguments, readPage } from './page-request.ts';
export { comparePlaces, type Direction, type Listing, type Place } from './place.ts';
export { type Rows, reversed, sortedPage } from './sorted-page.ts';
