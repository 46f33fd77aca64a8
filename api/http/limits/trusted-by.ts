import express from 'express';
import type { ApiConfig } from '../../../platform/config';

/**
 * Creates a function that tells whether the other end of a connection is one of the proxies in TRUST_PROXY. If TRUST_PROXY is a number,
 * every connection comes from a proxy.
 */
export function trustedBy(proxies: ApiConfig['TRUST_PROXY']): (address: string) => boolean {
  const isTrusted = express().set('trust proxy', proxies).get('trust proxy fn') as (
    address: string,
    hop: number,
  ) => boolean;
  return (address) => isTrusted(address, 0);
}
