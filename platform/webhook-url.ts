import { isPublicAddress } from './public-addresses';

/**
 * Why a URL cannot be a webhook; undefined if it can be a webhook. Does not check the addresses of a host name. Each delivery checks them,
 * because they can change. `isLocal`: whether http and private addresses are allowed.
 */
export function webhookUrlIssue(text: string, isLocal: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be a URL such as https://hooks.example.com/countersign';
  if (url.username || url.password) return 'must have no user and password: events are signed instead';
  if (url.hash) return 'must have no fragment (#)';
  if (isLocal) return undefined;
  if (url.protocol !== 'https:') return 'must be https, except with COUNTERSIGN_ENV=local';
  return isPublicAddress(url.hostname) === false
    ? 'must not be a loopback, private or reserved address, except with COUNTERSIGN_ENV=local'
    : undefined;
}
