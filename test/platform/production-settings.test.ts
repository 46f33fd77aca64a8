import { readApiConfig, readWorkerConfig } from '../../platform/config';

const production = {
  OIDC_AUDIENCE: 'countersign',
  COUNTERSIGN_ENV: 'production',
  PUBLIC_URL: 'https://verify.example.com',
  DATABASE_URL: 'postgres://x',
  SERVICE_KEY: 'o3nPzqk1vJxLrUu0t2c5C8mQyX4b7wZ9aEdGfHhIjKk=',
  TWILIO_ACCOUNT_SID: 'AC0',
  TWILIO_AUTH_TOKEN: '0123456789abcdef0123456789abcdef',
  TWILIO_SMS_FROM: '+1',
  TWILIO_WHATSAPP_FROM: '+1',
  SMTP_URL: 'smtp://mail',
};

test.each([
  ['PUBLIC_URL', 'http://verify.example.com', 'must be https'],
  ['PUBLIC_URL', 'http://127.0.0.1:3000', 'must be https'],
  ['OIDC_ISSUER', 'http://login.example.com', 'must be https'],
  ['OIDC_ISSUER', 'http://127.0.0.1:9000', 'must be https'],
  ['TEMPORAL_UI_URL', 'http://temporal.example.com', 'must be https'],
  ['IMAGES_S3_ENDPOINT', 'http://images.example.com', 'must be https'],
  ['SERVICE_KEY', Buffer.alloc(32, 7).toString('base64'), 'must be random'],
  ['SERVICE_KEY', Buffer.from('please-change-this-key-before-use').toString('base64'), 'must be random'],
  ['ENCRYPT_PAYLOADS', 'false', 'must be true'],
  ['TWILIO_AUTH_TOKEN', 'test', 'must have at least 32 characters'],
  ['BOOTSTRAP_CLIENTS', '[{}]', 'must be empty'],
])('the API does not start in production with %s=%s', (name, value, message) => {
  const settings = { ...production, [name]: value };
  const text = `${name}: ${message}`;
  expect(() => readApiConfig(settings)).toThrow(text);
  expect(() => readApiConfig({ ...settings, COUNTERSIGN_ENV: 'homologation' })).toThrow(text);
  expect(readApiConfig({ ...settings, COUNTERSIGN_ENV: 'local' })).toHaveProperty(name);
});

test.each([
  ['API', readApiConfig],
  ['worker', readWorkerConfig],
] as const)('the %s does not start in production with test mode', (_, read) => {
  expect(() => read({ ...production, TEST_MODE: 'true' })).toThrow('TEST_MODE: must not be true');
  expect(read({ ...production, TEST_MODE: 'false' })).toHaveProperty('TEST_MODE', 'false');
  expect(read({ ...production, TEST_MODE: 'true', COUNTERSIGN_ENV: 'homologation' })).toHaveProperty(
    'TEST_MODE',
    'true',
  );
});

test.each(['TWILIO_BASE_URL', 'BUREAU_URL', 'FACE_VERIFIER_URL'])(
  'a worker needs https for %s in production',
  (name) => {
    const read = (url: string) => readWorkerConfig({ ...production, [name]: url });
    expect(() => read('http://provider.example.com')).toThrow(`${name}: must be https`);
    expect(read('https://provider.example.com')).toHaveProperty(name);
    // A proxy on the same machine may add TLS.
    expect(read('http://127.0.0.1:9000')).toHaveProperty(name);
  },
);

test('an outside issuer needs an audience, and an address without user, query and fragment', () => {
  const { OIDC_AUDIENCE: _, ...settings } = production;
  const issuer = 'https://login.example.com/realm';
  expect(() => readApiConfig({ ...settings, OIDC_ISSUER: issuer })).toThrow(
    'OIDC_AUDIENCE: is required with OIDC_ISSUER',
  );
  expect(readApiConfig({ ...production, OIDC_ISSUER: issuer }).OIDC_ISSUER).toBe(issuer);
  for (const wrong of ['login', 'ftp://x', 'https://a:b@x', 'https://x?a=b', 'https://x#a', production.PUBLIC_URL])
    expect(() => readApiConfig({ ...production, OIDC_ISSUER: wrong })).toThrow('OIDC_ISSUER');
});
