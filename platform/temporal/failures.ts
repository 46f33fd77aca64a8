import { ConfigurationError, type SharedConfig } from '../config';
import { clientCertificateExpiry, type TlsSettings, usesTls } from './tls';

/** A namespace of a Temporal server, and how to reach it. */
export type NamespaceOfServer = Pick<SharedConfig, 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE'> & TlsSettings;

/**
 * The options of the `temporal` command for a namespace, because its own default is the server at 127.0.0.1:7233. The API key stays in the
 * environment, because the text goes to logs.
 */
export function cliOptions(server: NamespaceOfServer): string {
  const options = {
    address: server.TEMPORAL_ADDRESS,
    namespace: server.TEMPORAL_NAMESPACE,
    'api-key': server.TEMPORAL_API_KEY && '"$TEMPORAL_API_KEY"',
    'tls-ca-path': server.TEMPORAL_TLS_CA,
    'tls-cert-path': server.TEMPORAL_TLS_CERT,
    'tls-key-path': server.TEMPORAL_TLS_KEY,
    'tls-server-name': server.TEMPORAL_TLS_SERVER_NAME,
  };
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${value}`]));
  return [...given, ...(server.TEMPORAL_TLS ? ['--tls'] : [])].join(' ');
}

/**
 * Temporal does not accept this process, or is not prepared for it. The message says what to change. Unlike other errors of the
 * configuration, it is retried: the change can be at Temporal, and a new server and its namespace are often created while the service starts.
 */
export class TemporalSetupError extends ConfigurationError {
  override name = 'TemporalSetupError';
}

/** The Temporal server answers, but has no such namespace. */
export class MissingNamespaceError extends TemporalSetupError {
  override name = 'MissingNamespaceError';

  constructor(server: NamespaceOfServer) {
    super(
      `Temporal at ${server.TEMPORAL_ADDRESS} has no namespace ${server.TEMPORAL_NAMESPACE}. Create it, or correct TEMPORAL_NAMESPACE.\n` +
        '  npm run temporal -- prepare\n' +
        `  temporal operator namespace create ${cliOptions(server)} --retention 72h`,
    );
  }
}

/** The server answers, and refuses the credentials of this process or their use for the namespace. */
export function accessError(server: NamespaceOfServer): TemporalSetupError {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, TEMPORAL_API_KEY: key } = server;
  const [what, advice] =
    key === undefined
      ? ['this process', 'Set TEMPORAL_API_KEY, or the client certificate in TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY']
      : ['TEMPORAL_API_KEY', 'The key is unknown, expired or disabled, or belongs to another namespace'];
  return new TemporalSetupError(
    `Temporal at ${address} refuses ${what} for the namespace ${namespace}. ${advice}, or correct TEMPORAL_NAMESPACE.`,
  );
}

interface Explanation {
  /** What the error of the SDK's core contains. */
  pattern: RegExp;
  explain: (server: NamespaceOfServer, error: string) => string;
}

const addressOf = ({ TEMPORAL_ADDRESS: address }: NamespaceOfServer) => `Temporal at ${address}`;

/** With TLS 1.3, a server checks the client certificate after the handshake. Its reason is often lost when it closes the connection. */
function explainClosed(server: NamespaceOfServer): string {
  const closed = `${addressOf(server)} closes the connection`;
  if (!usesTls(server)) return `${closed}. If it requires TLS, set TEMPORAL_TLS=true.`;
  const expiry = clientCertificateExpiry(server);
  if (!expiry) return `${closed}. If it requires a client certificate, set TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY.`;
  if (expiry.getTime() < Date.now())
    return `TEMPORAL_TLS_CERT: the client certificate expired on ${expiry.toISOString()}. Replace it and its key.`;
  return `${closed}. If it refuses the client certificate in TEMPORAL_TLS_CERT, use one of a CA that the server trusts.`;
}

/** Errors that will repeat until somebody changes something. Temporal's core gives them only as text; a test checks each of them. */
const explanations: readonly Explanation[] = [
  {
    pattern: /InvalidCertificate\((?:UnknownIssuer|BadSignature)/,
    explain: (server) =>
      server.TEMPORAL_TLS_CA === undefined
        ? `${addressOf(server)} has a certificate of an unknown CA. Set TEMPORAL_TLS_CA to the file of this CA.`
        : `${addressOf(server)} has a certificate that the CA in TEMPORAL_TLS_CA did not sign. Correct TEMPORAL_TLS_CA.`,
  },
  {
    pattern: /InvalidCertificate\(Expired/,
    explain: (server) => `${addressOf(server)} has a certificate that has expired. Renew it at the server.`,
  },
  {
    pattern: /InvalidCertificate\(NotValidForName/,
    explain: (server, error) => {
      const names = Array.from(error.matchAll(/DnsName\(\\*"([^"\\]+)/g), ([, name]) => name);
      const given = names.length > 0 ? `It is for ${names.join(', ')}` : 'It is for another name';
      return `${addressOf(server)} has a certificate that is not for this host. ${given}: set TEMPORAL_TLS_SERVER_NAME to one of its names.`;
    },
  },
  {
    pattern: /InvalidContentType|InvalidMessage/,
    explain: (server) =>
      `${addressOf(server)} does not speak TLS. Correct TEMPORAL_ADDRESS, or remove the settings TEMPORAL_TLS… and TEMPORAL_API_KEY.`,
  },
  {
    pattern: /valid authentication credentials|does not have permission|Unauthenticated|PermissionDenied/,
    explain: (server) => accessError(server).message,
  },
  // All other errors of the transport, except those before the connection is open: no answer from DNS, or no program at the port.
  { pattern: /tonic::transport::Error\(Transport, (?!ConnectError\(ConnectError\()/, explain: explainClosed },
];

/**
 * The error that tells operators why `NativeConnection.connect` failed. Undefined if the reason can pass by itself, such as a server that
 * does not run.
 */
export function explainConnectFailure(error: unknown, server: NamespaceOfServer): TemporalSetupError | undefined {
  const text = error instanceof Error ? error.message : '';
  const known = explanations.find(({ pattern }) => pattern.test(text));
  return known && new TemporalSetupError(known.explain(server, text));
}
