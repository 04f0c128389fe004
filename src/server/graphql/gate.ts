/**
 * Access rights and prices of root fields, checked before anything runs (docs/spec/venue.md#authentication, docs/access.md).
 *
 * The caller pays for all work that grows with a request: in advance if its size is known, otherwise afterwards. A later charge can put
 * the bucket into debt, and further requests wait until it is refilled.
 */
import {
  ACCESS,
  type Access,
  forbidden,
  isRootField,
  type RootField,
  UNAUTHORIZED,
  type WireError,
  wireError,
} from '../../protocol/index.ts';
import type { OperationContext } from './context.ts';

/** Fields whose resolvers take tokens of `order` and `cancel` instead of `read`. */
const PAYS_ORDER_BUCKETS: ReadonlySet<RootField> = new Set([
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

/** Access right and price of a root field. */
export interface FieldGate {
  readonly access: Access;
  /** Tokens of the `read` bucket. */
  readonly reads: 0 | 1;
}

/** @param name a root field, or an introspection field, which is public and pays like a read */
export function fieldGate(name: string): FieldGate {
  if (!isRootField(name)) return { access: 'PUBLIC', reads: 1 };
  return { access: ACCESS[name], reads: PAYS_ORDER_BUCKETS.has(name) ? 0 : 1 };
}

/** Errors of the root fields that the caller must not request; undefined for none. */
export function gateErrors(
  calls: readonly { readonly root: { readonly key: string; readonly gate: FieldGate } }[],
  context: Pick<OperationContext, 'viewer'>,
): readonly WireError[] | undefined {
  let errors: WireError[] | undefined;
  for (const { root } of calls) {
    const { key, gate } = root;
    const problem = problemOf(gate.access, context);
    if (problem === undefined) continue;
    errors ??= [];
    errors.push(wireError(problem, [key]));
  }
  return errors;
}

/** The message for a caller without access; undefined for a caller with access. */
function problemOf(access: Access, { viewer }: Pick<OperationContext, 'viewer'>): string | undefined {
  if (access === 'PUBLIC' || access === 'ARGUMENT') return undefined;
  if (viewer === undefined) return UNAUTHORIZED;
  const isGranted = access === 'SESSION' ? viewer.kind === 'session' : viewer.scopes.includes(access);
  return isGranted ? undefined : forbidden(access).message;
}

/** `parse` pays for documents that are not cached, `read` for answers. */
type QuotaBucket = 'read' | 'parse';

/** The token buckets of callers: one set per credential, or per address for callers without credentials. */
export interface RequestQuota {
  /**
   * Consumes tokens, all or none.
   * @param count 0 takes none
   * @returns 0 when they were consumed, else whole milliseconds until they are available
   */
  take(context: OperationContext, bucket: QuotaBucket, count: number): number;
  /** Consumes tokens even if that puts the bucket into debt. */
  charge(context: OperationContext, bucket: QuotaBucket, count: number): void;
}

const KIB = 1_024;
const BODY_BYTES = 16 * KIB;
const ANSWER_BYTES = 4 * KIB;
const FIELDS = 64;
const INTROSPECTED_VALUES = 4_000;

/** `parse` tokens of a body or message: one for each whole 16 KiB. */
export function bodyTokens(bytes: number): number {
  return Math.floor(bytes / BODY_BYTES);
}

/** `parse` tokens of a document that is not in the cache: one for each started KiB. */
export function documentTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / KIB));
}

/** `parse` tokens of a validated document: one per 64 fields with fragments expanded, and one per problem. */
export function findingsTokens(fields: number, problems: number): number {
  return Math.floor(fields / FIELDS) + problems;
}

/** Estimated `read` tokens of introspection besides its root field. */
export function introspectionTokens(values: number): number {
  return Math.floor(values / INTROSPECTED_VALUES);
}

/** `read` tokens of an answer with introspection: one for each whole 4 KiB. */
export function answerTokens(characters: number): number {
  return Math.floor(characters / ANSWER_BYTES);
}
