import type { Server } from 'node:net';
import { InputFault } from '../domain/index.ts';

/**
 * @param port 0 for any free port @param field the port's key in the configuration
 * @returns the port. @throws InputFault if the server cannot listen on the port
 */
export function listenOn(server: Server, port: number, host: string, field: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new InputFault(field, port, `a port of ${host} that no other process listens on`, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
