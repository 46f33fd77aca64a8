import { z } from 'zod';
import { dialCodes } from '../../messages/phone-numbers';
import { conversionGroups, countConversion, type ConversionGroup } from '../../store/messages/sends/conversion.sql';
import { date } from '../http/body/fields';
import { channel, named } from '../http/openapi/schema-of';
import { parseQuery } from '../http/page-query';
import { Problem } from '../http/problem';
import type { ApiRoute, Handler, Parameter } from '../http/route';
import { deliveredStatuses } from '../../messages/twilio-statuses';

/** The longest period: a quarter. A request for it reads each message of the tenant in the period once. */
const daysMax = 92;

/** The maximum number of rows of an answer, which then has about 100 kB. The rest are groups with fewer messages than all of these. */
const rowsMax = 1_000;

const daysByDefault = 30;

const dayMs = 86_400_000;

const count = z.int();

const conversion = named(
  'Conversion',
  z.strictObject({
    rows: z.array(
      z.strictObject({
        day: z.iso.date().optional().describe('In UTC'),
        channel: channel.optional(),
        country: z.string().nullable().optional().describe('The dial code. Null for mailboxes and erased transactions'),
        prefix: z.string().nullable().optional().describe('Null for mailboxes and erased transactions'),
        provider: z.string().nullable().optional().describe('Null for messages of a release without MESSAGING'),
        sent: count.describe('Codes and questions that the provider has, or may have'),
        delivered: count.describe('Those of which the provider reported the arrival. Mail servers report none'),
        answered: count.describe(
          'Those whose person confirmed or denied the phone or mailbox in the transaction, with this message or a later one',
        ),
      }),
    ),
    more: z.boolean().describe(`Whether there are more than ${rowsMax} groups. The others have fewer messages`),
  }),
  {
    rows: [{ day: '2026-01-31', channel: 'sms', sent: 1_200, delivered: 1_150, answered: 930 }],
    more: false,
  },
);

const groupIssue = `must be one or more of ${conversionGroups.join(', ')}, separated by commas, each once`;

const isGroup = (name: string): name is ConversionGroup => conversionGroups.some((group) => group === name);

const conversionQuery = {
  from: date.optional(),
  to: date.optional(),
  groupBy: z
    .string()
    .default('day,channel')
    .transform((text, context) => {
      const groups = text.split(',').filter(isGroup);
      if (new Set(groups).size === text.split(',').length) return groups;
      context.addIssue({ code: 'custom', message: groupIssue });
      return z.NEVER;
    }),
};

/** GET /v1/conversion: how many codes and questions were sent, delivered and answered. Both days are part of the period. */
export const getConversion: Handler<'pool'> = async ({ dependencies, tenant, request }) => {
  const { groupBy: groups, ...days } = parseQuery(request.url, conversionQuery);
  const end = Date.parse(days.to ?? new Date().toISOString().slice(0, 10)) + dayMs;
  const start = days.from === undefined ? end - daysByDefault * dayMs : Date.parse(days.from);
  if (end <= start) throw new Problem('validation_failed', { errors: { from: ['must not be after `to`'] } });
  if (end - start > daysMax * dayMs)
    throw new Problem('validation_failed', { errors: { from: [`must be at most ${daysMax - 1} days before \`to\``] } });
  const found = await countConversion(dependencies.pool, tenant, {
    ...{ from: new Date(start), before: new Date(end), groups, deliveredStatuses, dialCodes },
    limit: rowsMax + 1,
  });
  const headers = { 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: { rows: found.slice(0, rowsMax), more: found.length > rowsMax } };
};

const dayParameter = (name: string, description: string): Parameter => ({
  ...{ name, in: 'query', description: `${description}, such as 2026-01-31, in UTC` },
  schema: { type: 'string', format: 'date' },
});

/** Counts of messages; not in SPEC. */
export const conversionRoutes: readonly ApiRoute[] = [
  {
    operationId: 'getConversion',
    method: 'get',
    path: '/v1/conversion',
    scope: 'messages:read',
    summary: 'Count the codes and questions that were sent, delivered and answered',
    parameters: [
      dayParameter('from', `The first day. Default: ${daysByDefault} days, with the last one`),
      dayParameter('to', `The last day, at most ${daysMax - 1} days after the first. Default: today`),
      {
        ...{ name: 'groupBy', in: 'query', description: `By what to count: ${groupIssue}` },
        schema: { type: 'string', default: 'day,channel' },
      },
    ],
    responses: { 200: conversion },
    problems: ['validation_failed'],
    isLongRead: true,
    handler: getConversion,
  },
];
