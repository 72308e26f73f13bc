import type { Server } from 'node:http';

/**
 * Binds a server to the loopback address; port 0 is any free one.
 * @throws what the system says, such as EADDRINUSE
 */
export function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
