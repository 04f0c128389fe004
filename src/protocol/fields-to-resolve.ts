/**
 * Types that find the fields for which a server needs a resolver. A field needs a resolver if the server's model lacks
 * the field, or if the field's type differs.
 *
 * A server declares the model of each object of the API, for example by
 * `interface ServerModels extends Omit<PlainModels<ServerModels>, 'Market'> { readonly Market: MarketRow }`.
 */
import type { Models, ObjectName, PlainModels } from './generated/resolver-types.ts';

export type FieldToResolve<M extends Models, Name extends ObjectName> = {
  [F in keyof PlainModels<M>[Name]]: M[Name] extends Pick<PlainModels<M>[Name], F> ? never : F;
}[keyof PlainModels<M>[Name]];

export type ObjectToResolve<M extends Models> = {
  [Name in ObjectName]: [FieldToResolve<M, Name>] extends [never] ? never : Name;
}[ObjectName];
