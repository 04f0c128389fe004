/**
 * Types that find the fields a server must resolve itself: fields that a model does not have, or has with another type.
 *
 * A server declares which type stands for each object of the API, most simply by
 * `interface ServerModels extends Omit<PlainModels<ServerModels>, 'Market'> { readonly Market: MarketRow }`.
 */
import type { ResultOf } from './field.ts';
import type { Models, ObjectName, ResolverFields } from './generated/resolver-types.ts';

/** Names of an object's fields that cannot be read from its model. */
export type FieldToResolve<M extends Models, Name extends ObjectName> = {
  [F in keyof ResolverFields<M>[Name]]: M[Name] extends { readonly [Key in F]: ResultOf<ResolverFields<M>[Name][F]> }
    ? never
    : F;
}[keyof ResolverFields<M>[Name]];

export type ObjectToResolve<M extends Models> = {
  [Name in ObjectName]: [FieldToResolve<M, Name>] extends [never] ? never : Name;
}[ObjectName];
