/** Requested part of a list (docs/spec/venue.md#paging): `first` with `after`, or `last` with `before`. */
import type { PageRequest } from '../../exchange/index.ts';
import { badArgument, invalidArgument, type Raw } from '../../protocol/index.ts';

/** As it arrives; lists that run one way only have the first two. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: Raw<'Cursor'> | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: Raw<'Cursor'> | null | undefined;
}

const USUAL = 20;
const MOST = 100;

/**
 * Reads the arguments of a page.
 * @param open what a cursor stands for; throws on one that is not good here
 * @throws WireFault on sizes that are not 0 to 100, on mixed directions, and what `open` throws
 */
export function readPage<Position>(
  { first, after, last, before }: PageArguments,
  open: (cursor: Raw<'Cursor'>) => Position,
): PageRequest<Position> {
  const isForward = isGiven(first) || isGiven(after);
  const isBackward = isGiven(last) || isGiven(before);
  if (isForward && isBackward) {
    throw invalidArgument('expected first with after, or last with before, got some of both');
  }
  const [name, size, cursor] = isBackward ? (['last', last, before] as const) : (['first', first, after] as const);
  return {
    take: readSize(name, size),
    direction: isBackward ? 'backward' : 'forward',
    from: isGiven(cursor) ? open(cursor) : undefined,
  };
}

function readSize(name: string, size: number | null | undefined): number {
  if (!isGiven(size)) return USUAL;
  if (!Number.isInteger(size) || size < 0 || size > MOST) throw badArgument(name, size, `0 to ${MOST}`);
  return size;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
