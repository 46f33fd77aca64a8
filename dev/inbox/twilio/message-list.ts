import type { Message } from '../message';
import { toMessageResource } from './message-resource';
import { pageResource } from './page-resource';
import { parseAddress } from './address';
import { apiVersion } from './status-fields';
import { TwilioProblem } from './twilio-problem';

const filterNames = ['To', 'From', 'DateSent', 'DateSent>', 'DateSent<'];

/** A page of the messages to and from phones, newest first. */
export function listMessages(messages: Message[], query: Record<string, unknown>, accountSid: string) {
  const path = `/${apiVersion}/Accounts/${accountSid}/Messages.json`;
  const { items, ...page } = pageResource(messages.filter(createFilter(query)), query, filterNames, path);
  return { ...page, messages: items.map((message) => toMessageResource(message, accountSid)) };
}

function createFilter(query: Record<string, unknown>): (message: Message) => boolean {
  const toFilter = addressFilter(query['To']);
  const fromFilter = addressFilter(query['From']);
  const sentFilter = instantFilter(query['DateSent']);
  const sentAfterFilter = instantFilter(query['DateSent>']);
  const sentBeforeFilter = instantFilter(query['DateSent<']);
  return (message) => {
    if (message.channel === 'email' || message.channel === 'voice' || message.gateway !== undefined) return false;
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
