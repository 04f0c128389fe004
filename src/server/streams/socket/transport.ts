/**
 * The graphql-transport-ws protocol. graphql-ws implements handshake, ids, pings and close codes. The GraphQL service answers, and
 * streams write their frames directly to the socket writer.
 *
 * graphql-ws needs a document only for the kind of operation, so it gets a minimal one.
 */
import { type ExecutionArgs, type ExecutionResult, GraphQLError, GraphQLSchema, parse } from 'graphql';
import { makeServer, type Server } from 'graphql-ws';
import { internalError, type WireError, WireFault, wireError } from '../../../protocol/index.ts';
import type { CommandQueue } from '../../command-queue.ts';
import { type Answer, type Log, type OperationContext, requestFailed } from '../../graphql/context.ts';
import type { GraphqlRequest, ReadRequest } from '../../graphql/request.ts';
import type { GraphqlService } from '../../graphql/service.ts';
import { type BatchedRequest, RequestBatcher } from '../../http/request-batcher.ts';
import type { Feeds } from '../feeds.ts';
import type { StreamLimits } from '../options.ts';
import type { Connection, SubscriptionRequest } from './connection.ts';
import { OperationFailed, RunningOperation } from './operation.ts';

export interface TransportDeps {
  readonly graphql: GraphqlService;
  readonly queue: Pick<CommandQueue, 'read'>;
  readonly feeds: Feeds;
  readonly limits: StreamLimits;
  readonly log: Log;
  isDraining(): boolean;
  /** Writes waiting messages. */
  flush(): void;
}

/** A complete answer of a query, a mutation, or a subscription that does not start. */
class Answered {
  readonly answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
  }
}

/** graphql-ws requires a schema but never reads it. */
const NO_SCHEMA = new GraphQLSchema({});
const QUERY = parse('{ answered }');
const SUBSCRIPTION = parse('subscription { answered }');
const DRAINING = 'the server is shutting down: retry later or at another server';

type PreparedExecution = ExecutionArgs | readonly GraphQLError[];

/** An accepted subscription. `answer` is sent if its stream does not start. */
class StartingSubscription {
  readonly connection: Connection;
  readonly request: SubscriptionRequest;
  readonly requestId: string;
  answer: Answer;

  constructor(connection: Connection, request: SubscriptionRequest, requestId: string) {
    this.connection = connection;
    this.request = request;
    this.requestId = requestId;
    this.answer = { data: { [request.plan.key]: null } };
  }
}

/** @returns a function that handles a connection after its handshake */
export function makeTransport(deps: TransportDeps): Server<Connection> {
  const batcher = new RequestBatcher();
  return makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: deps.limits.initTimeout,
    onConnect: ({ connectionParams, extra }) => extra.begin(connectionParams),
    onSubscribe: ({ extra: connection }, id, { query, variables, operationName }) => {
      if (deps.isDraining()) return refused(requestFailed(DRAINING).answer);
      const graphqlRequest = { query, variables, operationName };
      return new Promise((resolve, reject) => {
        batcher.add(
          connection.socket,
          new PendingSubscribe({ deps, connection, id, request: graphqlRequest, resolve, reject }),
        );
      });
    },
    execute: () => ({}),
    subscribe: ({ contextValue }) => {
      if (!(contextValue instanceof StartingSubscription)) throw new Error('Invariant: no subscription');
      return start(deps, contextValue);
    },
    onNext: (_context, _id, _payload, { contextValue }) =>
      contextValue instanceof Answered || contextValue instanceof StartingSubscription
        ? contextValue.answer
        : undefined,
    onError: (_context, _id, _payload, errors) =>
      errors.flatMap(({ originalError, message }) =>
        originalError instanceof OperationFailed ? originalError.errors : [wireError(message)],
      ),
  });
}

interface PendingSubscribeDeps {
  readonly deps: TransportDeps;
  readonly connection: Connection;
  readonly id: string;
  readonly request: GraphqlRequest;
  /** Resolves the promise that graphql-ws awaits. */
  resolve(prepared: PreparedExecution): void;
  reject(error: unknown): void;
}

/** One `subscribe` message. Its connection reads the next message after this one has run. */
class PendingSubscribe implements BatchedRequest {
  readonly #deps: PendingSubscribeDeps;
  #read: ReadRequest | undefined;

  constructor(deps: PendingSubscribeDeps) {
    this.#deps = deps;
    deps.connection.onRequest();
  }

  read(): void {
    const { deps, request } = this.#deps;
    this.#read = deps.graphql.read(request);
  }

  run(): void {
    const { deps, connection, id, reject } = this.#deps;
    if (this.#read === undefined) throw new Error('Invariant: a message is run before it is read');
    try {
      const context = connection.context();
      const opened = deps.graphql.open(this.#read, context);
      if (opened.kind === 'subscription') {
        const problem = limitProblem(deps.limits, connection, id);
        const request = { id, plan: opened.plan, viewer: context.viewer };
        this.#end(
          problem === undefined ? starting(connection, request, context) : refused(requestFailed(problem).answer),
        );
      } else if (opened.kind === 'failed') this.#end(refused(opened.answer));
      else if (opened.answer instanceof Promise) void opened.answer.then((resolved) => this.#end(answered(resolved)));
      else this.#end(answered(opened.answer));
    } catch (error) {
      connection.answered();
      reject(error);
    }
  }

  #end(prepared: PreparedExecution): void {
    this.#deps.connection.answered();
    this.#deps.resolve(prepared);
  }
}

function limitProblem({ maxSubscriptions, maxIdCharacters }: StreamLimits, connection: Connection, id: string) {
  if (id.length > maxIdCharacters) return `the id of a subscription has more than ${maxIdCharacters} characters`;
  return connection.subscriptions < maxSubscriptions
    ? undefined
    : `more than ${maxSubscriptions} subscriptions on one connection`;
}

function starting(
  connection: Connection,
  request: SubscriptionRequest,
  { requestId }: OperationContext,
): PreparedExecution {
  return {
    schema: NO_SCHEMA,
    document: SUBSCRIPTION,
    contextValue: new StartingSubscription(connection, request, requestId),
  };
}

/** Adds the subscription to its stream at the end of the turn. */
async function start(deps: TransportDeps, starting: StartingSubscription): Promise<RunningOperation | ExecutionResult> {
  const { connection, request, requestId } = starting;
  const { key } = request.plan;
  try {
    const running = await deps.queue.read(() => {
      const operation = connection.run(request, (begun) => deps.feeds.open(begun));
      deps.flush();
      return operation;
    });
    return running ?? {};
  } catch (error) {
    if (error instanceof WireFault && error.code === 'INVALID') {
      starting.answer = { data: { [key]: null }, errors: [wireError(error.message, [key])] };
      return {};
    }
    if (error instanceof WireFault) return failed([wireError(error.message, [key])]);
    deps.log.error({ err: error, requestId }, 'internal error while starting a subscription');
    return failed([wireError(internalError(requestId).message, [key])]);
  }
}

function failed(errors: readonly WireError[]): RunningOperation {
  const running = new RunningOperation(() => undefined);
  running.fail(errors);
  return running;
}

function answered(answer: Answer): ExecutionArgs {
  return { schema: NO_SCHEMA, document: QUERY, contextValue: new Answered(answer) };
}

function refused({ errors = [] }: Answer): readonly GraphQLError[] {
  const originalError = new OperationFailed(errors);
  return [new GraphQLError(originalError.message, { originalError })];
}
