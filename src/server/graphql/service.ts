/**
 * Answers GraphQL requests, independent of the transport.
 *
 * Steps of a request: document (from the cache, or parsed for `parse` tokens) -> operation -> variables -> root fields
 * -> cost -> gate (credentials, scopes) -> rate -> resolvers -> answer. A request that the rate limit refuses consumes
 * no `read` tokens. Most other refused requests consume one.
 */
import { type GraphQLSchema, validateSchema } from 'graphql';
import { type Answer, failedReply, type Log, type OperationContext, type Reply, rateLimitedReply } from './context.ts';
import {
  CACHE_BOUNDS,
  type CacheBounds,
  chooseOperation,
  DocumentCache,
  type PreparedDocument,
  prepareDocument,
  type RefusedDocument,
} from './documents.ts';
import { execute, Failed, prepareCall, reportInternalError, toWireError } from './execution.ts';
import {
  answerTokens,
  documentTokens,
  findAccessErrors,
  introspectionTokens,
  type RequestQuota,
  validationTokens,
} from './gate.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { FieldCounts, OperationSetup } from './operation.ts';
import { COMPILE, type CompileRule } from './projection.ts';
import {
  type GraphqlRequest,
  type OpenedRequest,
  type PlannedRequest,
  type RefusedRequest,
  type RequestPlan,
  refuseRequest,
} from './request.ts';
import { assertComplete, projectionSchema, type ResolverMap } from './resolvers.ts';

export interface ServiceOptions {
  /** From `venueSchema()`. The service attaches object resolvers, so do not share the schema. */
  readonly schema: GraphQLSchema;
  readonly resolvers: ResolverMap;
  readonly quota: RequestQuota;
  readonly log: Log;
}

export class GraphqlService {
  readonly limits: Limits;
  readonly quota: RequestQuota;
  /** Metrics by root field. Contains each field that was ever requested. */
  readonly fieldCounts: ReadonlyMap<string, Readonly<FieldCounts>>;
  readonly #options: ServiceOptions;
  readonly #setup: OperationSetup;
  readonly #documents: DocumentCache<PreparedDocument | RefusedDocument>;

  /** @param bounds only tests change them @throws Error when resolvers and schema differ */
  constructor(
    options: ServiceOptions,
    bounds: { readonly limits?: Limits; readonly cache?: CacheBounds; readonly compile?: CompileRule } = {},
  ) {
    const { limits = LIMITS, cache = CACHE_BOUNDS, compile = COMPILE } = bounds;
    const { schema, resolvers } = options;
    const problems = validateSchema(schema);
    if (problems.length > 0) throw new Error(`Invariant: the schema is not valid: ${problems.join(', ')}`);
    assertComplete(schema, resolvers);
    this.#options = options;
    this.limits = limits;
    this.quota = options.quota;
    const counters = new Map<string, FieldCounts>();
    this.fieldCounts = counters;
    this.#setup = { schema, answerSchema: projectionSchema(schema, resolvers), compile, counters };
    this.#documents = new DocumentCache(cache);
  }

  get cacheSize(): { readonly documents: number; readonly characters: number } {
    return { documents: this.#documents.size, characters: this.#documents.characters };
  }

  /** Plans and runs a query or a mutation. Never throws or rejects. */
  answer(request: GraphqlRequest, context: OperationContext): Reply | Promise<Reply> {
    return this.run(this.plan(request), context);
  }

  /** Runs the cheap checks that depend on neither caller nor time. Changes only caches and counters. Never throws. */
  plan(request: GraphqlRequest): RequestPlan {
    try {
      const document = this.#documents.get(request.query);
      return document === undefined ? { state: 'uncached', request } : this.#planParsed(document, request);
    } catch (error) {
      return { state: 'broken', error };
    }
  }

  /**
   * Runs a query or a mutation after `plan`, synchronously if all resolvers are synchronous. Call this once per
   * request. Never throws or rejects.
   */
  run(requestPlan: RequestPlan, context: OperationContext): Reply | Promise<Reply> {
    try {
      const plan = this.#admit(requestPlan, context);
      if (plan.state === 'refused') return plan.reply;
      if (plan.operation.kind === 'subscription')
        return failedReply('subscriptions need a WebSocket (graphql-transport-ws)');
      const answer = this.#execute(plan, plan.operation.kind, context);
      if (!(answer instanceof Promise)) return { answer };
      return answer.then((resolved) => ({ answer: resolved }));
    } catch (error) {
      return { answer: this.#internalError(error, context) };
    }
  }

  /** Like `run`, for transports with subscriptions. Never throws. */
  open(requestPlan: RequestPlan, context: OperationContext): OpenedRequest {
    try {
      const plan = this.#admit(requestPlan, context);
      if (plan.state === 'refused') {
        const { kind, reply } = plan;
        return { kind: kind === undefined || kind === 'subscription' ? 'failed' : 'answered', answer: reply.answer };
      }
      const { kind } = plan.operation;
      if (kind === 'subscription') return this.#planSubscription(plan, context);
      return { kind: 'answered', answer: this.#execute(plan, kind, context) };
    } catch (error) {
      return { kind: 'failed', answer: this.#internalError(error, context) };
    }
  }

  #planSubscription(plan: PlannedRequest, context: OperationContext): OpenedRequest {
    const { log } = this.#options;
    const { calls, variables } = plan;
    const [call] = calls;
    const problem = 'the subscription has no field, because directives skip all its fields';
    if (call === undefined) return { kind: 'failed', answer: failedReply(problem).answer };
    const { root, args } = call;
    if (args instanceof Failed) {
      const errors = [toWireError(args.error, [root.key], context, log)];
      return root.isNonNull
        ? { kind: 'failed', answer: { data: null, errors } }
        : { kind: 'answered', answer: { data: { [root.key]: null }, errors } };
    }
    return {
      kind: 'subscription',
      plan: {
        field: root.name,
        key: root.key,
        args,
        shape: root.computeShape(variables),
        answerEvent(event, eventContext) {
          const resolvers = { [root.name]: () => event };
          const answer = execute({ kind: 'query', calls, variables, context: eventContext, resolvers, log });
          if (answer instanceof Promise) throw new Error('Invariant: an event is a promise');
          return answer;
        },
      },
    };
  }

  #admit(requestPlan: RequestPlan, context: OperationContext): PlannedRequest | RefusedRequest {
    if (requestPlan.state === 'broken') throw requestPlan.error;
    const plan = requestPlan.state === 'uncached' ? this.#prepareAndPlan(requestPlan.request, context) : requestPlan;
    if (plan.state === 'refused') {
      if (plan.reply.retryAfterMs !== undefined) return plan;
      return { ...plan, reply: this.#consumeReadTokens(context, 1) ?? plan.reply };
    }
    const { calls, operation, introspection } = plan;
    const errors = findAccessErrors(calls, context);
    const readTokens = calls.reduce((sum, { root }) => sum + root.gate.readTokens, introspectionTokens(introspection));
    const tokens = errors === undefined ? readTokens : 1;
    const rateLimit = tokens === 0 ? undefined : this.#consumeReadTokens(context, tokens);
    if (rateLimit === undefined && errors === undefined) return plan;
    for (const { root } of calls) root.counts.refused += 1;
    return refuseRequest(rateLimit ?? { answer: { data: null, errors: errors ?? [] } }, operation.kind);
  }

  /** Consumes `read` tokens. @returns the refusal if the bucket has too few tokens */
  #consumeReadTokens(context: OperationContext, tokens: number): Reply | undefined {
    const waitMs = this.quota.consume(context, 'read', tokens);
    return waitMs === 0 ? undefined : rateLimitedReply(waitMs);
  }

  #prepareAndPlan(request: GraphqlRequest, context: OperationContext): PlannedRequest | RefusedRequest {
    const { query } = request;
    let document = this.#documents.get(query);
    if (document === undefined) {
      const waitMs = this.quota.consume(context, 'parse', documentTokens(query));
      if (waitMs > 0) return refuseRequest(rateLimitedReply(waitMs));
      const { limits } = this;
      document = this.#documents.add(query, (text, reportGrowth) =>
        prepareDocument(text, { setup: this.#setup, limits, reportGrowth }),
      );
      this.quota.charge(context, 'parse', validationTokens(document.fields, document.problems?.length ?? 0));
    }
    return this.#planParsed(document, request);
  }

  #planParsed(document: PreparedDocument | RefusedDocument, request: GraphqlRequest): PlannedRequest | RefusedRequest {
    if (document.problems !== undefined) return refuseRequest(failedReply(...document.problems));
    const operation = chooseOperation(document, request.operationName);
    if (typeof operation === 'string') return refuseRequest(failedReply(operation));
    const { kind } = operation;
    const coerced = operation.coerce(request.variables ?? undefined);
    if (coerced.problems !== undefined) return refuseRequest(failedReply(...coerced.problems), kind);
    const { variables } = coerced;
    const calls = operation.rootFields(variables).map((root) => prepareCall(root, variables));
    let [cost, introspection] = [0, 0];
    for (const { root, args } of calls) {
      root.counts.requested += 1;
      if (args instanceof Failed) continue;
      if (root.isIntrospection) introspection += root.estimateCost(args);
      else cost += root.estimateCost(args);
    }
    const { maxCost, maxIntrospection } = this.limits;
    if (cost <= maxCost && introspection <= maxIntrospection)
      return { state: 'planned', operation, calls, variables, introspection };
    for (const { root } of calls) root.counts.refused += 1;
    return refuseRequest(cost > maxCost ? tooCostly(cost, maxCost) : tooCostly(introspection, maxIntrospection), kind);
  }

  #execute(plan: PlannedRequest, kind: 'query' | 'mutation', context: OperationContext): Answer | Promise<Answer> {
    const { resolvers, log } = this.#options;
    const map = kind === 'query' ? resolvers.Query : resolvers.Mutation;
    const answer = execute({ ...plan, kind, context, resolvers: map, log });
    if (!(answer instanceof Promise)) return this.#chargeExcess(answer, plan, context);
    const charged =
      plan.introspection === 0 ? answer : answer.then((resolved) => this.#chargeExcess(resolved, plan, context));
    return charged.catch((error: unknown) => this.#internalError(error, context));
  }

  /** Charges an introspection answer that is larger than its estimate. */
  #chargeExcess(answer: Answer, { introspection }: PlannedRequest, context: OperationContext): Answer {
    if (introspection === 0) return answer;
    const tokens = answerTokens(JSON.stringify(answer).length) - introspectionTokens(introspection);
    this.quota.charge(context, 'read', Math.max(0, tokens));
    return answer;
  }

  #internalError(error: unknown, context: OperationContext): Answer {
    return { data: null, errors: [reportInternalError(error, [], context, this.#options.log)] };
  }
}

function tooCostly(cost: number, maxCost: number): Reply {
  return failedReply(`the answer may have ${cost} values, more than ${maxCost}: request smaller pages or fewer fields`);
}
