/**
 * GraphQL without any transport: a request and its context in, an answer out. HTTP and WebSocket stand on it.
 *
 * The way of a request: document (from the cache, else its price is taken first) -> operation -> variables -> root fields left by
 * fragments and directives -> cost -> gate (credentials, scopes) -> rate -> resolvers -> answer. Up to the resolvers nothing has
 * run. A request that is refused on the way pays a token, too.
 */
import { type GraphQLSchema, validateSchema } from 'graphql';
import { type Answer, type Reply, rateLimitedReply, requestFailed } from './answer.ts';
import type { OperationContext } from './context.ts';
import { chooseOperation, type PreparedDocument, prepareDocument, type RefusedDocument } from './document.ts';
import { CACHE_BOUNDS, type CacheBounds, DocumentCache } from './document-cache.ts';
import { argumentsOf, execute } from './execution.ts';
import { argumentFailure, internalFailure } from './failure.ts';
import { gateErrors, readsOf } from './gate.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import type { Venue } from './operation.ts';
import { COMPILE, type CompileRule } from './projection.ts';
import { projectionSchema } from './projection-schema.ts';
import { answerPrice, documentPrice, findingsPrice, introspectionPrice, type RequestQuota } from './quota.ts';
import { type GraphqlRequest, type Opened, type Planned, type ReadRequest, type Refused, refused } from './request.ts';
import { assertComplete, type ResolverMap } from './resolver-map.ts';
import { Tallies, type Tally } from './tallies.ts';

/** What a service is made of. */
export interface ServiceOptions {
  /** `venueSchema()`, made for this service: it is given the resolvers of objects. */
  readonly schema: GraphQLSchema;
  readonly resolvers: ResolverMap;
  readonly quota: RequestQuota;
  readonly log: Log;
  readonly limits?: Limits;
  readonly cache?: CacheBounds;
  readonly compile?: CompileRule;
}

/** Answers requests. */
export class GraphqlService {
  readonly limits: Limits;
  readonly quota: RequestQuota;
  readonly #options: ServiceOptions;
  readonly #venue: Venue;
  readonly #documents: DocumentCache<PreparedDocument | RefusedDocument>;
  readonly #tallies = new Tallies();

  /** @throws Error when resolvers and schema differ */
  constructor(options: ServiceOptions) {
    const { schema, resolvers } = options;
    const problems = validateSchema(schema);
    if (problems.length > 0) throw new Error(`Invariant: the schema is not valid: ${problems.join(', ')}`);
    assertComplete(schema, resolvers);
    this.#options = options;
    this.limits = options.limits ?? LIMITS;
    this.quota = options.quota;
    this.#venue = {
      schema,
      answers: projectionSchema(schema, resolvers),
      compile: options.compile ?? COMPILE,
      tallies: this.#tallies,
    };
    this.#documents = new DocumentCache(options.cache ?? CACHE_BOUNDS);
  }

  /** Documents kept, and characters in them: for metrics. */
  get cached(): { readonly documents: number; readonly characters: number } {
    return { documents: this.#documents.size, characters: this.#documents.characters };
  }

  /** By root field: for metrics. */
  get tallies(): Iterable<readonly [string, Readonly<Tally>]> {
    return this.#tallies.entries();
  }

  /** Answers a query or a mutation; at once where all its resolvers do. Never throws, never rejects. */
  answer(request: GraphqlRequest, context: OperationContext): Reply | Promise<Reply> {
    return this.run(this.read(request), context);
  }

  /**
   * The first half of `answer`: what does not depend on who asks, and when, and costs little. Has no effects but on caches and
   * tallies. Never throws.
   */
  read(request: GraphqlRequest): ReadRequest {
    try {
      const document = this.#documents.get(request.query);
      return document === undefined ? { state: 'unread', request } : this.#plan(document, request);
    } catch (error) {
      return { state: 'broken', error };
    }
  }

  /** The second half, once for each request that was read. Never throws, never rejects. */
  run(read: ReadRequest, context: OperationContext): Reply | Promise<Reply> {
    try {
      const plan = this.#admitted(read, context);
      if (plan.state === 'refused') return plan.reply;
      if (plan.operation.kind === 'subscription')
        return requestFailed('subscriptions need a WebSocket (graphql-transport-ws)');
      const answer = this.#execute(plan, plan.operation.kind, context);
      if (!(answer instanceof Promise)) return { answer };
      return answer.then((late) => ({ answer: late }));
    } catch (error) {
      return { answer: this.#broken(error, context) };
    }
  }

  /** The second half where subscriptions may begin. Never throws. */
  open(read: ReadRequest, context: OperationContext): Opened {
    try {
      const plan = this.#admitted(read, context);
      if (plan.state === 'refused') {
        const { kind, reply } = plan;
        return { kind: kind === undefined || kind === 'subscription' ? 'failed' : 'answered', answer: reply.answer };
      }
      const { kind } = plan.operation;
      if (kind === 'subscription') return this.#subscription(plan, context);
      return { kind: 'answered', answer: this.#execute(plan, kind, context) };
    } catch (error) {
      return { kind: 'failed', answer: this.#broken(error, context) };
    }
  }

  #subscription(plan: Planned, context: OperationContext): Opened {
    const { log } = this.#options;
    const { roots, variables } = plan;
    const [root] = roots;
    const [given] = plan.args;
    if (root === undefined || given === undefined)
      return { kind: 'failed', answer: requestFailed('the subscription has no field left').answer };
    if ('fault' in given) {
      const errors = [argumentFailure(given.fault, root.key, context, log)];
      return root.isNonNull
        ? { kind: 'failed', answer: { data: null, errors } }
        : { kind: 'answered', answer: { data: { [root.key]: null }, errors } };
    }
    const resolvers = (event: unknown) => ({ [root.name]: () => event });
    return {
      kind: 'subscription',
      plan: {
        field: root.name,
        key: root.key,
        args: given.args,
        shape: root.shapeOf(variables),
        frame(event, eventContext) {
          const { args } = plan;
          const running = { roots, args, variables, context: eventContext, resolvers: resolvers(event), log };
          const answer = execute({ ...running, kind: 'query' });
          if (answer instanceof Promise) throw new Error('Invariant: an event is a promise');
          return answer;
        },
      },
    };
  }

  /** Credentials, scopes, rate. */
  #admitted(read: ReadRequest, context: OperationContext): Planned | Refused {
    if (read.state === 'broken') throw read.error;
    const plan = read.state === 'unread' ? this.#prepared(read.request, context) : read;
    if (plan.state === 'refused') {
      // Who waits for a token pays none.
      if (plan.reply.retryAfterMs !== undefined) return plan;
      return { ...plan, reply: this.#unpaid(context, 1) ?? plan.reply };
    }
    const { roots, operation, introspection } = plan;
    const errors = gateErrors(roots, context);
    const price = errors === undefined ? readsOf(roots) + introspectionPrice(introspection) : 1;
    const unpaid = price === 0 ? undefined : this.#unpaid(context, price);
    if (unpaid === undefined && errors === undefined) return plan;
    for (const { tally } of roots) tally.refused += 1;
    return {
      state: 'refused',
      reply: unpaid ?? { answer: { data: null, errors: errors ?? [] } },
      kind: operation.kind,
    };
  }

  /** What is refused where the `read` bucket does not have so many tokens. */
  #unpaid(context: OperationContext, tokens: number): Reply | undefined {
    const wait = this.quota.take(context, 'read', tokens);
    return wait === undefined ? undefined : rateLimitedReply(wait);
  }

  /** Reads a request whose document was not there when it came. */
  #prepared(request: GraphqlRequest, context: OperationContext): Planned | Refused {
    const { query } = request;
    let document = this.#documents.get(query);
    if (document === undefined) {
      const wait = this.quota.take(context, 'parse', documentPrice(query));
      if (wait !== undefined) return refused(rateLimitedReply(wait));
      const { limits } = this;
      document = this.#documents.add(query, (text, grow) =>
        prepareDocument(text, { venue: this.#venue, limits, grow }),
      );
      this.quota.charge(context, 'parse', findingsPrice(document.fields, document.problems?.length ?? 0));
    }
    return this.#plan(document, request);
  }

  #plan(document: PreparedDocument | RefusedDocument, request: GraphqlRequest): Planned | Refused {
    if (document.problems !== undefined) return refused(requestFailed(...document.problems));
    const operation = chooseOperation(document, request.operationName);
    if (typeof operation === 'string') return refused(requestFailed(operation));
    const { kind } = operation;
    const coerced = operation.coerce(request.variables ?? undefined);
    if (coerced.problems !== undefined) return refused(requestFailed(...coerced.problems), kind);
    const { variables } = coerced;
    const roots = operation.rootFields(variables);
    const args = roots.map((root) => argumentsOf(root, variables));
    for (const { tally } of roots) tally.asked += 1;
    let [cost, introspection] = [0, 0];
    for (const [at, root] of roots.entries()) {
      const given = args[at];
      if (given === undefined || 'fault' in given) continue;
      if (root.isIntrospection) introspection += root.costOf(given.args);
      else cost += root.costOf(given.args);
    }
    const { mostCost, mostIntrospection } = this.limits;
    if (cost <= mostCost && introspection <= mostIntrospection)
      return { state: 'planned', operation, roots, variables, args, introspection };
    for (const { tally } of roots) tally.refused += 1;
    return refused(cost > mostCost ? tooCostly(cost, mostCost) : tooCostly(introspection, mostIntrospection), kind);
  }

  #execute(plan: Planned, kind: 'query' | 'mutation', context: OperationContext): Answer | Promise<Answer> {
    const { resolvers, log } = this.#options;
    const map = kind === 'query' ? resolvers.Query : resolvers.Mutation;
    const answer = execute({ ...plan, kind, context, resolvers: map, log });
    const whole = plan.introspection === 0 ? answer : this.#charged(answer, plan, context);
    return whole instanceof Promise ? whole.catch((error: unknown) => this.#broken(error, context)) : whole;
  }

  /** An answer that is as large as it is, whatever it was estimated at. */
  #charged(answer: Answer | Promise<Answer>, plan: Planned, context: OperationContext): Answer | Promise<Answer> {
    if (answer instanceof Promise) return answer.then((late) => this.#charged(late, plan, context));
    const price = answerPrice(JSON.stringify(answer).length) - introspectionPrice(plan.introspection);
    this.quota.charge(context, 'read', Math.max(0, price));
    return answer;
  }

  #broken(error: unknown, context: OperationContext): Answer {
    return { data: null, errors: [internalFailure(error, context, this.#options.log)] };
  }
}

function tooCostly(cost: number, most: number): Reply {
  return requestFailed(`the answer may come to ${cost} values, more than ${most}: ask for smaller pages or for less`);
}
