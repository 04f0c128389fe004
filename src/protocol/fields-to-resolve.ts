/**
 * Types that find the fields a server must resolve itself: fields that a model does not have, or has with another type.
 *
 * A server declares which type stands for each object of the API, most simply by
 * `interface ServerModels extends Omit<PlainModels<ServerModels>, 'Market'> { readonly Market: MarketRow }`.
 */
import type { Models, ObjectName, PlainModels } from './generated/resolver-types.ts';

/** Names of an object's fields that cannot be read from its model. */
export type FieldToResolve<M extends Models, Name extends ObjectName> = {
  [F in keyof PlainModels<M>[Name]]: M[Name] extends Pick<PlainModels<M>[Name], F> ? never : F;
}[keyof PlainModels<M>[Name]];

export type ObjectToResolve<M extends Models> = {
  [Name in ObjectName]: [FieldToResolve<M, Name>] extends [never] ? never : Name;
}[ObjectName];
