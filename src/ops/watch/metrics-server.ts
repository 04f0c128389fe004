import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import { InputFault } from '../../domain/index.ts';

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves metrics for Prometheus at `GET /metrics`. @throws InputFault if it cannot listen there */
export async function serveMetrics(registry: Registry, port: number, host: string): Promise<MetricsServer> {
  const server = createServer((request, answer) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      answer.writeHead(404).end('GET /metrics\n');
      return;
    }
    registry.metrics().then(
      (text) => answer.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => answer.writeHead(500).end(`${String(error)}\n`),
    );
  });
  await listening(server, port, host);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new InputFault('metrics.port', port, `a port of ${host} that no other process listens on`, { cause }));
    });
    server.listen(port, host, () => resolve());
  });
}
