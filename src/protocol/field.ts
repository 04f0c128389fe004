/** Types of the API's fields and inputs. */

/** A field with the types of its unread arguments and its results. */
export interface Field<Args, Result> {
  readonly args: Args;
  readonly result: Result;
}

export type ArgsOf<F> = F extends Field<infer Args, infer _Result> ? Args : never;

export type ResultOf<F> = F extends Field<infer _Args, infer Result> ? Result : never;

declare const unread: unique symbol;

/** Scalars whose text the resolver reads. */
export type RawScalar = 'Time' | 'Cursor' | 'UintString' | 'IntString' | 'Hex' | 'ID';

/** Unread text. At run time, the value is a plain string. */
export interface Raw<Scalar extends RawScalar> {
  readonly [unread]: Scalar;
}

/** The JSON type of an input. Unread scalars are text, and nullable fields are optional. */
export type JsonOf<Input> =
  Input extends Raw<RawScalar>
    ? string
    : Input extends readonly (infer Item)[]
      ? ReadonlyArray<JsonOf<Item>>
      : Input extends object
        ? { readonly [Key in keyof Input as null extends Input[Key] ? never : Key]: JsonOf<Input[Key]> } & {
            readonly [Key in keyof Input as null extends Input[Key] ? Key : never]?: JsonOf<Input[Key]> | undefined;
          }
        : Input;
