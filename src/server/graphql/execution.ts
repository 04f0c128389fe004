/**
 * Executes the root fields of an operation and assembles the answer.
 *
 * Query fields run concurrently. Mutation fields run one after the other: the next starts after the answer of the
 * previous is assembled. A failed field is null. A failed non-null field makes `data` null and skips the remaining
 * fields.
 */
import { GraphQLError } from 'graphql';
import { internalError, type WireError, WireFault, wireError } from '../../protocol/index.ts';
import { type Answer, type Arguments, errorFields, type Log, type OperationContext } from './context.ts';
import type { RootField } from './operation.ts';
import type { RootResolver } from './resolvers.ts';

export interface RootCall {
  readonly root: RootField;
  readonly args: Arguments | Failed;
}

interface Execution {
  readonly kind: 'query' | 'mutation';
  readonly calls: readonly RootCall[];
  readonly variables: Arguments;
  readonly context: OperationContext;
  readonly resolvers: Readonly<Record<string, RootResolver>>;
  readonly log: Log;
}

/** The result of an argument reader or a resolver that threw an error. */
export class Failed {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** Reads the arguments of a root field. A GraphQLError reports a null variable in a non-null argument. */
export function prepareCall(root: RootField, variables: Arguments): RootCall {
  try {
    return { root, args: root.readArguments(variables) };
  } catch (error) {
    const fault = error instanceof GraphQLError ? new WireFault('INVALID', error.message) : error;
    return { root, args: new Failed(fault) };
  }
}

/** Returns the answer, synchronously if all resolvers are synchronous. */
export function execute(execution: Execution): Answer | Promise<Answer> {
  const builder = new AnswerBuilder(execution);
  const { calls } = execution;
  for (const call of calls) {
    if (builder.isDataNull) break;
    const value = builder.callResolver(call);
    if (isPromise(value))
      return calls.length === 1 ? finishSingle(builder, call, value) : finishRemaining(builder, call, value);
    builder.addField(call, value);
  }
  return builder.build();
}

function finishSingle(builder: AnswerBuilder, call: RootCall, value: PromiseLike<unknown>): Promise<Answer> {
  const finish = (settledValue: unknown): Answer => {
    builder.addField(call, settledValue);
    return builder.build();
  };
  return Promise.resolve(value).then(finish, (error) => finish(new Failed(error)));
}

/** Finishes the calls from the first one whose resolver returned a promise. @param value the promise */
async function finishRemaining(builder: AnswerBuilder, first: RootCall, value: PromiseLike<unknown>): Promise<Answer> {
  const { kind, calls } = builder.execution;
  const remaining = calls.slice(calls.indexOf(first));
  const run = (call: RootCall, index: number) => settle(index === 0 ? value : builder.callResolver(call));
  const values = kind === 'mutation' ? undefined : await Promise.all(remaining.map(run));
  for (const [index, call] of remaining.entries()) {
    if (builder.isDataNull) break;
    builder.addField(call, values === undefined ? await run(call, index) : values[index]);
  }
  return builder.build();
}

async function settle(value: unknown): Promise<unknown> {
  try {
    return await value;
  } catch (error) {
    return new Failed(error);
  }
}

class AnswerBuilder {
  readonly execution: Execution;
  /** True if a non-null field failed, which makes `data` null. */
  isDataNull = false;
  #data: Record<string, unknown> = {};
  #errors: WireError[] | undefined;

  constructor(execution: Execution) {
    this.execution = execution;
  }

  /** Calls a resolver. @returns its value, a promise, or `Failed` */
  callResolver({ root, args }: RootCall): unknown {
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

  /** Adds the answer of a root field. @param value the awaited result of `callResolver` */
  addField({ root }: RootCall, value: unknown): void {
    const { calls, variables, context, log } = this.execution;
    if (value instanceof Failed || value instanceof Error) {
      this.#fail(root, value instanceof Failed ? value.error : value);
      return;
    }
    try {
      const { data, errors } = root.project(value, variables, context);
      for (const error of errors)
        this.#report(toWireError(error.originalError ?? error, error.path ?? [], context, log));
      if (data === null) this.isDataNull = true;
      else if (calls.length === 1 && root.key !== '__proto__') this.#data = data;
      else setOwn(this.#data, root.key, data[root.key]);
    } catch (error) {
      this.#fail(root, error);
    }
  }

  build(): Answer {
    const data = this.isDataNull ? null : this.#data;
    return this.#errors === undefined ? { data } : { data, errors: this.#errors };
  }

  #fail(root: RootField, error: unknown): void {
    root.counts.failed += 1;
    const { context, log } = this.execution;
    this.#report(toWireError(error, [root.key], context, log));
    if (root.isNonNull) this.isDataNull = true;
    else setOwn(this.#data, root.key, null);
  }

  #report(error: WireError): void {
    this.#errors ??= [];
    this.#errors.push(error);
  }
}

/** Sets an own property. The property may be called `__proto__`. */
function setOwn(data: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(data, key, { value, enumerable: true });
  else data[key] = value;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

type Path = readonly (string | number)[];

/** Returns the client's error for a field. Logs every error except a `WireFault`. */
export function toWireError(thrown: unknown, path: Path, context: OperationContext, log: Log): WireError {
  if (thrown instanceof WireFault) return wireError(thrown.message, path);
  return reportInternalError(thrown, path, context, log);
}

/** Logs an error. @param path empty outside of any field @returns the client's error, without details */
export function reportInternalError(thrown: unknown, path: Path, context: OperationContext, log: Log): WireError {
  const { requestId } = context;
  log.error({ ...errorFields(thrown), requestId, path }, 'internal error while answering a request');
  return wireError(internalError(requestId).message, path);
}
