import { domainToASCII } from 'node:url';

/** Maximum length of a mail address in octets: 256 with its angle brackets (RFC 5321, 4.5.3.1.3). */
export const mailAddressOctetsMax = 254;

/** Maximum length of the part in front of the `@`, in octets (RFC 5321, 4.5.3.1.1). */
const localPartOctetsMax = 64;

/** No spaces, no invisible characters, and none of the characters that separate addresses or headers. */
const localPartPattern = /^[^\s@<>()[\]\\,;:"\p{C}]+$/u;

/**
 * What `domainToASCII` may read. It also reads parts of URLs, such as `%61` or `/path`, so ASCII is limited to letters, digits, hyphens and
 * dots. Of the invisible characters, only the joiners (U+200C, U+200D) are allowed, because some scripts need them.
 */
const domainCharacters = /^(?:[A-Za-z0-9.-]|[^\0-\x7f\s\p{C}]|[\u200c\u200d])+$/u;

/** At least two labels of letters, digits and inner hyphens (RFC 5321, 4.1.2). The last one has a letter, so it is no IPv4 address. */
const asciiDomainPattern =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** The domain as DNS knows it: in lower case and ASCII (IDNA). Undefined if a mail domain cannot have this name. */
export function toMailDomain(host: string): string | undefined {
  const domain = domainCharacters.test(host) ? domainToASCII(host) : '';
  return asciiDomainPattern.test(domain) ? domain : undefined;
}

/** Splits a mail address at its last `@`. Undefined if there is no `@`, or nothing in front of the `@`. */
export function splitEmail(email: string): { localPart: string; host: string } | undefined {
  const at = email.lastIndexOf('@');
  return at < 1 ? undefined : { localPart: email.slice(0, at), host: email.slice(at + 1).trim() };
}

/** The domain of a mail address as DNS knows it: in lower case and ASCII. Undefined if the address has no valid domain. */
export function mailDomainOf(email: string): string | undefined {
  const { host } = splitEmail(email) ?? {};
  return host === undefined ? undefined : toMailDomain(host);
}

/** A domain and the domains above it, the most specific first, without the top-level domain: `a.example.com` and `example.com`. */
export function domainsAbove(domain: string): string[] {
  const labels = domain.split('.');
  return Array.from({ length: labels.length - 1 }, (_, index) => labels.slice(index).join('.'));
}

/** Whether a text is the address of one mailbox. Dots may be anywhere in front of the `@`, because some providers give out such addresses. */
export function isMailAddress(text: string): boolean {
  const { localPart = '', host = '' } = splitEmail(text) ?? {};
  const domain = toMailDomain(host);
  return (
    domain !== undefined &&
    localPartPattern.test(localPart) &&
    Buffer.byteLength(localPart) <= localPartOctetsMax &&
    Buffer.byteLength(`${localPart}@${domain}`) <= mailAddressOctetsMax
  );
}

/** The text without invisible characters. Different forms of the same character are replaced by one form (NFKC). */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim();

/** Splits `tag@name.fastmail.com` into name and domain. Undefined for all other addresses. */
function splitNameDomain(domain: string): { name: string; domain: string } | undefined {
  const [label = '', ...labels] = domain.split('.');
  const parent = labels.join('.');
  // A name with an underscore has a hyphen here, because domains cannot have underscores.
  return findMailProvider(parent)?.hasNameDomains ? { name: label.replaceAll('-', '_'), domain: parent } : undefined;
}

/**
 * A text that is the same for all spellings of one mailbox. It is in lower case, without a `+tag`, and with the domain as in DNS. For
 * providers whose mailboxes have more addresses, it also follows the rules of the provider. Undefined if nothing is
 * in front of the `@`, or the domain is not valid. Never send messages to this text: on some servers, an address with a tag is another
 * mailbox.
 */
export function canonicalMailbox(email: string): string | undefined {
  const mailDomain = mailDomainOf(email);
  const localPart = normalizeText(splitEmail(email)?.localPart ?? '').toLowerCase();
  if (!localPart || mailDomain === undefined) return undefined;
  const { name, domain } = splitNameDomain(mailDomain) ?? { name: localPart, domain: mailDomain };
  const provider = findMailProvider(domain);
  const { tagStart = /\+/, normalizeName = (text: string) => text } = provider ?? {};
  // A tag cannot begin at the first character.
  const tagAt = name.slice(1).search(tagStart);
  const canonicalName = normalizeName(tagAt < 0 ? name : name.slice(0, 1 + tagAt));
  return canonicalName === '' ? undefined : `${canonicalName}@${provider?.sharesNames ? provider.domains[0] : domain}`;
}

/** How a mail provider maps addresses to mailboxes, as far as all addresses of one mailbox can be computed from one of them. */
export interface MailProvider {
  /** Where the provider documents these rules. */
  source: string;
  domains: readonly [main: string, ...others: string[]];
  /** Whether the same name is the same mailbox on all domains. If false, each domain has its own mailboxes. */
  sharesNames: boolean;
  /** Changes the part in front of the `@` and its tag, so that all spellings of one name become equal. */
  normalizeName?: (name: string) => string;
  /** Where a tag begins. By default, at a plus sign. */
  tagStart?: RegExp;
  /** Whether `tag@name.domain` is the mailbox `name@domain`. */
  hasNameDomains?: boolean;
}

/**
 * Providers whose mailboxes have more addresses than `name@domain` and `name+tag@domain`. A new provider or domain changes the hash of its
 * mailboxes, so searches and limits no longer find what was saved before.
 */
const providers: readonly MailProvider[] = [
  {
    source: 'https://support.google.com/mail/answer/7436150',
    domains: ['gmail.com', 'googlemail.com'],
    sharesNames: true,
    normalizeName: (name) => name.replaceAll('.', ''),
  },
  {
    source: 'https://proton.me/support/addresses-and-aliases',
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    sharesNames: true,
    normalizeName: (name) => name.replaceAll(/[._-]/g, ''),
  },
  {
    source: 'https://support.apple.com/118230',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    sharesNames: true,
  },
  {
    // In a name, a dot and a hyphen are the same.
    source: 'https://yandex.com/support/domain/additional/mailbox-alias.xml',
    domains: ['yandex.ru', 'ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua'],
    sharesNames: true,
    normalizeName: (name) => name.replaceAll('-', '.'),
  },
  {
    // Names have no hyphens: a hyphen begins the keyword of a disposable address.
    source: 'https://help.yahoo.com/kb/SLN28815.html',
    domains: [
      'yahoo.com',
      ...['myyahoo.com', 'ymail.com', 'rocketmail.com', 'yahoo.ca', 'yahoo.co.id', 'yahoo.co.in', 'yahoo.co.uk'],
      ...['yahoo.com.ar', 'yahoo.com.au', 'yahoo.com.br', 'yahoo.com.co', 'yahoo.com.mx', 'yahoo.com.ph', 'yahoo.de'],
      ...['yahoo.es', 'yahoo.fr', 'yahoo.gr', 'yahoo.ie', 'yahoo.in', 'yahoo.it', 'yahoo.pl', 'yahoo.ro', 'yahoo.se'],
    ],
    sharesNames: false,
    tagStart: /[+-]/,
  },
  {
    source: 'https://www.fastmail.help/hc/en-us/articles/360060591053',
    domains: [
      'fastmail.com',
      ...[
        'fastmail.cn',
        'fastmail.co.uk',
        'fastmail.com.au',
        'fastmail.de',
        'fastmail.es',
        'fastmail.fm',
        'fastmail.im',
      ],
      ...['fastmail.in', 'fastmail.jp', 'fastmail.mx', 'fastmail.net', 'fastmail.nl', 'fastmail.org', 'fastmail.se'],
      ...['fastmail.to', 'fastmail.tw', 'fastmail.uk', 'fastmail.us', 'sent.com'],
    ],
    sharesNames: false,
    hasNameDomains: true,
  },
];

const providersByDomain = new Map(
  providers.flatMap((provider) => provider.domains.map((domain) => [domain, provider])),
);

/** The provider of a mail domain, which must be in lower case and ASCII. Undefined if it has no special rules. */
export const findMailProvider = (domain: string): MailProvider | undefined => providersByDomain.get(domain);
