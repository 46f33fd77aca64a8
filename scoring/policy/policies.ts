import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { defaultPolicy, type Policy } from '../../domain/scoring/policy';
import { parsePolicy, PolicyError } from './parse-policy';

/** The scoring policies of all tenants. */
export interface Policies {
  policyFor(tenant: string): Policy;
  /** The version of each policy, by tenant. `default`: the version of the policy for all other tenants. */
  readonly versions: Readonly<Record<string, string>>;
}

const fileNamePattern = /^([a-z0-9][a-z0-9-]{0,62})\.json$/;

function listPolicyFiles(folder: string): string[] {
  try {
    // Case-insensitive, so that Acme.JSON is reported as an issue and not ignored.
    return readdirSync(folder).filter((name) => /\.json$/i.test(name));
  } catch (error) {
    throw new PolicyError([
      `${folder}: cannot be read (${(error as NodeJS.ErrnoException).code}); set SCORING_POLICIES to a folder`,
    ]);
  }
}

function readPolicy(folder: string, name: string): Policy {
  let text: string;
  try {
    // Reading a named pipe would block the worker.
    if (!statSync(path.join(folder, name)).isFile()) throw new PolicyError([`${name}: is not a file`]);
    // Some editors add a byte order mark, which is not valid JSON.
    text = readFileSync(path.join(folder, name), 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof PolicyError) throw error;
    throw new PolicyError([`${name}: cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
  return parsePolicy(text, name);
}

/**
 * The policies of a folder, read once: `<tenant>.json` for a tenant, `default.json` for tenants without a file. Without
 * `default.json` or without a folder, the built-in policy is the default. Files that do not end in .json are ignored. Throws
 * PolicyError with every issue of every file.
 */
export function openPolicies(folder: string | undefined): Policies {
  const byTenant = new Map<string, Policy>();
  const issues: string[] = [];
  for (const name of folder === undefined ? [] : listPolicyFiles(folder).toSorted()) {
    const tenant = fileNamePattern.exec(name)?.[1];
    if (tenant === undefined) {
      issues.push(
        `${name}: is not <tenant>.json or default.json; the name of a tenant has only lower-case letters, digits and hyphens`,
      );
      continue;
    }
    try {
      byTenant.set(tenant, readPolicy(folder ?? '', name));
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      issues.push(...error.issues);
    }
  }
  if (issues.length > 0) throw new PolicyError(issues);
  const fallback = byTenant.get('default') ?? defaultPolicy;
  const tenantVersions = [...byTenant].map(([tenant, { version }]) => [tenant, version]);
  const versions = Object.fromEntries([['default', fallback.version], ...tenantVersions]) as Record<string, string>;
  return { policyFor: (tenant) => byTenant.get(tenant) ?? fallback, versions };
}
