import type { LiveConfiguration } from '../../config/live-file.ts';
import { InputFault } from '../../domain/index.ts';
import { checkToken, type Redactor, type TcpControlOptions } from '../../ops/index.ts';
import { createSecretReader } from '../venue-access.ts';

export type TcpPort = Pick<TcpControlOptions, 'host' | 'port' | 'token' | 'viewerToken'>;

/**
 * Reads the tokens and registers both with the redactor. @returns undefined without `control.tcp`
 * @throws InputFault for a token that is missing, short, or the same for operators and viewers; FileFault for its file
 */
export function readTcpPort(live: LiveConfiguration, redactor: Redactor): TcpPort | undefined {
  const { tcp } = live.file.control;
  if (tcp === undefined) return undefined;
  const secrets = createSecretReader(live, redactor);
  const readToken = (source: typeof tcp.token, field: string): string => checkToken(secrets.read(source, field), field);
  const token = readToken(tcp.token, 'control.tcp.token');
  const field = 'control.tcp.viewer_token';
  const viewerToken = tcp.viewer_token && readToken(tcp.viewer_token, field);
  if (viewerToken === token) throw new InputFault(field, undefined, 'another token than `control.tcp.token`');
  return { host: tcp.host, port: tcp.port, token, viewerToken };
}
