import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TLSConfig } from '@temporalio/client';
import { ConfigurationError, type SharedConfig } from '../config';

/** The settings of TLS. All but TEMPORAL_TLS may be absent. */
export type TlsSettings = Partial<
  Pick<
    SharedConfig,
    | 'TEMPORAL_TLS'
    | 'TEMPORAL_API_KEY'
    | 'TEMPORAL_TLS_CA'
    | 'TEMPORAL_TLS_CERT'
    | 'TEMPORAL_TLS_KEY'
    | 'TEMPORAL_TLS_SERVER_NAME'
  >
>;

type FileSetting = 'TEMPORAL_TLS_CA' | 'TEMPORAL_TLS_CERT' | 'TEMPORAL_TLS_KEY';

/** Whether connections to Temporal use TLS: an API key, a certificate or a server name switches it on too. */
export const usesTls = (settings: TlsSettings): boolean =>
  settings.TEMPORAL_TLS === true ||
  [
    settings.TEMPORAL_API_KEY,
    settings.TEMPORAL_TLS_CA,
    settings.TEMPORAL_TLS_CERT,
    settings.TEMPORAL_TLS_KEY,
    settings.TEMPORAL_TLS_SERVER_NAME,
  ].some((value) => value !== undefined);

function readPem<Parsed>(name: FileSetting, file: string, parse: (pem: Buffer) => Parsed, form: string) {
  let pem: Buffer;
  try {
    pem = readFileSync(file);
  } catch (error) {
    throw new ConfigurationError(`${name}: cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    return { pem, parsed: parse(pem) };
  } catch {
    throw new ConfigurationError(`${name}: ${file} is not ${form}.`);
  }
}

const readCertificate = (name: FileSetting, file: string) =>
  readPem(name, file, (pem) => new X509Certificate(pem), 'a certificate in PEM format');

const readKey = (file: string): { pem: Buffer; parsed: KeyObject } =>
  readPem('TEMPORAL_TLS_KEY', file, createPrivateKey, 'an unencrypted private key in PEM format');

/** The certificate and key with which this process identifies itself. */
function readClientPair({ TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY }: TlsSettings): TLSConfig['clientCertPair'] | undefined {
  if (TEMPORAL_TLS_CERT === undefined && TEMPORAL_TLS_KEY === undefined) return undefined;
  if (TEMPORAL_TLS_KEY === undefined)
    throw new ConfigurationError('TEMPORAL_TLS_KEY is required with TEMPORAL_TLS_CERT.');
  if (TEMPORAL_TLS_CERT === undefined)
    throw new ConfigurationError('TEMPORAL_TLS_CERT is required with TEMPORAL_TLS_KEY.');
  const certificate = readCertificate('TEMPORAL_TLS_CERT', TEMPORAL_TLS_CERT);
  const key = readKey(TEMPORAL_TLS_KEY);
  if (!certificate.parsed.checkPrivateKey(key.parsed))
    throw new ConfigurationError('TEMPORAL_TLS_KEY is not the key of the certificate in TEMPORAL_TLS_CERT.');
  return { crt: certificate.pem, key: key.pem };
}

/**
 * Reads the files of the TLS settings. Returns false without TLS. A running process does not read the files again. Throws
 * ConfigurationError if a file cannot be read, is not in PEM format, or has the wrong key.
 */
export function readTls(settings: TlsSettings): TLSConfig | false {
  if (!usesTls(settings)) return false;
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_SERVER_NAME: serverName } = settings;
  const clientCertPair = readClientPair(settings);
  return {
    ...(ca !== undefined && { serverRootCACertificate: readCertificate('TEMPORAL_TLS_CA', ca).pem }),
    ...(clientCertPair && { clientCertPair }),
    ...(serverName !== undefined && { serverNameOverride: serverName }),
  };
}

/** When the client certificate expires. Undefined without a certificate that can be read. */
export function clientCertificateExpiry({ TEMPORAL_TLS_CERT: file }: TlsSettings): Date | undefined {
  if (file === undefined) return undefined;
  return new Date(readCertificate('TEMPORAL_TLS_CERT', file).parsed.validTo);
}
