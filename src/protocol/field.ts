/** One field of the contract, for the compiler only: its arguments as they arrive, and what it may be given. */
export interface Field<Args, Result> {
  readonly args: Args;
  readonly result: Result;
}

export type ArgsOf<F> = F extends Field<infer Args, infer _Result> ? Args : never;

export type ResultOf<F> = F extends Field<infer _Args, infer Result> ? Result : never;
