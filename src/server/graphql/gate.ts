/**
 * Who may ask for which root field, and what it draws: tested before anything runs (docs/spec/venue.md#authentication,
 * docs/spec/venue.md#errors-and-transport).
 */
import {
  ACCESS,
  forbidden,
  isRootField,
  type RootField,
  UNAUTHORIZED,
  type WireError,
  wireError,
} from '../../protocol/index.ts';
import type { OperationContext } from './context.ts';
import type { RootSelection } from './root-fields.ts';

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

/** Why a request is not executed: an error for each root field that its caller may not have; undefined for none. */
export function gateErrors(
  fields: readonly Pick<RootSelection, 'key' | 'name'>[],
  context: OperationContext,
): readonly WireError[] | undefined {
  let errors: WireError[] | undefined;
  for (const { key, name } of fields) {
    // Introspection is open.
    if (!isRootField(name)) continue;
    const problem = problemOf(name, context);
    if (problem === undefined) continue;
    errors ??= [];
    errors.push(wireError(problem, [key]));
  }
  return errors;
}

/** Tokens of the `read` bucket that root fields draw. Introspection is paid for like any read. */
export function readsOf(fields: readonly Pick<RootSelection, 'name'>[]): number {
  let reads = 0;
  for (const { name } of fields) if (!isRootField(name) || !DRAWS_ELSEWHERE.has(name)) reads += 1;
  return reads;
}

/** Why this caller may not have a field, as the client is told; undefined when it may. */
export function problemOf(field: RootField, { viewer }: Pick<OperationContext, 'viewer'>): string | undefined {
  const access = ACCESS[field];
  if (access === 'PUBLIC' || access === 'ARGUMENT') return undefined;
  if (viewer === undefined) return UNAUTHORIZED;
  const isGranted = access === 'SESSION' ? viewer.kind === 'session' : viewer.scopes.includes(access);
  return isGranted ? undefined : forbidden(access).message;
}
