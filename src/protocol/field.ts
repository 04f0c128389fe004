/** What the compiler knows of the contract's fields and inputs. */

/** One field: its arguments as they arrive, and what it may be given. */
export interface Field<Args, Result> {
  readonly args: Args;
  readonly result: Result;
}

export type ArgsOf<F> = F extends Field<infer Args, infer _Result> ? Args : never;

export type ResultOf<F> = F extends Field<infer _Args, infer Result> ? Result : never;

declare const unread: unique symbol;

/** A scalar whose text is read by the resolver. */
export type RawScalar = 'Time' | 'Cursor' | 'UintString' | 'IntString' | 'Hex' | 'ID';

/** Unread text; at run time a plain string. */
export interface Raw<Scalar extends RawScalar> {
  readonly [unread]: Scalar;
}

/** An input as a client writes it: unread scalars are text, and what may be null may be left out. */
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
