import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../domain/index.ts';
import type { Json } from '../../exchange/index.ts';
import { type Log, logged } from '../graphql/context.ts';
import { OperatorFault } from './command.ts';
import type { Operators, OperatorToken } from './operators.ts';

export interface OperatorRoute {
  readonly operators: Operators;
  readonly token: OperatorToken;
  readonly log: Log;
  /** Prefix of the path; default none. */
  readonly base?: string;
}

type OperatorAnswer =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/** Adds `POST {base}/operator`. */
export function operatorRoute({ operators, token, log, base = '' }: OperatorRoute): (app: FastifyInstance) => void {
  const send = (reply: FastifyReply, status: number, answer: OperatorAnswer): FastifyReply =>
    reply.status(status).send(answer);
  // Runs before the body is read, so that an unauthenticated body is never parsed.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.method !== 'POST') {
      return send(reply.header('allow', 'POST, OPTIONS'), 405, failed('METHOD', 'use POST'));
    }
    if (!token.isValid(request.headers.authorization)) {
      const problem = "the operators' token is missing or wrong (Authorization: Bearer pmo_…)";
      return send(reply, 401, failed('UNAUTHORIZED', problem));
    }
    if (request.headers['content-encoding'] !== undefined) {
      return send(reply, 415, failed('CONTENT_ENCODING', 'a command must have no content encoding'));
    }
    return undefined;
  };
  return (app) => {
    app.route({
      method: ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'],
      url: `${base}/operator`,
      onRequest,
      handler: async (request, reply) => {
        try {
          return send(reply, 200, { ok: true, result: await operators.run(request.body, request.ip) });
        } catch (error) {
          if (error instanceof OperatorFault) return send(reply, error.status, failed(error.code, error.message));
          if (error instanceof Fault && error.code === 'EXCHANGE_CLOSING') {
            return send(reply, 503, failed(error.code, error.message));
          }
          log.error({ ...logged(error), requestId: request.id }, "internal error in an operator's command");
          return send(reply, 500, failed('INTERNAL', `internal error (${request.id})`));
        }
      },
    });
  };
}

function failed(code: string, message: string): OperatorAnswer {
  return { ok: false, error: { code, message } };
}
