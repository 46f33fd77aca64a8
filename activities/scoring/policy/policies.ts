import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { defaultPolicy } from '../../../domain/scoring/default-policy';
import type { Policy } from '../../../domain/scoring/policy';
import { parsePolicy } from './parse-policy';
import { PolicyError } from './policy-error';

export interface Policies {
  of(tenant: string): Policy;
  /** The version of each tenant's own policy; `default` for those without one. */
  readonly versions: Readonly<Record<string, string>>;
}

const fileName = /^([a-z0-9][a-z0-9-]{0,62})\.json$/;

function namesIn(folder: string): string[] {
  try {
    // The letter case is not looked at here, so that Acme.JSON is told as a fault and not passed over.
    return readdirSync(folder).filter((name) => /\.json$/i.test(name));
  } catch (error) {
    throw new PolicyError([
      `${folder}: cannot be read (${(error as NodeJS.ErrnoException).code}): set SCORING_POLICIES`,
    ]);
  }
}

function readPolicy(folder: string, name: string): Policy {
  let text: string;
  try {
    // A pipe would keep the worker waiting for a writer.
    if (!statSync(path.join(folder, name)).isFile()) throw new PolicyError([`${name}: is no file`]);
    // Some editors put a byte order mark first, which is no part of JSON.
    text = readFileSync(path.join(folder, name), 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof PolicyError) throw error;
    throw new PolicyError([`${name}: cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
  return parsePolicy(text, name);
}

/**
 * The policies of a folder, read once: `<tenant>.json` for its tenant and `default.json` for those without a file.
 * Without a `default.json`, or without a folder, that is the built-in policy. Files that do not end in .json are left
 * alone. A tenant's name is only looked up among the files that the folder listed. Throws PolicyError with every fault
 * of every file.
 */
export function openPolicies(folder: string | undefined): Policies {
  const byTenant = new Map<string, Policy>();
  const faults: string[] = [];
  for (const name of folder === undefined ? [] : namesIn(folder).toSorted()) {
    const tenant = fileName.exec(name)?.[1];
    if (tenant === undefined) {
      faults.push(`${name}: is not <tenant>.json or default.json; tenants are lower-case letters, digits and hyphens`);
      continue;
    }
    try {
      byTenant.set(tenant, readPolicy(folder ?? '', name));
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new PolicyError(faults);
  const fallback = byTenant.get('default') ?? defaultPolicy;
  const own = [...byTenant].map(([tenant, { version }]) => [tenant, version]);
  const versions = Object.fromEntries([['default', fallback.version], ...own]) as Record<string, string>;
  return { of: (tenant) => byTenant.get(tenant) ?? fallback, versions };
}
