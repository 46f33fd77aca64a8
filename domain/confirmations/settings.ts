import type { MailBrand } from '../brand/brand';
import type { ConfirmationValues } from '../flows/flow-values';
import type { Language, PageRequester } from '../transactions/input';

/** The channels of messages that a person reads. */
export const textChannels = ['sms', 'email', 'whatsapp'] as const;
export type TextChannel = (typeof textChannels)[number];

/** Every channel. A call (`voice`) only tells a code: nobody can reply to it, or open a link. */
export const channels = [...textChannels, 'voice'] as const;
export type Channel = (typeof channels)[number];

/** A channel as the `type` of a token in answers. */
export const tokenTypes = {
  sms: 'Sms',
  email: 'Email',
  whatsapp: 'Whatsapp',
  voice: 'Voice',
} as const satisfies Record<Channel, string>;
export type TokenType = (typeof tokenTypes)[Channel];

/** `token`: the person types a code. `secondFactor`: the person replies to a question. */
export type ConfirmationKind = 'token' | 'secondFactor';

/** Why a score entry was appended. */
export type ScoreReason =
  | 'Initial'
  | 'PhoneChecked'
  | 'EmailChecked'
  | 'WhatsappChecked'
  | 'BiometricsChecked'
  | 'Denied'
  /** A caller requested a reassessment, and the score, its calculation or a rating changed. */
  | 'Reassessed';

/** What a reply means. `yes` confirms, `no` denies, and `neither` is another reply, such as LATER. */
export type ReplyMeaning = 'yes' | 'no' | 'neither';

/** One possible reply to a second factor. */
export interface ReplyOption {
  /** Position, from 1. Buttons and numbered replies use it. */
  option: number;
  /** The exit of a flow step for this reply, such as Yes. */
  name?: string;
  meaning: ReplyMeaning;
  /** Label of the button. A press of the button is recorded with this label. */
  label: Record<Language, string>;
  /** Words that mean this option in a written reply, without accents and in lower case. */
  words: readonly string[];
}

/** One message in one language. Placeholders of a confirmation: {{brand}}, {{code}}, {{minutes}}. Never personal data. */
export interface MessageText {
  /** E-mail only. */
  subject?: string;
  body: string;
}

/** The settings of a confirmation on one channel. */
export interface ConfirmationSettings {
  /** Channel and prompt as one name, in kebab-case: `sms-token`, `sms-2fa`, … */
  name: string;
  /** The flow and step that requested the confirmation, such as `sign-up/code`. Absent if no flow requested it. */
  origin?: string;
  channel: Channel;
  kind: ConfirmationKind;
  /** Path below /v1/transaction/{id}/ at which callers request the confirmation. */
  path: string;
  /** Time from the first send to the expiry, in milliseconds. A code that is sent again keeps its expiry. A new code gets a new expiry. */
  expiresAfterMs: number;
  /** Maximum number of messages of one confirmation, including all resends. */
  sendLimit: number;
  /** Pause after the previous message of a confirmation with the same `name`, in milliseconds. */
  resendAfterMs: number;
  /** Tokens only. Number of attempts before the token is blocked. A resend does not give new attempts. */
  attemptLimit?: number;
  /** Tokens only. */
  codeDigits?: number;
  /** Tokens only. `reuse`: a resend has the same code. `rotate`: it has a new code, which supersedes the old code. */
  resend?: 'reuse' | 'rotate';
  /** Second factors only. */
  options?: readonly ReplyOption[];
  message: Record<Language, MessageText>;
  /** What the person confirms, such as the amount of a payment. The code belongs to these values. */
  values?: ConfirmationValues;
  /** E-mail only. Absent: mails show the name of their sender. */
  brand?: MailBrand;
  /** `fact`: what the person confirms. `scoreReason`: the reason of the score entry that the confirmation appends. */
  confirms: { fact: 'phone' | 'email'; scoreReason: Exclude<ScoreReason, 'Initial' | 'Denied' | 'Reassessed'> };
}

/** Limits of the service that no flow can exceed. Sources: NIST 800-63A-4 for lifetimes, 800-63B-4 for attempts. */
export const settingsLimits = {
  /** NIST: a confirmation code sent to a phone lives at most 10 minutes. */
  phoneTokenLifetimeMs: 10 * 60_000,
  /** NIST: a confirmation code sent by e-mail lives at most 24 hours. Second factors have the same limit. */
  otherLifetimeMs: 24 * 60 * 60_000,
  sendLimit: 5,
  attemptLimit: 10,
  codeDigits: [6, 10],
} as const;

/** Settings or texts of a confirmation or of a biometrics link are invalid. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** Checks settings and returns them. Throws SettingsError for the first invalid field. */
export function checkSettings(settings: ConfirmationSettings): ConfirmationSettings {
  const fail = (field: string, rule: string): never => {
    throw new SettingsError(`${settings.name}: ${field} ${rule}.`);
  };
  const lifetimeMaxMs =
    settings.kind === 'token' && settings.channel !== 'email'
      ? settingsLimits.phoneTokenLifetimeMs
      : settingsLimits.otherLifetimeMs;
  const checkInteger = (field: string, value: number, low: number, high: number) => {
    if (!Number.isInteger(value) || value < low || value > high)
      fail(field, `must be a whole number from ${low} to ${high}`);
  };
  if (!/^[a-z][a-z0-9-]*$/.test(settings.name)) fail('name', 'must be kebab-case, such as sms-token');
  checkInteger('expiresAfterMs', settings.expiresAfterMs, 1_000, lifetimeMaxMs);
  checkInteger('sendLimit', settings.sendLimit, 1, settingsLimits.sendLimit);
  if (!/^[a-z0-9]+(\/[a-z0-9]+)*$/.test(settings.path))
    fail('path', 'must be lower-case words separated by slashes, such as sms/tokens');
  if ((settings.confirms.fact === 'email') !== (settings.channel === 'email'))
    fail('confirms.fact', 'must match the channel');
  // The pause is at least 1,000 ms. A request that is repeated sooner is a duplicate, and does not ask for another message.
  checkInteger('resendAfterMs', settings.resendAfterMs, 1_000, settings.expiresAfterMs);
  if (settings.kind === 'token') {
    checkInteger('attemptLimit', settings.attemptLimit ?? 0, 1, settingsLimits.attemptLimit);
    checkInteger('codeDigits', settings.codeDigits ?? 0, settingsLimits.codeDigits[0], settingsLimits.codeDigits[1]);
    if (!settings.resend) fail('resend', 'must be reuse or rotate for a token');
  } else {
    const options = settings.options ?? [];
    if (settings.channel === 'voice') fail('channel', 'must not be voice for a second factor');
    if (options.length < 2) fail('options', 'must have at least two options for a second factor');
    if (options.some((option, index) => option.option !== index + 1))
      fail('options', 'must be numbered from 1 in order');
  }
  for (const [language, text] of Object.entries(settings.message)) {
    const hasUnknownPlaceholder = /\{\{(?!brand\}\}|code\}\}|minutes\}\})/.test(`${text.subject ?? ''}${text.body}`);
    if (hasUnknownPlaceholder) fail(`message.${language}`, 'may only use {{brand}}, {{code}} and {{minutes}}');
    if (settings.kind === 'token' && !text.body.includes('{{code}}'))
      fail(`message.${language}`, 'must contain {{code}}');
    if (settings.channel === 'email' && !text.subject) fail(`message.${language}`, 'must have a subject');
  }
  return settings;
}

/** Checks that all settings have different names and paths, and returns them. Throws SettingsError if two names or paths are equal. */
export function checkAllSettings(...settingsList: readonly ConfirmationSettings[]): readonly ConfirmationSettings[] {
  for (const field of ['name', 'path'] as const) {
    const values = settingsList.map((settings) => settings[field]);
    const duplicate = values.find((value, index) => values.indexOf(value) !== index);
    if (duplicate) throw new SettingsError(`Two confirmations have the ${field} ${duplicate}.`);
  }
  return settingsList;
}

/**
 * The value of {{minutes}} for a lifetime in milliseconds. It is rounded down to whole minutes, so that no text promises too much time. But
 * it is never below 1.
 */
export const formatMinutes = (ms: number): string => String(Math.max(1, Math.floor(ms / 60_000)));

/** Fills the placeholders of a text. Placeholders without a value stay, so that texts are stored without a code or link. */
export const fillText = (text: string, values: Readonly<Partial<Record<string, string>>>): string =>
  text.replace(/\{\{([a-zA-Z0-9]+)\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );

/** The flow and step in an `origin`, for logs. Empty if there is no origin. */
export function stepOfOrigin(origin: string | undefined): { flow?: string; step?: string } {
  const [flow, step] = origin?.split('/') ?? [];
  return flow === undefined || step === undefined ? {} : { flow, step };
}

/**
 * What the API sends to the workflow to request a confirmation. In its texts, all placeholders are replaced, except {{code}} and
 * {{minutes}}.
 */
export interface ConfirmationProposal {
  /** Id for a new confirmation. Not used if the request only resends the message of an open confirmation. */
  confirmationId: string;
  settings: ConfirmationSettings;
  /** Language of the messages when the transaction has no genericFields.locale, or one that is not in `languages`. */
  language: Language;
  /** The languages of the brand. Absent: all languages of the service. */
  languages?: readonly Language[];
  /** The caller that requests the confirmation. Set only if the hosted page sends the person back to the site of this caller. */
  requester?: PageRequester;
  /** Keyed digest of the code. Tokens only. */
  digest?: string;
  /** The earlier confirmation whose code this one repeats, and whose attempts count. Absent: the code belongs to `confirmationId`. */
  repeats?: { codeId: string; attemptsUsed: number };
  /** Dial codes of the countries to which messages may go, such as 55. */
  allowedDialCodes: readonly string[];
  /** Whether a question by e-mail needs an e-mail address that is already confirmed. */
  requireVerifiedEmail: boolean;
}
