/**
 * What a server has to resolve by itself, found by the compiler: fields that an object does not carry, or carries with
 * another type than may be given.
 *
 * A server declares which type stands for each object of the contract, most simply by
 * `interface ServerModels extends Omit<PlainModels<ServerModels>, 'Market'> { readonly Market: MarketRow }`.
 */
import type { ResultOf } from './field.ts';
import type { Models, ObjectName, ResolverFields } from './generated/resolver-types.ts';

/** Names of the fields of an object that cannot be read from what stands for it. */
export type UnreadyField<M extends Models, Name extends ObjectName> = {
  [F in keyof ResolverFields<M>[Name]]: M[Name] extends { readonly [Key in F]: ResultOf<ResolverFields<M>[Name][F]> }
    ? never
    : F;
}[keyof ResolverFields<M>[Name]];

export type UnreadyObject<M extends Models> = {
  [Name in ObjectName]: [UnreadyField<M, Name>] extends [never] ? never : Name;
}[ObjectName];
