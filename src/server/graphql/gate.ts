/**
 * Access rights and token costs of root fields (docs/spec/venue.md#authentication, docs/access.md).
 *
 * All work that grows with a request consumes tokens of the caller: in advance if the size is known, otherwise
 * afterwards. A charge afterwards may leave a negative level. Further requests then wait for the refill.
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

/** Fields whose resolvers consume tokens of `order` and `cancel` instead of `read`. */
const ORDER_TOKEN_FIELDS: ReadonlySet<RootField> = new Set([
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

export interface FieldGate {
  readonly access: Access;
  /** Cost in tokens of the `read` bucket. */
  readonly readTokens: 0 | 1;
}

/** @param name a root field or an introspection field. Introspection is public and costs one read. */
export function getFieldGate(name: string): FieldGate {
  if (!isRootField(name)) return { access: 'PUBLIC', readTokens: 1 };
  return { access: ACCESS[name], readTokens: ORDER_TOKEN_FIELDS.has(name) ? 0 : 1 };
}

/** Returns an error for each root field that the caller must not request; undefined for none. */
export function findAccessErrors(
  calls: readonly { readonly root: { readonly key: string; readonly gate: FieldGate } }[],
  context: Pick<OperationContext, 'viewer'>,
): readonly WireError[] | undefined {
  const errors: WireError[] = [];
  for (const { root } of calls) {
    const problem = findAccessProblem(root.gate.access, context);
    if (problem !== undefined) errors.push(wireError(problem, [root.key]));
  }
  return errors.length > 0 ? errors : undefined;
}

function findAccessProblem(access: Access, { viewer }: Pick<OperationContext, 'viewer'>): string | undefined {
  if (access === 'PUBLIC' || access === 'ARGUMENT') return undefined;
  if (viewer === undefined) return UNAUTHORIZED;
  const isGranted = access === 'SESSION' ? viewer.kind === 'session' : viewer.scopes.includes(access);
  return isGranted ? undefined : forbidden(access).message;
}

/** `parse`: for large bodies, and for documents that are not cached. `read`: for fields and answers. */
type QuotaBucket = 'read' | 'parse';

/** The token buckets of callers: one set per credential, or per address for callers without credentials. */
export interface RequestQuota {
  /** Consumes all of the tokens or none. @returns 0 if consumed, else whole milliseconds until all are available */
  consume(context: OperationContext, bucket: QuotaBucket, count: number): number;
  /** Consumes tokens. May leave the bucket with a negative level. */
  charge(context: OperationContext, bucket: QuotaBucket, count: number): void;
}

const KIB = 1_024;

/** Returns the `parse` tokens of a body or message: one for each whole 16 KiB. */
export function bodyTokens(bytes: number): number {
  return Math.floor(bytes / (16 * KIB));
}

/** Returns the `parse` tokens of a document that is not cached: one for each started KiB. */
export function documentTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / KIB));
}

/** Returns the `parse` tokens of a validated document: one per 64 fields (fragments expanded), and one per error. */
export function validationTokens(fields: number, problems: number): number {
  return Math.floor(fields / 64) + problems;
}

/** Estimates the `read` tokens of an introspection answer, besides the root field's token: one per 4,000 values. */
export function introspectionTokens(values: number): number {
  return Math.floor(values / 4_000);
}

/** Returns the `read` tokens of an answer with introspection: one for each whole 4 KiB. */
export function answerTokens(characters: number): number {
  return Math.floor(characters / (4 * KIB));
}
