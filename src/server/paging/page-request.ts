/** The requested part of a list (docs/spec/venue.md#paging): `first` with `after`, or `last` with `before`. */
import type { PageRequest } from '../../exchange/index.ts';
import { badArgument, invalidArgument, type Raw } from '../../protocol/index.ts';
import { isGiven } from '../graphql/context.ts';

/** Arguments of a list field. A list that pages only forward has just the first two. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: Raw<'Cursor'> | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: Raw<'Cursor'> | null | undefined;
}

const DEFAULT_SIZE = 20;
const MAX_SIZE = 100;

/**
 * Reads the arguments of a page.
 * @param open decodes a cursor; throws on an invalid one
 * @throws WireFault on a size outside 0 to 100 or mixed directions; the error of `open`
 */
export function readPage<Position>(
  { first, after, last, before }: PageArguments,
  open: (cursor: Raw<'Cursor'>) => Position,
): PageRequest<Position> {
  const isForward = isGiven(first) || isGiven(after);
  const isBackward = isGiven(last) || isGiven(before);
  if (isForward && isBackward) {
    throw invalidArgument('expected first with after, or last with before, got a mix of both');
  }
  const [name, size, cursor] = isBackward ? (['last', last, before] as const) : (['first', first, after] as const);
  return {
    take: readSize(name, size),
    direction: isBackward ? 'backward' : 'forward',
    from: isGiven(cursor) ? open(cursor) : undefined,
  };
}

function readSize(name: string, size: number | null | undefined): number {
  if (!isGiven(size)) return DEFAULT_SIZE;
  if (!Number.isInteger(size) || size < 0 || size > MAX_SIZE) throw badArgument(name, size, `0 to ${MAX_SIZE}`);
  return size;
}
