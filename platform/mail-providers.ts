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
