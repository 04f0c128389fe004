import type { FastifyInstance } from 'fastify';
import { Fault } from '../../domain/index.ts';
import type { Json } from '../../exchange/index.ts';
import { type Log, logged } from '../graphql/index.ts';
import { OperatorFault } from './operator-fault.ts';
import type { OperatorToken } from './operator-token.ts';
import type { Operators } from './operators.ts';

/** What the route is made of. */
export interface OperatorRoute {
  readonly operators: Operators;
  readonly token: OperatorToken;
  readonly log: Log;
  /** Before the path; default none. */
  readonly base?: string;
}

/** What is answered: a result, or why there is none. */
export type OperatorAnswer =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

const OTHERS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'PUT'];

/** Adds `POST {base}/operator`. */
export function operatorRoute({ operators, token, log, base = '' }: OperatorRoute): (app: FastifyInstance) => void {
  return (app) => {
    app.post(`${base}/operator`, async (request, reply) => {
      const send = (status: number, answer: OperatorAnswer) => reply.status(status).send(answer);
      if (!token.isGood(request.headers.authorization)) {
        return send(
          401,
          failed('UNAUTHORIZED', "the operators' token is missing or wrong (Authorization: Bearer pmo_…)"),
        );
      }
      try {
        return send(200, { ok: true, result: await operators.run(request.body, request.ip) });
      } catch (error) {
        if (error instanceof OperatorFault) return send(error.status, failed(error.code, error.message));
        if (error instanceof Fault && error.code === 'DESK_CLOSED') return send(503, failed(error.code, error.message));
        log.error({ ...logged(error), requestId: request.id }, "internal error in an operator's command");
        return send(500, failed('INTERNAL', `internal error (${request.id})`));
      }
    });
    app.route({
      method: OTHERS,
      url: `${base}/operator`,
      handler: (_request, reply) =>
        reply.status(405).header('allow', 'POST, OPTIONS').send(failed('METHOD', 'ask with POST')),
    });
  };
}

function failed(code: string, message: string): OperatorAnswer {
  return { ok: false, error: { code, message } };
}
