/** Who may ask for which root field, and how often: tested before anything runs (venue.md 5 and 6). */
import {
  ACCESS,
  forbidden,
  isRootField,
  type RootField,
  rateLimited,
  UNAUTHORIZED,
  type WireError,
  wireError,
} from '../../protocol/index.ts';
import type { Reply } from './answer.ts';
import type { OperationContext } from './context.ts';
import type { RootSelection } from './root-fields.ts';

/** The `read` bucket of each caller. */
export interface ReadBucket {
  /**
   * Takes tokens from the bucket of the caller's credential, or of its address.
   * @returns undefined when they were there, else whole milliseconds until they will be; then nothing is taken
   */
  take(context: OperationContext, count: number): number | undefined;
}

/** What draws on `order` and `cancel` instead, by what is in the arguments: its resolver does. */
const DRAWS_ELSEWHERE: ReadonlySet<RootField> = new Set([
  'placeOrder',
  'placeOrders',
  'cancelOrder',
  'cancelOrders',
  'cancelMarketOrders',
  'cancelAllOrders',
  'replaceOrder',
  'replaceOrders',
  'reduceOrder',
]);

/** Why a request is not executed; undefined when it may be. Introspection is open, and paid for like any read. */
export function refusedAtGate(
  fields: readonly Pick<RootSelection, 'key' | 'name'>[],
  context: OperationContext,
  bucket: ReadBucket,
): Reply | undefined {
  let reads = 0;
  let errors: WireError[] | undefined;
  for (const { key, name } of fields) {
    if (!isRootField(name)) {
      reads += 1;
      continue;
    }
    if (!DRAWS_ELSEWHERE.has(name)) reads += 1;
    const problem = problemOf(name, context);
    if (problem === undefined) continue;
    errors ??= [];
    errors.push(wireError(problem, [key]));
  }
  if (errors !== undefined) return { answer: { data: null, errors } };
  const wait = reads === 0 ? undefined : bucket.take(context, reads);
  if (wait === undefined) return undefined;
  return { answer: { data: null, errors: [wireError(rateLimited(wait).message)] }, retryAfterMs: wait };
}

/** Why this caller may not have a field, as the client is told; undefined when it may. */
export function problemOf(field: RootField, { viewer }: Pick<OperationContext, 'viewer'>): string | undefined {
  const access = ACCESS[field];
  if (access === 'PUBLIC' || access === 'ARGUMENT') return undefined;
  if (viewer === undefined) return UNAUTHORIZED;
  const isGranted = access === 'SESSION' ? viewer.kind === 'session' : viewer.scopes.includes(access);
  return isGranted ? undefined : forbidden(access).message;
}
