import { domainToASCII } from 'node:url';

/** Splits a mail address at its last `@`. Undefined if there is no `@`, or nothing in front of the `@`. */
export function splitEmail(email: string): { localPart: string; host: string } | undefined {
  const at = email.lastIndexOf('@');
  return at < 1 ? undefined : { localPart: email.slice(0, at), host: email.slice(at + 1).trim() };
}

/** The domain of a mail address as DNS knows it: in lower case and ASCII. Undefined if the address has no valid domain. */
export function mailDomainOf(email: string): string | undefined {
  const { host } = splitEmail(email) ?? {};
  return (host && domainToASCII(host)) || undefined;
}

/** The text without invisible characters. Different forms of the same character are replaced by one form (NFKC). */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim();

/** Mail providers with several domains for one mailbox. `ignored`: the characters in front of the `@` that the provider ignores. */
const providers = [
  { domain: 'gmail.com', otherDomains: ['googlemail.com'], ignored: /\./g },
  { domain: 'proton.me', otherDomains: ['protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
];
const providersByDomain = new Map(
  providers.flatMap((provider) => [provider.domain, ...provider.otherDomains].map((domain) => [domain, provider])),
);

/**
 * A text that is the same for all spellings of one mailbox. It is in lower case, without a `+tag`, and with the domain as in DNS. For Gmail
 * and Proton, it also has no characters that the provider ignores, and has the main domain of the provider. Undefined if nothing is in
 * front of the `@`, or the domain is not valid. Never send messages to this text: on some servers, an address with a tag is another
 * mailbox.
 */
export function canonicalMailbox(email: string): string | undefined {
  const domain = mailDomainOf(email);
  const localPart = normalizeText(splitEmail(email)?.localPart ?? '').toLowerCase();
  // A plus sign at the start does not begin a tag.
  const localPartWithoutTag = localPart.replace(/(?<=.)\+.*/s, '');
  const provider = domain === undefined ? undefined : providersByDomain.get(domain);
  const canonicalPart = provider ? localPartWithoutTag.replaceAll(provider.ignored, '') : localPartWithoutTag;
  if (!canonicalPart || !domain) return undefined;
  return `${canonicalPart}@${provider?.domain ?? domain}`;
}
