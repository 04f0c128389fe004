/**
 * The graphql-transport-ws protocol. graphql-ws implements handshake, ids, pings and close codes. The GraphQL service
 * answers, and streams write their frames directly to the socket writer.
 */
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  GraphQLSchema,
  parse,
} from 'graphql';
import { makeServer, type Server } from 'graphql-ws';
import { internalError, type WireError, WireFault, wireError } from '../../../protocol/index.ts';
import type { CommandQueue } from '../../command-queue.ts';
import { type Answer, failedReply, type Log } from '../../graphql/context.ts';
import type { RequestPlan } from '../../graphql/request.ts';
import type { GraphqlService } from '../../graphql/service.ts';
import { RequestBatcher } from '../../http/request-batcher.ts';
import type { Feeds } from '../feeds.ts';
import type { StreamLimits } from '../options.ts';
import { type Connection, OperationFailed, RunningOperation, type SubscriptionRequest } from './connection.ts';

export interface TransportDeps {
  readonly graphql: GraphqlService;
  readonly queue: Pick<CommandQueue, 'read'>;
  readonly feeds: Feeds;
  readonly limits: StreamLimits;
  readonly log: Log;
  isDraining(): boolean;
  flush(): void;
}

/** graphql-ws requires a schema but never reads it, and reads only the kind of operation from the document. */
const NO_SCHEMA = new GraphQLSchema({});
const QUERY = parse('{ placeholder }');
const SUBSCRIPTION = parse('subscription { placeholder }');
const DRAINING_MESSAGE = 'the server is shutting down: retry later or at another server';

type PreparedExecution = ExecutionArgs | readonly GraphQLError[];

/** The context that graphql-ws keeps for an operation. */
class OperationState {
  /** A subscription sends this answer only if its stream does not start. */
  answer: Answer;
  /** Undefined for a query or a mutation. */
  readonly starting: StartingSubscription | undefined;

  constructor(answer: Answer, starting?: StartingSubscription) {
    this.answer = answer;
    this.starting = starting;
  }
}

interface StartingSubscription {
  readonly connection: Connection;
  readonly request: SubscriptionRequest;
  readonly requestId: string;
}

/** @returns a function that handles a connection after its handshake */
export function makeTransport(deps: TransportDeps): Server<Connection> {
  const batcher = new RequestBatcher();
  return makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: deps.limits.initTimeoutMs,
    onConnect: ({ connectionParams, extra }) => extra.initialize(connectionParams),
    onSubscribe: ({ extra: connection }, id, { query, variables, operationName }) => {
      if (deps.isDraining()) return toGraphqlErrors(failedReply(DRAINING_MESSAGE).answer);
      const { promise, resolve, reject } = Promise.withResolvers<PreparedExecution>();
      const request = { query, variables, operationName };
      let requestPlan: RequestPlan;
      connection.onRequest();
      // The connection reads its next message after this request has run.
      batcher.add(connection.socket, {
        prepare: () => {
          requestPlan = deps.graphql.plan(request);
        },
        run: () => {
          try {
            resolve(prepareExecution(deps, requestPlan, connection, id));
          } catch (error) {
            reject(error);
          }
        },
      });
      const onSettled = (): void => connection.onRequestAnswered();
      promise.then(onSettled, onSettled);
      return promise;
    },
    execute: () => ({}),
    subscribe: ({ contextValue }) => {
      if (!(contextValue instanceof OperationState)) throw new Error('Invariant: no subscription');
      return openStream(deps, contextValue);
    },
    onNext: (_context, _id, _payload, { contextValue }) =>
      contextValue instanceof OperationState ? contextValue.answer : undefined,
    onError: (_context, _id, _payload, errors) =>
      errors.flatMap(({ originalError, message }) =>
        originalError instanceof OperationFailed ? originalError.errors : [wireError(message)],
      ),
  });
}

/** Runs a query or a mutation, or checks a subscription. @returns the execution for graphql-ws */
function prepareExecution(
  { graphql, limits }: TransportDeps,
  requestPlan: RequestPlan,
  connection: Connection,
  id: string,
): PreparedExecution | Promise<PreparedExecution> {
  const context = connection.context();
  const opened = graphql.open(requestPlan, context);
  if (opened.kind === 'failed') return toGraphqlErrors(opened.answer);
  if (opened.kind === 'subscription') {
    const { plan } = opened;
    const problem = findLimitProblem(limits, connection, id);
    if (problem !== undefined) return toGraphqlErrors(failedReply(problem).answer);
    const { viewer, requestId } = context;
    const starting = { connection, request: { id, plan, viewer }, requestId };
    return createExecution(SUBSCRIPTION, new OperationState({ data: { [plan.key]: null } }, starting));
  }
  const { answer } = opened;
  if (answer instanceof Promise) return answer.then((resolved) => createExecution(QUERY, new OperationState(resolved)));
  return createExecution(QUERY, new OperationState(answer));
}

function findLimitProblem({ maxSubscriptions, maxIdCharacters }: StreamLimits, connection: Connection, id: string) {
  if (id.length > maxIdCharacters) return `the id of a subscription has more than ${maxIdCharacters} characters`;
  return connection.subscriptionCount < maxSubscriptions
    ? undefined
    : `more than ${maxSubscriptions} subscriptions on one connection`;
}

function createExecution(document: DocumentNode, contextValue: OperationState): ExecutionArgs {
  return { schema: NO_SCHEMA, document, contextValue };
}

/** Adds the subscription to its stream between two batches of the command queue. */
async function openStream(deps: TransportDeps, state: OperationState): Promise<RunningOperation | ExecutionResult> {
  if (state.starting === undefined) throw new Error('Invariant: a query is not a subscription');
  const { connection, request, requestId } = state.starting;
  const { key } = request.plan;
  try {
    const operation = await deps.queue.read(() => connection.run(request, (added) => deps.feeds.open(added)));
    deps.flush();
    return operation ?? {};
  } catch (error) {
    if (error instanceof WireFault && error.code === 'INVALID') {
      state.answer = { data: { [key]: null }, errors: [wireError(error.message, [key])] };
      return {};
    }
    if (error instanceof WireFault) return createFailedOperation([wireError(error.message, [key])]);
    deps.log.error({ err: error, requestId }, 'internal error while starting a subscription');
    return createFailedOperation([wireError(internalError(requestId).message, [key])]);
  }
}

function createFailedOperation(errors: readonly WireError[]): RunningOperation {
  const operation = new RunningOperation(() => undefined);
  operation.fail(errors);
  return operation;
}

function toGraphqlErrors({ errors = [] }: Answer): readonly GraphQLError[] {
  const originalError = new OperationFailed(errors);
  return [new GraphQLError(originalError.message, { originalError })];
}
