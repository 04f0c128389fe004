/**
 * What a request costs its caller besides the tokens of its root fields (docs/access.md, Rates).
 *
 * A stranger's request costs nothing to make, so all work that grows with it is paid for: before it is done where its size is
 * known, after it where not. After it the bucket may be in debt, and what comes next waits until that is paid back.
 */
import type { OperationContext } from './context.ts';

/** `parse` pays for reading what nobody has read before, `read` for answers. */
export type QuotaBucket = 'read' | 'parse';

/** The buckets of callers: of their credential, or of their address without one. */
export interface RequestQuota {
  /**
   * Takes tokens, all or none.
   * @param count 0 takes none
   * @returns undefined when they were there, else whole milliseconds until they will be
   */
  take(context: OperationContext, bucket: QuotaBucket, count: number): number | undefined;
  /** Takes tokens that may not be there: the bucket is in debt then. */
  charge(context: OperationContext, bucket: QuotaBucket, count: number): void;
}

const KIB = 1_024;
const BODY_BYTES = 16 * KIB;
const ANSWER_BYTES = 4 * KIB;
const FIELDS = 64;
const INTROSPECTED_VALUES = 4_000;

/** `parse` tokens of a body or message: one for each whole 16 KiB. */
export function bodyPrice(bytes: number): number {
  return Math.floor(bytes / BODY_BYTES);
}

/** `parse` tokens of a document that is not in the cache: one for each KiB that it has begun. */
export function documentPrice(text: string): number {
  return Math.max(1, Math.ceil(text.length / KIB));
}

/** `parse` tokens of a document that was looked through: fields with fragments written out by 64, and each problem found. */
export function findingsPrice(fields: number, problems: number): number {
  return Math.floor(fields / FIELDS) + problems;
}

/** `read` tokens of introspection besides its root field, as it is estimated before it runs. */
export function introspectionPrice(values: number): number {
  return Math.floor(values / INTROSPECTED_VALUES);
}

/** `read` tokens of an answer with introspection: one for each whole 4 KiB. */
export function answerPrice(characters: number): number {
  return Math.floor(characters / ANSWER_BYTES);
}
