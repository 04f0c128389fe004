/**
 * Types that find the fields for which a server needs a resolver: those that its model lacks, or has with another type.
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
