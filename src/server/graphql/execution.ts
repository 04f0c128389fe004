/**
 * Executes the root fields of an operation and assembles the answer.
 *
 * Queries run concurrently. Mutations run one after the other; the answer of one is assembled before the next starts. A failed
 * field is null. A failed non-null field makes `data` null and skips the remaining fields. Execution is synchronous if all resolvers
 * are.
 */
import { GraphQLError } from 'graphql';
import { internalError, type WireError, WireFault, wireError } from '../../protocol/index.ts';
import { type Answer, type Arguments, type Log, logged, type OperationContext } from './context.ts';
import type { RootField } from './operation.ts';
import type { RootResolver } from './resolvers.ts';

/** A root field to execute. */
export interface RootCall {
  readonly root: RootField;
  /** The arguments, or the fault in them. */
  readonly args: Arguments | Failed;
}

export interface Execution {
  readonly kind: 'query' | 'mutation';
  readonly calls: readonly RootCall[];
  readonly variables: Arguments;
  readonly context: OperationContext;
  readonly resolvers: Readonly<Record<string, RootResolver>>;
  readonly log: Log;
}

/** A fault in place of a value. */
export class Failed {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** Reads the arguments of a root field. A GraphQLError means that a variable is null but its argument must not be. */
export function callOf(root: RootField, variables: Arguments): RootCall {
  try {
    return { root, args: root.argumentsFrom(variables) };
  } catch (error) {
    const fault = error instanceof GraphQLError ? new WireFault('INVALID', error.message) : error;
    return { root, args: new Failed(fault) };
  }
}

/** Returns the answer, synchronously if all resolvers are synchronous. */
export function execute(execution: Execution): Answer | Promise<Answer> {
  const assembly = new Assembly(execution);
  const { calls } = execution;
  for (const call of calls) {
    if (assembly.isVoid) break;
    const value = assembly.begin(call);
    if (isPromise(value))
      return calls.length === 1 ? finishSingle(assembly, call, value) : finishRemaining(assembly, call, value);
    assembly.finish(call, value);
  }
  return assembly.answer();
}

function finishSingle(assembly: Assembly, call: RootCall, value: PromiseLike<unknown>): Promise<Answer> {
  const finish = (settledValue: unknown): Answer => {
    assembly.finish(call, settledValue);
    return assembly.answer();
  };
  return Promise.resolve(value).then(finish, (error) => finish(new Failed(error)));
}

/** Continues after the first root field that waits for a promise. */
async function finishRemaining(assembly: Assembly, from: RootCall, first: PromiseLike<unknown>): Promise<Answer> {
  const { kind, calls } = assembly.execution;
  const remaining = calls.slice(calls.indexOf(from));
  const settle = (call: RootCall, at: number): Promise<unknown> => settled(at === 0 ? first : assembly.begin(call));
  const values = kind === 'mutation' ? undefined : await Promise.all(remaining.map(settle));
  for (const [at, call] of remaining.entries()) {
    if (assembly.isVoid) break;
    assembly.finish(call, values === undefined ? await settle(call, at) : values[at]);
  }
  return assembly.answer();
}

async function settled(value: unknown): Promise<unknown> {
  try {
    return await value;
  } catch (error) {
    return new Failed(error);
  }
}

class Assembly {
  readonly execution: Execution;
  /** True if a non-null field failed, which makes `data` null. */
  isVoid = false;
  #data: Record<string, unknown> = {};
  #errors: WireError[] | undefined;

  constructor(execution: Execution) {
    this.execution = execution;
  }

  /** Calls a resolver. @returns its value, a promise, or `Failed` */
  begin({ root, args }: RootCall): unknown {
    const { context, resolvers } = this.execution;
    if (root.isIntrospection) return undefined;
    if (args instanceof Failed) return args;
    const resolve = Object.hasOwn(resolvers, root.name) ? resolvers[root.name] : undefined;
    if (resolve === undefined) return new Failed(new Error(`Invariant: no resolver for ${root.name}`));
    try {
      return resolve(args, context);
    } catch (error) {
      return new Failed(error);
    }
  }

  /** Adds the answer of a root field. @param value the awaited result of `begin` */
  finish({ root }: RootCall, value: unknown): void {
    const { calls, variables, context, log } = this.execution;
    if (value instanceof Failed || value instanceof Error) {
      this.#fail(root, value instanceof Failed ? value.error : value);
      return;
    }
    try {
      const { data, errors } = root.project(value, variables, context);
      for (const error of errors) this.#report(failureOf(error.originalError ?? error, error.path ?? [], context, log));
      if (data === null) this.isVoid = true;
      else if (calls.length === 1 && root.key !== '__proto__') this.#data = data;
      else put(this.#data, root.key, data[root.key]);
    } catch (error) {
      this.#fail(root, error);
    }
  }

  answer(): Answer {
    const data = this.isVoid ? null : this.#data;
    return this.#errors === undefined ? { data } : { data, errors: this.#errors };
  }

  #fail(root: RootField, error: unknown): void {
    root.counts.failed += 1;
    const { context, log } = this.execution;
    const { key } = root;
    this.#report(failureOf(error, [key], context, log));
    if (root.isNonNull) this.isVoid = true;
    else put(this.#data, root.key, null);
  }

  #report(error: WireError): void {
    this.#errors ??= [];
    this.#errors.push(error);
  }
}

/** Sets an own property, also one called `__proto__`. */
function put(data: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(data, key, { value, enumerable: true });
  else data[key] = value;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

type Path = readonly (string | number)[];

/** The error for a fault of arguments or of a resolver, or for its value that violates the schema. */
export function failureOf(thrown: unknown, path: Path, context: OperationContext, log: Log): WireError {
  if (thrown instanceof WireFault) return wireError(thrown.message, path);
  return internalFailure(thrown, path, context, log);
}

/** Logs a fault. @param path empty outside of any field @returns the error without details */
export function internalFailure(thrown: unknown, path: Path, context: OperationContext, log: Log): WireError {
  const { requestId } = context;
  log.error({ ...logged(thrown), requestId, path }, 'internal error while answering a request');
  return wireError(internalError(requestId).message, path);
}
