import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

const openssl = (folder: string, args: readonly string[]) =>
  execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });

/** Files of a CA: `<name>.pem` and `<name>.key`. */
export function createCa(folder: string, name: string): string {
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
  openssl(folder, ['req', '-x509', ...newKey, ...files, '-days', '2', '-subj', `/CN=${name}`]);
  return join(folder, `${name}.pem`);
}

/** Files of a certificate of this CA for a host or client: `<name>.pem` and `<name>.key`. `days`: -1 for a certificate that expired. */
export function createCertificate(folder: string, ca: string, name: string, days = 2): { cert: string; key: string } {
  openssl(folder, ['req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`]);
  writeFileSync(join(folder, `${name}.ext`), `subjectAltName=DNS:${name}`);
  const signing = ['-CA', `${ca}.pem`, '-CAkey', `${ca}.key`, '-CAcreateserial', '-extfile', `${name}.ext`];
  openssl(folder, ['x509', '-req', '-in', `${name}.csr`, ...signing, '-days', String(days), '-out', `${name}.pem`]);
  return { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
}
