import { dirname } from 'node:path';
import type { LiveConfiguration } from '../../config/live-file.ts';
import { InputFault } from '../../domain/index.ts';
import { checkToken, type Redactor, type TcpControlOptions } from '../../ops/index.ts';
import { secretOf } from '../venue-access.ts';

export type TcpPort = Pick<TcpControlOptions, 'host' | 'port' | 'token' | 'viewerToken'>;

/**
 * Reads the tokens, and registers them with the redactor.
 * @returns undefined without `control.tcp`
 * @throws InputFault for a token that is missing, too short, or the same for operators and viewers; FileFault for its file
 */
export function tcpPort({ configuration, file }: LiveConfiguration, redactor: Redactor): TcpPort | undefined {
  const { tcp } = file.control;
  if (tcp === undefined) return undefined;
  const folder = dirname(configuration.path);
  const tokenOf = (place: typeof tcp.token, field: string): string =>
    checkToken(secretOf(place, field, folder, redactor), field);
  const token = tokenOf(tcp.token, 'control.tcp.token');
  const field = 'control.tcp.viewer_token';
  const viewerToken = tcp.viewer_token === undefined ? undefined : tokenOf(tcp.viewer_token, field);
  if (viewerToken === token) throw new InputFault(field, undefined, 'another token than `control.tcp.token`');
  return { host: tcp.host, port: tcp.port, token, viewerToken };
}
