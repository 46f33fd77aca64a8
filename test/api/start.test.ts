import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const program = path.join(__dirname, '..', '..', 'dist', 'api', 'main.js');

test('an API whose port is in use stops and names the port,', async () => {
  const otherProgram = createServer().listen(0, '127.0.0.1');
  await once(otherProgram, 'listening');
  const { port } = otherProgram.address() as AddressInfo;
  const settings = {
    PORT: String(port),
    DATABASE_URL: 'postgresql://127.0.0.1:9/none',
    SERVICE_KEY: Buffer.alloc(32, 7).toString('base64'),
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'only-for-tests',
  };
  const api = spawn(process.execPath, [program], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [errorText, [code]] = await Promise.all([text(api.stderr), once(api, 'exit') as Promise<[unknown]>]);
  otherProgram.close();
  expect(code).toBe(1);
  expect(errorText).toMatch(new RegExp(`EADDRINUSE.*:${port}\\b`));
});
