import type { Shape } from './body-shape';

// Written by hand from SPEC, in its order. Numbers such as 2.5 are its sections.

const address: Shape = [
  ['zipCode', 'string', 'optional'],
  ['street', 'string', 'optional'],
  ['number', 'string', 'optional'],
  ['complement', 'string', 'optional'],
  ['district', 'string', 'optional'],
  ['city', 'string', 'optional'],
  ['state', 'string', 'optional'],
  ['country', 'string', 'optional'],
];

const phone: Shape = [
  ['countryCode', 'integer'],
  ['areaCode', 'integer', 'optional'],
  ['number', 'integer'],
  ['verified', 'boolean', 'optional'],
];

const card: Shape = [
  ['bin', 'string', 'optional'],
  ['last4', 'string', 'optional'],
  ['ownerDocument', 'string', 'optional'],
  ['ownerName', 'string', 'optional'],
];

/** 2.1, in the order of rule 1. */
export const transaction: Shape = [
  ['id', 'string'],
  ['createdAt', 'instant'],
  ['documentType', 'string'],
  ['document', 'string'],
  ['name', 'string', 'optional'],
  ['birthdate', 'date', 'optional'],
  ['mothersName', 'string', 'optional'],
  ['email', 'string', 'optional'],
  ['verifiedEmail', 'boolean'],
  ['sessionId', 'string', 'optional'],
  ['identifierId', 'string', 'optional'],
  ['channelId', 'string', 'optional'],
  ['address', address, 'optional'],
  ['phone', phone, 'optional'],
  ['identifierDate', 'string', 'optional'],
  ['referenceDate', 'instant'],
  ['type', 'integer'],
  ['genericFields', 'pairs', 'optional'],
  ['criterion', 'integer', 'optional'],
  ['card', card, 'optional'],
  ['secondaryDocumentType', 'string', 'optional'],
  ['secondaryDocument', 'string', 'optional'],
];

export const transactionInAll: Shape = [...transaction, ['complements', 'empty list']];

/** 2.5 */
export const score: Shape = [
  ['value', 'number'],
  ['reason', 'string'],
  ['createdAt', 'instant'],
];

/** 2.6 */
export const rating: Shape = [
  ['value', 'integer'],
  ['reason', 'string'],
  ['createdAt', 'instant'],
  ['relatedTo', 'strings'],
];

/** 2.7 */
export const insight: Shape = [
  ['code', 'string'],
  ['description', 'string'],
  ['type', 'string'],
  ['category', 'string'],
  ['relevance', 'string'],
  ['relatedTo', 'strings'],
];

/** Endpoints 7 and 8. */
export const smsToken: Shape = [
  ['status', 'string'],
  ['createdAt', 'instant'],
  ['type', 'string'],
];

/** 2.8 in endpoint 3. */
export const smsTokenInAll: Shape = [
  ['status', 'string'],
  ['type', 'string'],
  ['createdAt', 'instant'],
  ['repliedAt', 'instant', 'optional'],
];

/** Endpoint 10. */
export const emailToken: Shape = [
  ['status', 'string'],
  ['type', 'string'],
  ['createdAt', 'instant'],
  ['expirationTime', 'instant'],
];

/** Endpoint 11. */
export const emailTokenRead: Shape = [
  ['status', 'string'],
  ['type', 'string'],
  ['createdAt', 'instant'],
  ['repliedAt', 'instant', 'optional'],
  ['expirationTime', 'instant'],
];

/** 2.9 */
export const smsMessage: Shape = [
  ['text', 'string'],
  ['type', 'string'],
  ['status', 'string'],
  ['createdAt', 'instant'],
  ['smsSendLimit', 'integer'],
  ['expirationTime', 'instant'],
];

/** 2.10 */
export const emailMessage: Shape = [
  ['text', 'string'],
  ['type', 'string'],
  ['status', 'string'],
  ['createdAt', 'instant'],
  ['expirationTime', 'instant'],
];

/** 2.11 */
export const whatsappMessage: Shape = [
  ['status', 'string'],
  ['createdAt', 'instantWithoutZone'],
  [
    'reply',
    [
      ['option', 'integer'],
      ['repliedAt', 'instant'],
    ],
    'optional',
  ],
  ['sendLimit', 'integer'],
  ['expirationTime', 'instant'],
  ['text', 'string'],
];

/** RFC 9457 with our own members. */
export const problem: Shape = [
  ['type', 'string'],
  ['title', 'string'],
  ['status', 'integer'],
  ['detail', 'string'],
  ['instance', 'string'],
  ['code', 'string'],
  ['traceId', 'string'],
];
