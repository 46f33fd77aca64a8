import type { Message } from '../message';
import { toMessageResource } from './message-resource';
import { paginate } from './paginate';
import { parseAddress } from './address';
import { apiVersion } from './status-fields';
import { TwilioProblem } from './twilio-problem';

const filterNames = ['To', 'From', 'DateSent', 'DateSent>', 'DateSent<'];

/** A page of the messages to and from phones, newest first. */
export function listMessages(messages: Message[], query: Record<string, unknown>, accountSid: string) {
  const page = paginate(messages.filter(createFilter(query)), query, ({ id }) => id);
  const uriOf = (number: number, token?: string): string => {
    const parameters = new URLSearchParams();
    for (const name of filterNames) {
      const value = query[name];
      if (typeof value === 'string') parameters.set(name, value);
    }
    parameters.set('PageSize', String(page.size));
    parameters.set('Page', String(number));
    if (token !== undefined) parameters.set('PageToken', token);
    return `/${apiVersion}/Accounts/${accountSid}/Messages.json?${parameters.toString()}`;
  };
  const { previousToken, nextToken } = page;
  return {
    end: page.start + Math.max(0, page.items.length - 1),
    first_page_uri: uriOf(0),
    messages: page.items.map((message) => toMessageResource(message, accountSid)),
    next_page_uri: nextToken === undefined ? null : uriOf(page.number + 1, nextToken),
    page: page.number,
    page_size: page.size,
    previous_page_uri: previousToken === undefined ? null : uriOf(Math.max(0, page.number - 1), previousToken),
    start: page.start,
    uri: uriOf(page.number, typeof query['PageToken'] === 'string' ? query['PageToken'] : undefined),
  };
}

function createFilter(query: Record<string, unknown>): (message: Message) => boolean {
  const toFilter = addressFilter(query['To']);
  const fromFilter = addressFilter(query['From']);
  const sentFilter = instantFilter(query['DateSent']);
  const sentAfterFilter = instantFilter(query['DateSent>']);
  const sentBeforeFilter = instantFilter(query['DateSent<']);
  return (message) => {
    if (message.channel === 'email' || message.gateway !== undefined) return false;
    if (toFilter && (toFilter.channel !== message.channel || toFilter.number !== message.to)) return false;
    if (fromFilter && (fromFilter.channel !== message.channel || fromFilter.number !== message.from)) return false;
    // A queued message has no sent date, so its creation date is used. A sender that got no response can then find the message at once.
    // Dates in responses and in comparisons have whole seconds.
    const sentAtMs = Math.floor(Date.parse(message.sentAt ?? message.createdAt) / 1_000) * 1_000;
    if (sentFilter && (sentAtMs < sentFilter.startMs || sentAtMs >= sentFilter.startMs + sentFilter.lengthMs))
      return false;
    if (sentAfterFilter && sentAtMs < Math.floor(sentAfterFilter.startMs / 1_000) * 1_000) return false;
    return !sentBeforeFilter || sentAtMs <= sentBeforeFilter.startMs;
  };
}

function addressFilter(value: unknown): ReturnType<typeof parseAddress> | undefined {
  return typeof value === 'string' && value !== '' ? parseAddress(value) : undefined;
}

function instantFilter(value: unknown): { startMs: number; lengthMs: number } | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const startMs = Date.parse(value);
  if (Number.isNaN(startMs)) throw new TwilioProblem(400, 20001, 'The DateSent filter is not a date');
  const isWholeDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  return { startMs, lengthMs: isWholeDay ? 86_400_000 : 1_000 };
}
