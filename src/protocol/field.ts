/** A field with the types of its arguments, before scalars are parsed, and of its result. */
export interface Field<Args, Result> {
  readonly args: Args;
  readonly result: Result;
}

export type ArgsOf<F> = F extends Field<infer Args, infer _Result> ? Args : never;

export type ResultOf<F> = F extends Field<infer _Args, infer Result> ? Result : never;

declare const unparsed: unique symbol;

/** Scalars that arrive as text, which the resolver parses. */
export type RawScalar = 'Time' | 'Cursor' | 'UintString' | 'IntString' | 'Hex' | 'ID';

/** Unparsed text. At run time, the value is a plain string. */
export interface Raw<Scalar extends RawScalar> {
  readonly [unparsed]: Scalar;
}

/** The JSON type of an input. Unparsed scalars are text, and nullable fields are optional. */
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
