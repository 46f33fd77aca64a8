import type { DeliveryStatus } from '../../domain/confirmations/delivery';
import type { DeliveryErrorKind } from '../../domain/providers/refusal';
import type { Gateway } from './gateway';

/** What an answer to a send means. `unknown`: the gateway may have the message. */
export type SendAnswer =
  | { meaning: 'accepted'; id: string; code?: string }
  | { meaning: DeliveryErrorKind; code?: string };

/** HTTP statuses that refuse the account and not a message: sign-in required, payment required, forbidden, no such address. */
const accountStatuses = [401, 402, 403, 404];

/** Reads the answer to a send. `body`: its JSON, or undefined if it has none. */
export function readSendAnswer({ send }: Gateway, status: number, body: unknown): SendAnswer {
  const { result } = send;
  const code = codeAt(body, send.code);
  const withCode = (meaning: DeliveryErrorKind, fallback: string) => ({ meaning, code: code ?? fallback });
  if (status >= 400 && status < 500 && status !== 408) {
    const usual = accountStatuses.includes(status) ? 'accountRefused' : status === 429 ? 'notSent' : 'ProviderRefused';
    return withCode(send.statuses[String(status)] ?? usual, String(status));
  }
  if (status < 200 || status >= 300) return withCode('unknown', String(status));
  const value = result && shortText(valueAt(body, result.at));
  if (result && value !== undefined && !result.accepted.includes(value))
    return withCode(result.refusals[value] ?? 'ProviderRefused', codeAt(value, '') ?? 'Refused');
  const id = shortText(valueAt(body, send.id));
  return id === undefined || (result && value === undefined)
    ? withCode('unknown', 'NoId')
    : { meaning: 'accepted', id };
}

/** The ids of the messages in the answer to a search. Throws SyntaxError if the answer has no list. */
export function readFoundIds({ list, id }: NonNullable<Gateway['find']>, body: unknown): string[] {
  const found = valueAt(body, list);
  if (!Array.isArray(found)) throw new SyntaxError('The answer has no list of messages.');
  return found.flatMap((one) => shortText(valueAt(one, id)) ?? []);
}

/** A status that a gateway reports. */
export interface ReportedMessage {
  id: string;
  status: DeliveryStatus;
  code?: string;
}

/** The statuses in a report. Messages without an id, and statuses that the declaration does not have, are left out. */
export function readReport(report: NonNullable<Gateway['report']>, body: unknown): ReportedMessage[] {
  const list = report.list === undefined ? [body] : valueAt(body, report.list);
  if (!Array.isArray(list)) return [];
  return list.flatMap((one) => {
    const id = shortText(valueAt(one, report.id));
    const status = report.meanings[shortText(valueAt(one, report.status)) ?? ''];
    const code = codeAt(one, report.code);
    return id === undefined || status === undefined ? [] : [{ id, status, ...(code !== undefined && { code }) }];
  });
}

/** The value at a JSON pointer (RFC 6901). Undefined if there is none. */
function valueAt(json: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>((value, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as Record<string, unknown>)[key]
      : undefined;
  }, json);
}

/**
 * An error code reaches histories and logs. So it must be a word, and a text that may be a phone number is left out: it has seven digits in a row.
 */
const codePattern = /^(?!.*\d{7})[\w.-]{1,40}$/;

function codeAt(json: unknown, pointer: string | undefined): string | undefined {
  const code = pointer === undefined ? undefined : shortText(valueAt(json, pointer));
  return code !== undefined && codePattern.test(code) ? code : undefined;
}

/** A longer text is no id. */
const textLengthMax = 200;

function shortText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && value.length <= textLengthMax ? value : undefined;
}
