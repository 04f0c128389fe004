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

export interface Execution {
  readonly kind: 'query' | 'mutation';
  readonly roots: readonly RootField[];
  /** Arguments of each root field, or the fault in them. */
  readonly args: readonly RootArguments[];
  readonly variables: Arguments;
  readonly context: OperationContext;
  readonly resolvers: Readonly<Record<string, RootResolver>>;
  readonly log: Log;
}

export type RootArguments = { readonly args: Arguments } | { readonly fault: unknown };

/** Reads the arguments of a root field. Returns a fault instead of throwing it. */
export function argumentsOf(root: RootField, variables: Arguments): RootArguments {
  try {
    return { args: root.argumentsFrom(variables) };
  } catch (fault) {
    return { fault };
  }
}

/** Returns the answer, synchronously if all resolvers are synchronous. */
export function execute(execution: Execution): Answer | Promise<Answer> {
  const assembly = new Assembly(execution);
  const { roots } = execution;
  for (let at = 0; at < roots.length && !assembly.isVoid; at += 1) {
    const value = assembly.begin(at);
    if (isPromise(value))
      return roots.length === 1 ? finishSingle(assembly, value) : finishRemaining(assembly, at, value);
    assembly.finish(at, value);
  }
  return assembly.answer();
}

/** Waits for the only root field. */
function finishSingle(assembly: Assembly, value: PromiseLike<unknown>): Promise<Answer> {
  const finish = (settledValue: unknown): Answer => {
    assembly.finish(0, settledValue);
    return assembly.answer();
  };
  return Promise.resolve(value).then(finish, (error) => finish(new Failed(error)));
}

/** Continues after the first root field that waits for a promise. */
async function finishRemaining(assembly: Assembly, from: number, first: PromiseLike<unknown>): Promise<Answer> {
  const { kind, roots } = assembly.execution;
  if (kind === 'mutation') {
    assembly.finish(from, await settled(first));
    for (let at = from + 1; at < roots.length && !assembly.isVoid; at += 1) {
      assembly.finish(at, await settled(assembly.begin(at)));
    }
    return assembly.answer();
  }
  const waiting = [settled(first)];
  for (let at = from + 1; at < roots.length; at += 1) waiting.push(settled(assembly.begin(at)));
  const values = await Promise.all(waiting);
  for (const [place, value] of values.entries()) {
    if (!assembly.isVoid) assembly.finish(from + place, value);
  }
  return assembly.answer();
}

/** A fault in place of a value. */
class Failed {
  readonly error: unknown;
  readonly isOfArguments: boolean;

  constructor(error: unknown, isOfArguments = false) {
    this.error = error;
    this.isOfArguments = isOfArguments;
  }
}

async function settled(value: unknown): Promise<unknown> {
  try {
    return await value;
  } catch (error) {
    return new Failed(error);
  }
}

/** An incomplete answer. */
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
  begin(at: number): unknown {
    const { roots, args, context, resolvers } = this.execution;
    const [root, given] = [roots[at], args[at]];
    if (root === undefined || given === undefined) throw new Error(`Invariant: no root field ${at}`);
    if (root.isIntrospection) return undefined;
    if ('fault' in given) return new Failed(given.fault, true);
    const resolve = Object.hasOwn(resolvers, root.name) ? resolvers[root.name] : undefined;
    if (resolve === undefined) return new Failed(new Error(`Invariant: no resolver for ${root.name}`));
    try {
      return resolve(given.args, context);
    } catch (error) {
      return new Failed(error);
    }
  }

  /** Adds the answer of a root field. @param value the awaited result of `begin` */
  finish(at: number, value: unknown): void {
    const { roots, variables, context, log } = this.execution;
    const root = roots[at];
    if (root === undefined) throw new Error(`Invariant: no root field ${at}`);
    if (value instanceof Failed || value instanceof Error) {
      this.#fail(root, value);
      return;
    }
    try {
      const { data, errors } = root.project(value, variables, context);
      for (const error of errors) this.#report(failureOf(error.originalError ?? error, error.path ?? [], context, log));
      if (data === null) this.isVoid = true;
      else if (roots.length === 1 && root.key !== '__proto__') this.#data = data;
      else put(this.#data, root.key, data[root.key]);
    } catch (error) {
      this.#fail(root, new Failed(error));
    }
  }

  answer(): Answer {
    const data = this.isVoid ? null : this.#data;
    return this.#errors === undefined ? { data } : { data, errors: this.#errors };
  }

  #fail(root: RootField, failed: Failed | Error): void {
    root.counts.failed += 1;
    const { context, log } = this.execution;
    const { key } = root;
    const thrown = failed instanceof Failed ? failed.error : failed;
    const isOfArguments = failed instanceof Failed && failed.isOfArguments;
    this.#report(isOfArguments ? argumentFailure(thrown, key, context, log) : failureOf(thrown, [key], context, log));
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

/** The error for a fault of a resolver, or for its value that violates the schema. */
function failureOf(thrown: unknown, path: Path, context: OperationContext, log: Log): WireError {
  if (thrown instanceof WireFault) return wireError(thrown.message, path);
  return internalFailure(thrown, path, context, log);
}

/** The error for invalid arguments of a valid document: a variable is null but the argument must not be. */
export function argumentFailure(thrown: unknown, key: string, context: OperationContext, log: Log): WireError {
  if (thrown instanceof GraphQLError) return wireError(thrown.message, [key]);
  return internalFailure(thrown, [key], context, log);
}

/** Logs a fault. @param path empty outside of any field @returns the error without details */
export function internalFailure(thrown: unknown, path: Path, context: OperationContext, log: Log): WireError {
  const { requestId } = context;
  log.error({ ...logged(thrown), requestId, path }, 'internal error while answering a request');
  return wireError(internalError(requestId).message, path);
}
